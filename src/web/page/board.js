// The board: draws a position and turns pointer and keys into one of the legal moves that it was given.

const NS = 'http://www.w3.org/2000/svg';
const COMPASS = { n: [0, 1], ne: [1, 1], e: [1, 0], se: [1, -1], s: [0, -1], sw: [-1, -1], w: [-1, 0], nw: [-1, 1] };
const ARROWS = { '↑': 0, '↗': 45, '→': 90, '↘': 135, '↓': 180, '↙': 225, '←': 270, '↖': 315 };

export const nameOf = ([file, rank]) => String.fromCharCode(97 + file) + (rank + 1);
const same = (a, b) => a && b && a[0] === b[0] && a[1] === b[1];

function make(parent, kind, attributes = {}) {
  const node = document.createElementNS(NS, kind);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  parent.append(node);
  return node;
}

export class Board {
  constructor(svg, play) {
    this.svg = svg;
    this.play = play;
    this.flipped = false;
    this.from = null;
    this.choices = null;
    this.hover = null;
    this.cursor = null;
    svg.addEventListener('pointerdown', event => this.press(event));
    svg.addEventListener('pointermove', event => this.drag(event));
    svg.addEventListener('pointerup', event => this.release(event));
    svg.addEventListener('pointercancel', () => { this.held = null; this.draw(); });
    svg.addEventListener('keydown', event => this.key(event));
  }

  /** Shows a position; `moves` are those that may be chosen. */
  show(game, ply, moves, hint) {
    this.game = game;
    this.moves = moves;
    this.hint = hint;
    if (this.ply !== ply) { this.ply = ply; this.cancel(); }
    this.draw();
  }

  cancel() { this.from = null; this.choices = null; this.hover = null; this.held = null; }

  at([file, rank]) {
    return this.flipped ? [this.game.files - 1 - file, rank] : [file, this.game.ranks - 1 - rank];
  }

  square(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    const x = Math.floor(point.x), y = Math.floor(point.y);
    return this.flipped ? [this.game.files - 1 - x, y] : [x, this.game.ranks - 1 - y];
  }

  targets() {
    return this.from ? this.moves.filter(mv => same(mv.from, this.from) || (mv.tag === 'place' && same(mv.to, this.from))) : [];
  }

  goal(mv) { return mv.tag === 'place' && same(mv.to, this.from) ? mv.from : mv.to; }

  starts(place) { return this.moves.some(mv => same(mv.from, place) || (mv.tag === 'place' && same(mv.to, place))); }

  press(event) {
    if (event.button !== 0 || event.target.closest('.choice')) return;
    event.preventDefault();
    const place = this.square(event);
    if (this.choices) { this.cancel(); this.draw(); return; }
    this.touch(place);
    if (same(this.from, place)) { this.held = place; this.svg.setPointerCapture(event.pointerId); }
  }

  drag(event) {
    if (this.choices) return;
    const place = this.square(event);
    if (this.held) {
      const piece = this.svg.querySelector('.piece.moving') || this.svg.querySelector(`[data-on="${nameOf(this.held)}"]`);
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
      if (piece && !same(place, this.held)) {
        piece.classList.add('moving');
        piece.classList.remove('slide');
        piece.setAttribute('transform', `translate(${point.x - .5} ${point.y - .5})`);
      }
    }
    if (!same(place, this.hover)) { this.hover = place; if (this.from) this.marks(); }
  }

  release(event) {
    if (!this.held) return;
    const place = this.square(event), held = this.held;
    this.held = null;
    if (!same(place, held)) { this.touch(place, true); this.draw(); }
  }

  /** A square was pointed at or entered: choose it, or go there. */
  touch(place, dropped = false) {
    const found = this.targets().filter(mv => same(this.goal(mv), place));
    if (found.length) { this.narrow(found, place); return; }
    this.from = !dropped && this.starts(place) && !same(this.from, place) ? place : dropped ? this.from : null;
    this.draw();
  }

  narrow(found, place) {
    if (found.length === 1 && !found[0].facing) { this.cancel(); this.draw(); this.play(found[0]); return; }
    this.choices = found;
    this.place = place;
    this.draw();
    this.svg.querySelector('.choice')?.focus();
  }

