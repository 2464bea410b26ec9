/** What other rooms can ask without loading the rest of this room. */
export { storedContents } from "./stored-contents.js";
export { hasStores } from "./stores-file.js";
