// Carries commands, events and questions between the page and the program: here the server of `quintain board`.

export { get, listen, send } from './server.js';
