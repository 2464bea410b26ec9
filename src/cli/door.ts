/** Talking to `bough --mode rpc` from another program: the types of the protocol and a small client. The door of `bough/rpc`. */
export { type ConnectOptions, connect } from "./rpc/client/connect.js";
export type * from "./rpc/client/protocol/answers.js";
export type * from "./rpc/client/protocol/branches-methods.js";
export type * from "./rpc/client/protocol/commands-methods.js";
export type * from "./rpc/client/protocol/conversation-methods.js";
export type * from "./rpc/client/protocol/entries.js";
export type * from "./rpc/client/protocol/events.js";
export type * from "./rpc/client/protocol/files.js";
export type * from "./rpc/client/protocol/files-methods.js";
export type * from "./rpc/client/protocol/messages.js";
export type * from "./rpc/client/protocol/methods.js";
export type * from "./rpc/client/protocol/models-and-tools-methods.js";
export type * from "./rpc/client/protocol/other-agents-methods.js";
export type * from "./rpc/client/protocol/outcomes.js";
export type * from "./rpc/client/protocol/parts.js";
export type * from "./rpc/client/protocol/plans-methods.js";
export type * from "./rpc/client/protocol/program-methods.js";
export type * from "./rpc/client/protocol/questions.js";
export type * from "./rpc/client/protocol/reading-the-tree-methods.js";
export type * from "./rpc/client/protocol/session-files-methods.js";
export type * from "./rpc/client/protocol/session-methods.js";
export type * from "./rpc/client/protocol/sessions.js";
export type * from "./rpc/client/protocol/shapes.js";
export type * from "./rpc/client/protocol/stores-methods.js";
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
} from "./rpc/client/rpc-client.js";
export { RpcError } from "./rpc/client/rpc-error.js";
export { type SpawnOptions, spawnTransport } from "./rpc/client/spawn-transport.js";
export { type RpcTransport, streamTransport } from "./rpc/client/transport.js";
