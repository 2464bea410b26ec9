/** What other rooms use of stores without loading a driver. */

export { isTranscript } from "./agent-sdk/agent-sdk-line.js";
export type { Replica } from "./store.js";
export { entryOrigins, OriginReader } from "./sync/origins.js";
