// The score over the game, as points that White may expect.

/** @import { Game } from './game.js' */
import { draw } from './board.js';

/**
 * A drawing of the points that White may expect after each ply; there must be some.
 * @param {(number | null)[]} points @param {string} label
 */
export function curve(points, label) {
  const width = Math.max(points.length - 1, 1),
    height = 40;
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
  const places = points.flatMap((point, at) =>
    point === null ? [] : [`${at} ${(height * (1 - point)).toFixed(2)}`],
  );
  const [first, last] = [places[0], places[places.length - 1]].map(place => Number(place.split(' ')[0]));
  // Where nothing is known yet, nothing is drawn: the ground of the graph is Black's share.
  draw(svg, 'rect', { class: 'graph-back', x: first, width: last - first, height });
  draw(svg, 'path', { class: 'graph-white', d: `M${first} ${height} L${places.join(' L')} L${last} ${height} Z` });
  draw(svg, 'path', {
    class: 'graph-middle',
    d: `M0 ${height / 2} H${width}`,
    'vector-effect': 'non-scaling-stroke',
  });
  draw(svg, 'path', { class: 'graph-line', d: `M${places.join(' L')}`, 'vector-effect': 'non-scaling-stroke' });
  return { svg, width, height };
}

/** @param {HTMLElement} container @param {Game} game @param {(id: number) => void} onGo */
export function drawGraph(container, game, onGo) {
  const line = game.line(),
    scored = line.filter(node => node.score);
  const shows =
    scored.length > 1 && (game.status?.analysed !== null || !!game.status?.end || !!game.status?.annotated);
  container.hidden = !shows;
  container.replaceChildren();
  if (!shows) return;
  const { svg, width, height } = curve(
    line.map(node => node.score?.points ?? null),
    `Score over the game: ${scored.at(-1)?.score?.text ?? ''} at the end, for White`,
  );
  const at = line.findIndex(node => node.id === game.shown);
  if (at >= 0)
    draw(svg, 'path', { class: 'graph-now', d: `M${at} 0 V${height}`, 'vector-effect': 'non-scaling-stroke' });
  container.append(svg);
  for (const [index, node] of line.entries()) {
    // Good moves are not marked.
    if (!node.mark.includes('?') || node.mark === '!?') continue;
    const dot = document.createElement('i');
    dot.className = node.mark === '??' ? 'blunder' : node.mark === '?' ? 'mistake' : 'doubtful';
    dot.style.left = `${(100 * index) / width}%`;
    dot.style.top = `${100 * (1 - (node.score?.points ?? 0.5))}%`;
    container.append(dot);
  }
  svg.addEventListener('click', event => {
    const bounds = svg.getBoundingClientRect();
    const node = line[Math.round(((event.clientX - bounds.x) / bounds.width) * width)];
    if (node) onGo(node.id);
  });
}
