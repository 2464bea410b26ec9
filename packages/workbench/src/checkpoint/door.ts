/** What can be configured before anything else of this room is loaded. */
export { setBlobSource } from "./store/blob-source.js";
