// Carries commands, events and questions between the page and the program: here the server of `quintain board`. A site
// without a server has the carrier of `worker.js` under this name.

/** Where others find this page, for links; nothing, for only the links of *Invite* lead here. @type {string | null} */
export const HOME = null;
export { get, listen, send } from './server.js';
