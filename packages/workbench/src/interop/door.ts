/** For other rooms: what loads the readers, but is not published. */
export { modelCalls } from "./model-calls.js";
