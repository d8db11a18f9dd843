// The dialog with the games of the library.

/** @import { Catalog, Entry } from '../types.d.ts' */
import { $, dialog, element, input, savePgn } from './dom.js';
import { send } from './carrier.js';
import { Refused } from './refused.js';

/** So many games are shown at once; more on demand. */
const PAGE = 100;

/** @typedef {{ games: Entry[], unreadable: string[] }} Listing */

export class Library {
  /** @param {Catalog} catalog @param {() => string | null} current the game on the board, by its name in the library */
  constructor(catalog, current) {
    this.titles = new Map(catalog.games.map(({ name, title }) => [name, title]));
    this.current = current;
    /** @type {Listing} */ this.listing = { games: [], unreadable: [] };
    /** Only these games are shown, unless it is empty. */ this.only = new Set();
    /** The games that are ticked. */ this.ticked = new Set();
    this.shown = PAGE;
    for (const [name, title] of this.titles) $('library-kind').append(new Option(title, name));
    for (const id of ['library-search', 'library-kind'])
      $(id).addEventListener('input', () => {
        this.shown = PAGE;
        this.draw();
      });
    $('library-more').addEventListener('click', () => {
      this.shown += PAGE;
      this.draw();
    });
    $('library-all').addEventListener('click', () => {
      this.only.clear();
      this.draw();
    });
    $('library-export').addEventListener('click', () => this.export());
    $('library-delete').addEventListener('click', () => this.delete([...this.ticked]));
    $('library-undo').addEventListener('click', () => this.undo());
  }

  /**
   * Asks which kind of game a text has; nothing if the person does not want any.
   * @param {string[]} kinds @returns {Promise<string>}
   */
  chooseKind(kinds) {
    const box = dialog('kind-dialog');
    $('kinds').replaceChildren(
      ...kinds.map(kind => {
        const button = element('button', '', this.titles.get(kind) ?? kind);
        button.value = kind;
        return button;
      }),
    );
    // Escape leaves the value as it is.
    box.returnValue = '';
    box.showModal();
    return new Promise(done => box.addEventListener('close', () => done(box.returnValue), { once: true }));
  }

  /**
   * Opens the dialog. If games are named, which were loaded, it shows those alone, and what was left out of them.
   * @param {string[]} [ids] @param {string[]} [leftOut]
   */
  async open(ids = [], leftOut = []) {
    this.only = new Set(ids);
    this.ticked.clear();
    this.shown = PAGE;
    input('library-search').value = '';
    input('library-kind').value = '';
    this.say('');
    $('library-undo').hidden = true;
    if (!(await this.ask('games', {}, 'notice'))) return;
    this.say(ids.length ? `${count(ids.length, 'game')} loaded. Which one do you want to see?` : '');
    $('library-error').textContent = leftOut.join(' ');
    dialog('library-dialog').showModal();
  }

  /**
   * Sends a command and reads the list again, also if it was refused: a part may be done, or another program may have
   * changed the games. False if it was refused.
   * @param {string} command @param {Record<string, unknown>} values @param {string} [place] where to say what is wrong
   */
  async ask(command, values, place = 'library-error') {
    try {
      $(place).textContent = '';
      if (command !== 'games') await send(command, values);
      this.listing = await send('games');
      const known = new Set(this.listing.games.map(({ id }) => id));
      for (const id of this.ticked) if (!known.has(id)) this.ticked.delete(id);
      this.draw();
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // A name that is being typed stays.
      if (command !== 'games' && command !== 'rename') await this.ask('games', {}, place);
      $(place).textContent = error.message;
      return false;
    }
  }

  /** @param {string} text */
  say(text) {
    $('library-said').textContent = text;
  }

  /** The games that the fields above the list let through. */
  found() {
    const words = input('library-search').value.toLowerCase().split(/\s+/).filter(Boolean),
      kind = input('library-kind').value;
    return this.listing.games.filter(entry => {
      const text = [entry.name, this.title(entry), ...entry.players, dateText(entry.date), entry.date, entry.result]
        .join(' ')
        .toLowerCase();
      return (
        (!this.only.size || this.only.has(entry.id)) &&
        (!kind || entry.game === kind) &&
        words.every(word => text.includes(word))
      );
    });
  }

  /** @param {Entry} entry */
  title(entry) {
    return this.titles.get(entry.game) ?? entry.game;
  }

  draw() {
    const found = this.found(),
      { games, unreadable } = this.listing;
    $('library-list').replaceChildren(...found.slice(0, this.shown).map(entry => this.row(entry)));
    $('library-head').hidden = !found.length;
    $('library-more').hidden = found.length <= this.shown;
    $('library-all').hidden = !this.only.size;
    $('library-empty').textContent = found.length
      ? ''
      : games.length
        ? 'No game fits.'
        : 'There are no games yet. Each game that you play or load is kept here.';
    $('library-unreadable').textContent = unreadable.length
      ? `${count(unreadable.length, 'file')} in the folder of the games cannot be read: ${unreadable.join('; ')}`
      : '';
    this.drawButtons();
  }

