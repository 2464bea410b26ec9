/** What other rooms can ask without loading the rest of this room. */
export { hasStores } from "./stores-file.js";
