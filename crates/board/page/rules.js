// The rules of a game as a page: headings, paragraphs, and boards that are drawn.

/** @import { GameView, RulesBlock, RulesBoard } from '../types.d.ts' */
import { draw, drawPiece, ownerOf, pieceIcon } from './board.js';
import { element } from './dom.js';

const SIZE = 100;
/** The room for the names of ranks and files. */
const MARGIN = 60;
/** How the signs of the text are drawn. @type {Record<string, string>} */
const SIGNS = { '*': '★', x: '×' };

/** @param {GameView} game @param {string} letter */
const kindOf = (game, letter) => game.pieces.find(known => known.letter === letter[0].toLowerCase());

/** A piece and where it faces; without a digit toward the opponent. @param {GameView} game @param {string} piece */
function facing(game, piece) {
  if (piece.length > 1 || !kindOf(game, piece)?.faces) return piece;
  return piece + (ownerOf(piece) === 'white' ? '0' : '4');
}

/** @param {GameView} game @param {RulesBoard} board */
function drawBoard(game, board) {
  const { files, rows } = board,
    [width, height] = [files.length * SIZE, rows.length * SIZE];
  const figure = element('figure', 'rules-board'),
    svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', `${-MARGIN} 0 ${width + MARGIN} ${height + MARGIN}`);
  svg.setAttribute('role', 'img');
  figure.style.setProperty('--files', String(files.length));
  /** @param {number} x @param {number} y @param {string} text @param {string} name */
  const write = (x, y, text, name) => {
    draw(svg, 'text', { class: name, x, y, 'text-anchor': 'middle', 'dominant-baseline': 'central' }).textContent =
      text;
  };
  /** @type {string[]} */ const said = [];
  rows.forEach(({ rank, cells }, row) => {
    const y = row * SIZE;
    write(-MARGIN / 2, y + SIZE / 2, String(rank + 1), 'coordinate');
    cells.forEach((cell, column) => {
      const x = column * SIZE;
      if (!cell) return;
      const shade = (files[column] + rank) % 2 ? 'light' : 'dark';
      draw(svg, 'rect', { class: `square ${shade}`, x, y, width: SIZE, height: SIZE });
      if (cell === '.') return;
      const kind = kindOf(game, cell);
      if (kind) {
        drawPiece(svg, game, facing(game, cell)).setAttribute('transform', `translate(${x} ${y})`);
      } else write(x + SIZE / 2, y + SIZE / 2, SIGNS[cell] ?? cell, 'sign');
      said.push(
        `${String.fromCharCode(97 + files[column])}${rank + 1} ${kind ? `${ownerOf(cell)} ${kind.name}` : cell}`,
      );
    });
  });
  files.forEach((file, column) =>
    write(column * SIZE + SIZE / 2, height + MARGIN / 2, String.fromCharCode(97 + file), 'coordinate'),
  );
  if (board.title) figure.append(element('figcaption', '', board.title));
  svg.setAttribute('aria-label', `${board.title || 'A board'}: ${said.join(', ') || 'empty'}`);
  figure.append(svg);
  return figure;
}

/** @param {GameView} game @param {RulesBlock} block @param {'h2' | 'h3'} heading */
function drawBlock(game, block, heading) {
  switch (block.kind) {
    case 'heading':
      return element(heading, '', block.text);
    case 'text': {
      const paragraph = element('p');
      if (block.head) paragraph.append(element('strong', '', block.head));
      paragraph.append(block.text);
      return paragraph;
    }
    case 'list': {
      const list = element(block.numbered ? 'ol' : 'ul');
      list.append(...block.items.map(item => element('li', '', item)));
      return list;
    }
    case 'table': {
      const table = element('table'),
        columns = Math.max(...block.rows.map(row => row.length));
      for (const row of block.rows) {
        const line = table.insertRow();
        for (const [at, text] of row.entries()) {
          const cell = line.insertCell();
          if (at === row.length - 1) cell.colSpan = columns - at;
          // The pieces that a row is about are drawn.
          const letters = at ? [] : text.split(' ').filter(letter => /^[A-Z]$/.test(letter) && kindOf(game, letter));
          for (const letter of letters) cell.append(pieceIcon(game, facing(game, letter)));
          cell.append(text);
        }
      }
      return table;
    }
    case 'boards': {
      const row = element('div', 'rules-boards');
      row.append(...block.boards.map(board => drawBoard(game, board)));
      if (block.aside) row.append(element('p', '', block.aside));
      return row;
    }
    case 'answer': {
      const pair = element('div', 'rules-answer');
      pair.append(element('p', 'question', block.question), element('p', '', block.text));
      return pair;
    }
    case 'plain':
      return element('pre', '', block.lines.map(line => line.replace(/^ {4}/, '')).join('\n'));
  }
}

/**
 * Shows the rules of a game.
 * @param {HTMLElement} container @param {GameView} game @param {RulesBlock[]} blocks
 * @param {'h2' | 'h3'} heading the headings of its sections
 */
export function drawRules(container, game, blocks, heading) {
  container.classList.add('rules');
  container.replaceChildren(...blocks.map(block => drawBlock(game, block, heading)));
}