  key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (event.key === 'Escape') { this.cancel(); this.draw(); this.focus(); event.stopPropagation(); return; }
    const choice = event.target.closest('.choice');
    if (choice) {
      const all = [...this.svg.querySelectorAll('.choice')], at = all.indexOf(choice);
      if (step) { all[(at + (step[0] + step[1] > 0 ? 1 : all.length - 1)) % all.length].focus(); event.preventDefault(); event.stopPropagation(); }
      if (event.key === 'Enter' || event.key === ' ') { choice.dispatchEvent(new MouseEvent('click', { bubbles: true })); event.preventDefault(); }
      return;
    }
    if (!this.cursor) return;
    if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); this.touch(this.cursor); if (!this.choices) this.focus(); return; }
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    let [file, rank] = this.cursor;
    const sign = this.flipped ? -1 : 1;
    do { file += step[0] * sign; rank += step[1] * sign; }
    while (file >= 0 && rank >= 0 && file < this.game.files && rank < this.game.ranks && !this.ply.squares.some(([f, r]) => f === file && r === rank));
    if (this.ply.squares.some(([f, r]) => f === file && r === rank)) { this.cursor = [file, rank]; this.focus(); }
  }

  focus() {
    for (const node of this.svg.querySelectorAll('.square')) node.setAttribute('tabindex', node.dataset.square === nameOf(this.cursor ?? [0, 0]) ? '0' : '-1');
    this.svg.querySelector('.square[tabindex="0"]')?.focus();
  }

  kind(letter) { return this.game.pieces.find(piece => piece.letter === letter.toLowerCase()); }

  figure(parent, text, x, y, size = 1) {
    const letter = text[0], mark = text[1];
    const group = make(parent, 'g', { class: `piece ${letter === letter.toUpperCase() ? 'white' : 'black'}`, transform: `translate(${x} ${y}) scale(${size})` });
    const turn = mark in ARROWS ? (ARROWS[mark] + (this.flipped ? 180 : 0)) % 360 : 0;
    make(group, 'use', { href: `pieces.svg#${this.kind(letter).drawing}`, width: .94, height: .94, x: .03, y: .03, ...(turn ? { transform: `rotate(${turn} .5 .5)` } : {}) });
    if (mark === '?') { const ask = make(group, 'text', { x: .7, y: .3, class: 'coordinate' }); ask.textContent = '?'; }
    return group;
  }

  draw() {
    const { game, ply, svg } = this;
    const focused = document.activeElement?.closest?.('#board .square');
    svg.setAttribute('viewBox', `0 0 ${game.files} ${game.ranks}`);
    svg.dataset.ply = String(ply.index);
    svg.replaceChildren();
    const here = new Map(ply.squares.map(([file, rank, text]) => [`${file},${rank}`, text]));
    const lake = !here.has('0,0');
    if (!this.cursor || !here.has(String(this.cursor))) this.cursor = ply.squares[0].slice(0, 2);
    for (let rank = game.ranks - 1; rank >= 0; rank--) {
      const row = make(svg, 'g', { role: 'row', 'aria-label': `rank ${rank + 1}` });
      for (let file = 0; file < game.files; file++) {
        const [x, y] = this.at([file, rank]), text = here.get(`${file},${rank}`);
        if (text === undefined) { this.hole(row, file, rank, x, y, here, lake); continue; }
        const who = text ? `${text[0] === text[0].toUpperCase() ? 'white' : 'black'} ${this.kind(text[0]).name}${text[1] ? ` facing ${text[1]}` : ''}` : 'empty';
        make(row, 'rect', { class: `square ${(file + rank) % 2 ? 'light' : 'dark'}`, x, y, width: 1, height: 1, role: 'gridcell',
          tabindex: same(this.cursor, [file, rank]) ? 0 : -1, 'data-square': nameOf([file, rank]), 'data-piece': text, 'aria-label': `${nameOf([file, rank])} ${who}` });
        const below = this.flipped ? rank === game.ranks - 1 || !here.has(`${file},${rank + 1}`) : rank === 0 || !here.has(`${file},${rank - 1}`);
        const left = this.flipped ? file === game.files - 1 || !here.has(`${file + 1},${rank}`) : file === 0 || !here.has(`${file - 1},${rank}`);
        if (below) make(row, 'text', { class: 'coordinate', x: x + .84, y: y + .95 }).textContent = nameOf([file, rank])[0];
        if (left) make(row, 'text', { class: 'coordinate', x: x + .04, y: y + .22 }).textContent = String(rank + 1);
      }
    }
    const low = make(svg, 'g');
    const mv = ply.mv;
    for (const place of mv ? [mv.from, mv.to, ...mv.taken, ...mv.partners.flat()] : []) this.tile(low, place, 'last');
    if (ply.check) this.tile(low, ply.check, 'check', .06);
    const men = make(svg, 'g', { 'aria-hidden': 'true' });
    for (const [file, rank, text] of ply.squares) {
      if (text) this.figure(men, text, ...this.at([file, rank])).dataset.on = nameOf([file, rank]);
    }
    if (this.from && this.moves.some(mv => mv.tag === 'place' && same(mv.from, this.from) | same(mv.to, this.from))) this.figure(men, this.moves[0].piece, ...this.at(this.from));
    this.high = make(svg, 'g', { 'aria-hidden': 'true' });
    this.marks();
    if (this.choices) this.choose();
    if (focused && !this.choices) this.focus();
  }

  hole(row, file, rank, x, y, here, lake) {
    const inside = lake && [[1, 0], [-1, 0], [0, 1], [0, -1]].every(([f, r]) => here.has(`${file + f},${rank + r}`));
    if (lake && !inside) return;
    const name = lake ? 'lake' : 'canyon';
    make(row, 'rect', { class: name, x, y, width: 1, height: 1, role: 'gridcell', 'aria-label': `${nameOf([file, rank])} ${name}` });
    const line = at => `M${x + .1} ${y + at} q.2 -.12 .4 0 t.4 0`;
    if (lake) make(row, 'path', { class: 'wave', d: `${line(.3)} ${line(.55)} ${line(.8)}` });
    else make(row, 'path', { class: 'crack', d: `M${x} ${y + .3} l.3 .15 l.25 -.2 l.45 .25 M${x} ${y + .75} l.4 -.1 l.2 .18 l.4 -.12` });
  }

  tile(parent, place, name, inset = 0) {
    const [x, y] = this.at(place);
    return make(parent, 'rect', { class: name, x: x + inset, y: y + inset, width: 1 - 2 * inset, height: 1 - 2 * inset });
  }

  cross(place) {
    const [x, y] = this.at(place);
    make(this.high, 'path', { class: 'victim', d: `M${x + .15} ${y + .15} l.7 .7 m0 -.7 l-.7 .7` });
  }

  arrow(from, to) {
    const [x, y] = this.at(from), [u, v] = this.at(to), angle = Math.atan2(v - y, u - x);
    const head = turn => `M${u + .5} ${v + .5} l${-.3 * Math.cos(angle + turn)} ${-.3 * Math.sin(angle + turn)}`;
    make(this.high, 'path', { class: 'arrow', fill: 'none', d: `M${x + .5} ${y + .5} L${u + .5} ${v + .5} ${head(.5)} ${head(-.5)}` });
  }

  marks() {
    this.high.replaceChildren();
    const mv = this.ply.mv;
    if (mv?.tag === 'shot') this.arrow(mv.from, mv.to);
    if (this.hint) this.arrow(this.hint.from, this.hint.to);
    if (!this.from) return;
    this.tile(this.high, this.from, 'chosen', .04);
    const done = new Set();
    for (const mv of this.targets()) {
      const goal = this.goal(mv), [x, y] = this.at(goal);
      if (same(goal, this.from) || done.has(String(goal))) continue;
      done.add(String(goal));
      const name = mv.tag === 'swap' ? 'swap' : mv.taken.length ? 'ring' : 'dot';
      make(this.high, 'circle', { class: name, cx: x + .5, cy: y + .5, r: name === 'dot' ? .15 : .43 });
    }
    const aim = this.choices ? this.choices[0] : this.targets().find(mv => same(this.goal(mv), this.hover));
    if (!aim) return;
    if (aim.tag === 'shot') this.arrow(aim.from, aim.to);
    for (const place of aim.taken) this.cross(place);
    for (const [from, to] of aim.partners) this.arrow(from, to);
  }

  /** Promotion, then facing: what is left of the legal moves is asked for until one remains. */
  choose() {
    const veil = make(this.svg, 'rect', { class: 'veil', width: this.game.files, height: this.game.ranks });
    veil.style.pointerEvents = 'all';
    this.svg.append(this.high);
    const letters = [...new Set(this.choices.map(mv => mv.becomes ?? ''))];
    const clamp = (value, room) => Math.max(0, Math.min(value, room));
    const [x, y] = this.at(this.place), { files, ranks } = this.game;
    const white = this.choices[0].piece === this.choices[0].piece.toUpperCase();
    const offer = (u, v, label, moves) => {
      const node = make(this.svg, 'rect', { class: 'choice', x: u + .03, y: v + .03, width: .94, height: .94, rx: .12, tabindex: 0, role: 'button', 'aria-label': label, 'data-choice': label });
      node.addEventListener('click', () => { if (moves.length === 1) { this.cancel(); this.draw(); this.play(moves[0]); } else { this.choices = moves; this.draw(); this.svg.querySelector('.choice')?.focus(); } });
    };
    if (letters.length > 1) {
      letters.forEach((letter, index) => {
        const u = clamp(x - Math.floor(letters.length / 2), files - letters.length) + index;
        const shown = letter || this.choices[0].piece;
        offer(u, y, letter ? this.kind(shown).name : 'no promotion', this.choices.filter(mv => (mv.becomes ?? '') === letter));
        this.figure(this.svg, white ? shown.toUpperCase() : shown.toLowerCase(), u, y);
      });
      return;
    }
    const cx = clamp(x - 1, files - 3) + 1, cy = clamp(y - 1, ranks - 3) + 1, turned = white === this.flipped ? -1 : 1;
    const first = this.choices[0];
    this.figure(this.svg, (first.becomes && !white ? first.becomes : (first.becomes ?? first.piece)).replace(/./, c => white ? c.toUpperCase() : c.toLowerCase()), cx, cy);
    for (const mv of this.choices) {
      const [dx, dy] = COMPASS[mv.facing], u = cx + dx * turned, v = cy - dy * turned;
      offer(u, v, `facing ${mv.facing}`, [mv]);
      make(this.svg, 'path', { class: 'needle', d: 'M.5 .18 L.78 .75 L.5 .62 L.22 .75 Z', transform: `translate(${u} ${v}) rotate(${Math.atan2(dx * turned, dy * turned) * 180 / Math.PI} .5 .5)` });
    }
  }
}
