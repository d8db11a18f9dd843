// The games in the browser's database. One page has them at a time, the one that opened them last.

/** Another page has the games. */
export class Taken extends Error {}

/** Sites in other folders of the same host have games of their own. */
const NAME = `quintain ${new URL('.', import.meta.url).pathname}`;

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const result = request =>
  new Promise((done, fail) => {
    request.addEventListener('success', () => done(request.result));
    request.addEventListener('error', () => fail(request.error));
  });

export class Store {
  /** @param {() => void} onTaken another page has opened the games */
  constructor(onTaken) {
    /** @type {IDBDatabase | null} */ this.database = null;
    /** How often the games were opened, by this and other pages. */ this.turn = 0;
    /** The other pages. @type {BroadcastChannel | null} */ this.others = null;
    this.onTaken = onTaken;
  }

  lose() {
    if (this.turn) this.onTaken();
    this.turn = 0;
  }

  async connect() {
    if (this.database) return this.database;
    const request = indexedDB.open(NAME, 1);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore('games');
      request.result.createObjectStore('kept');
    });
    this.database = await result(request);
    this.others = new BroadcastChannel(NAME);
    this.others.addEventListener('message', ({ data }) => {
      if (data > this.turn) this.lose();
    });
    return this.database;
  }

  /** Takes the games: their texts by name, and what the person prefers. */
  async open() {
    const stores = (await this.connect()).transaction(['games', 'kept'], 'readwrite');
    const [games, kept] = [stores.objectStore('games'), stores.objectStore('kept')];
    const turn = ((await result(kept.get('turn'))) ?? 0) + 1;
    kept.put(turn, 'turn');
    const [ids, texts] = await Promise.all([result(games.getAllKeys()), result(games.getAll())]);
    const preferences = (await result(kept.get('preferences'))) ?? '';
    this.turn = turn;
    this.others?.postMessage(turn);
    return { texts: ids.map((id, at) => [id, texts[at]]), preferences };
  }

  /**
   * Keeps a change, unless another page has the games.
   * @param {{ put?: [string, string], delete?: string, preferences?: string }} change
   */
  async keep(change) {
    const { turn } = this;
    if (!turn) throw new Error('this browser keeps nothing of this page');
    const stores = (await this.connect()).transaction(['games', 'kept'], 'readwrite');
    const [games, kept] = [stores.objectStore('games'), stores.objectStore('kept')];
    const done = new Promise((over, fail) => {
      stores.addEventListener('complete', () => over(null));
      stores.addEventListener('abort', () => fail(stores.error ?? new Taken()));
    });
    const now = await result(kept.get('turn'));
    if (now !== turn) {
      done.catch(() => {});
      stores.abort();
      this.lose();
      throw new Taken();
    }
    if (change.put) games.put(change.put[1], change.put[0]);
    if (change.delete) games.delete(change.delete);
    if (change.preferences) kept.put(change.preferences, 'preferences');
    await done;
  }

  /** The kind of the game that was shown last. @returns {Promise<string | undefined>} */
  async game() {
    return result((await this.connect()).transaction('kept').objectStore('kept').get('game'));
  }

  /** @param {string} game */
  async keepGame(game) {
    (await this.connect()).transaction('kept', 'readwrite').objectStore('kept').put(game, 'game');
  }

  /** Why something was not kept, for people. @param {any} error */
  why(error) {
    return error.name === 'QuotaExceededError' ? 'no storage space' : error.message;
  }
}
