/** For the server of `bough serve`: what its page reads. */
export type * from "./data/live-types.js";
export { treeColumns } from "./data/tree-columns.js";
