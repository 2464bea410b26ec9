/** What can be set before anything of this room is loaded. */
export { setBlobSource } from "./store/blob-source.js";
