/** What can be asked before anything else of this room is loaded. */
export { hasStores } from "./stores-file.js";
