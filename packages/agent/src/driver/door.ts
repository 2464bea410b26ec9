/** What other rooms can ask without loading the rest of this room. */
export { lastDriver } from "./last-driver.js";
export { hasLeftTurns } from "./left-journals.js";
