/** What other rooms can ask without loading the rest of this room. */
export { hasLeftTurns } from "./left-journals.js";
