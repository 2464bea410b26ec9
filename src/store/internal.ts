/** What other rooms use of stores without loading a driver. */

export type { Replica } from "./store.js";
export { entryOrigins } from "./sync/origins.js";