  drawButtons() {
    const ticked = this.ticked.size;
    input('library-export').disabled = !this.listing.games.length;
    $('library-export').textContent = ticked ? `Export ${count(ticked, 'game')}` : 'Export all';
    $('library-delete').hidden = !ticked;
    $('library-delete').textContent = `Delete ${count(ticked, 'game')}`;
  }

  /** @param {Entry} entry */
  row(entry) {
    const { id, game, date, result, plies } = entry;
    const name = nameOf(entry),
      item = element('li', 'library-row'),
      tick = element('input'),
      box = element('label', 'library-tick');
    item.dataset.id = id;
    tick.type = 'checkbox';
    tick.checked = this.ticked.has(id);
    tick.setAttribute('aria-label', `Choose ${name}`);
    tick.addEventListener('change', () => {
      if (tick.checked) this.ticked.add(id);
      else this.ticked.delete(id);
      this.drawButtons();
    });
    box.append(tick);
    const open = element('button', 'library-open');
    open.type = 'button';
    open.addEventListener('click', async () => {
      if (await this.ask('open', { id })) dialog('library-dialog').close();
      else this.focus(id);
    });
    const title = element('span', 'library-name', name);
    if (this.current() === id) {
      open.setAttribute('aria-current', 'true');
      title.append(element('span', 'library-here', 'on the board'));
    }
    if (entry.name) title.append(element('small', 'library-players', entry.players.join(' – ')));
    open.append(
      title,
      element('span', 'library-game', this.titles.get(game) ?? game),
      element('span', 'library-date', dateText(date)),
      element('span', 'library-result', result === '*' ? 'unfinished' : result.replaceAll('1/2', '½')),
      element('span', 'library-length', count(Math.ceil(plies / 2), 'move')),
    );
    const tools = element('span', 'library-tools');
    tools.append(
      tool('edit', 'Rename', () => this.rename(entry, item)),
      tool('delete', 'Delete', () => this.delete([id])),
    );
    item.append(box, open, tools);
    return item;
  }

  /** Shows a field for the name in the place of the game. @param {Entry} entry @param {HTMLElement} item */
  rename(entry, item) {
    const form = element('span', 'library-rename'),
      field = element('input'),
      save = element('button', 'primary', 'Save'),
      cancel = element('button', '', 'Cancel');
    field.value = entry.name;
    field.maxLength = 100;
    field.placeholder = entry.players.join(' – ');
    field.setAttribute('aria-label', 'Name of the game');
    save.type = cancel.type = 'button';
    const done = async () => {
      if (await this.ask('rename', { id: entry.id, name: field.value })) this.focus(entry.id);
    };
    const leave = () => {
      this.draw();
      this.focus(entry.id);
    };
    save.addEventListener('click', done);
    cancel.addEventListener('click', leave);
    field.addEventListener('keydown', event => {
      if (event.key !== 'Enter' && event.key !== 'Escape') return;
      // Neither closes the dialog.
      event.preventDefault();
      event.stopPropagation();
      if (event.key === 'Enter') done();
      else leave();
    });
    form.append(field, save, cancel);
    item.replaceChildren(form);
    field.select();
  }

  /** @param {string} id */
  focus(id) {
    /** @type {HTMLElement | null} */ (
      document.querySelector(`[data-id="${CSS.escape(id)}"] .library-open`)
    )?.focus();
  }

  /** @param {string[]} ids */
  async delete(ids) {
    const first = this.listing.games.find(entry => ids.includes(entry.id));
    if (!first) return;
    if (!(await this.ask('delete', { ids }))) {
      this.focus(first.id);
      return;
    }
    this.say(`${ids.length === 1 ? `“${nameOf(first)}” is` : `${ids.length} games are`} deleted.`);
    $('library-undo').hidden = false;
    $('library-undo').focus();
  }

  async undo() {
    if (!(await this.ask('undelete', {}))) return;
    this.say('');
    $('library-undo').hidden = true;
  }

  async export() {
    try {
      const { pgn, left_out } = await send('export', { ids: [...this.ticked] });
      savePgn('quintain.pgn', pgn);
      $('library-error').textContent = left_out.join(' ');
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      $('library-error').textContent = error.message;
    }
  }
}

/** What a list calls a game. @param {Entry} entry */
function nameOf({ name, players }) {
  return name || players.join(' – ');
}

/** @param {string} icon @param {string} title @param {() => void} work */
function tool(icon, title, work) {
  const button = element('button', 'icon-button');
  button.type = 'button';
  button.title = title;
  button.innerHTML = `<svg class="icon" aria-hidden="true"><use href="icons.svg#${icon}" /></svg>`;
  button.append(element('span', 'hidden', title));
  button.addEventListener('click', work);
  return button;
}

/** A date of PGN, of which parts may be unknown. @param {string} date */
function dateText(date) {
  const [year, month, day] = date.split('.').map(Number);
  if (!year) return '';
  if (!month || !day) return String(year);
  return new Date(year, month - 1, day).toLocaleDateString(undefined, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
  });
}

/** @param {number} number @param {string} what */
function count(number, what) {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
