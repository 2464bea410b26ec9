/** What other rooms use to run a turn, but programs do not: recording, settling, and giving an agent a branch. */
export { ageTranscript } from "./age-transcript.js";
export { type AgentState, agentState, isInstalled } from "./agent-status.js";
export { AgreedRules } from "./agreed-rules.js";
export { callRequests } from "./call-requests.js";
export {
  applyCleanNatives,
  type CleanedNative,
  type KeptReason,
  type NativeToClean,
  planCleanNatives,
} from "./clean-natives.js";
export { givenPath, hasOthersConversation } from "./given-path.js";
export { KNOWN_AGENTS } from "./known-agents.js";
export { writeNative } from "./native-path.js";
export { type NativeSession, NativeSessions } from "./native-sessions.js";
export { NativeTranscripts } from "./native-transcript.js";
export { RpcChild } from "./rpc-child.js";
export { finishedStep, nameOf, replyIn, type SettleParts, settleTurn, TurnSettling } from "./settle-turn.js";
export { claimTurns, type LeftTurn, TurnJournal } from "./turn-journal.js";
export { TURN_VERSION, type TurnHead, type TurnLine, TurnRecord } from "./turn-record.js";
