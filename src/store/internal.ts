/** What other rooms use of stores without loading a driver. */

export { entryOrigins, OriginReader } from "../session/internal.js";
export { isTranscript } from "./agent-sdk/agent-sdk-line.js";
export { checkStoreName } from "./named-stores.js";
export { looksLikeAddress } from "./shown-address.js";
export type { Replica } from "./store.js";
export { absoluteAddress, isSentInClearText } from "./store-address.js";
export { isPassing } from "./store-error.js";
export { unpushedIn } from "./sync/push-session.js";
export { NEW_STATE } from "./sync/sync-state.js";
