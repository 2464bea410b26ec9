/**
 * Controls `bough --mode rpc` from another program: the types of the protocol and a small client. The door of
 * `bough/rpc`.
 */
export { type ConnectOptions, connect } from "./connect.js";
export type * from "./protocol/answers.js";
export type * from "./protocol/attempts-methods.js";
export type * from "./protocol/branches-methods.js";
export type * from "./protocol/commands-methods.js";
export type * from "./protocol/conversation-methods.js";
export type * from "./protocol/entries.js";
export type * from "./protocol/events.js";
export type * from "./protocol/files.js";
export type * from "./protocol/files-methods.js";
export type * from "./protocol/messages.js";
export type * from "./protocol/methods.js";
export type * from "./protocol/models-and-tools-methods.js";
export type * from "./protocol/other-agents-methods.js";
export type * from "./protocol/outcomes.js";
export type * from "./protocol/parts.js";
export type * from "./protocol/plans-methods.js";
export type * from "./protocol/program-methods.js";
export type * from "./protocol/questions.js";
export type * from "./protocol/reading-the-tree-methods.js";
export type * from "./protocol/session-files-methods.js";
export type * from "./protocol/session-methods.js";
export type * from "./protocol/sessions.js";
export type * from "./protocol/shapes.js";
export type * from "./protocol/stores-methods.js";
export {
  RPC_PROTOCOL_VERSION,
  type RpcArguments,
  RpcClient,
  type RpcCut,
  type RpcEvent,
  type RpcParams,
  type RpcPart,
  type RpcQuestionHandler,
  type RpcQuestionHandlers,
  type RpcResult,
} from "./rpc-client.js";
export { RpcError } from "./rpc-error.js";
export { type SpawnOptions, spawnTransport } from "./spawn-transport.js";
export { type RpcTransport, streamTransport } from "./transport.js";
