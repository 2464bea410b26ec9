/** What other rooms use of stores without loading a driver. */

export type { Replica } from "./store.js";
export { entryOrigins, OriginReader } from "./sync/origins.js";
