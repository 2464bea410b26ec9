import { ATTEMPT_METHODS } from "./attempt-methods.js";
import { BRANCH_METHODS } from "./branch-methods.js";
import { COMMAND_METHODS } from "./command-methods.js";
import { CONVERSATION_METHODS } from "./conversation-methods.js";
import { FILE_METHODS } from "./file-methods.js";
import { FOREIGN_METHODS } from "./foreign-methods.js";
import { KEPT_FILE_METHODS } from "./kept-file-methods.js";
import { MODEL_METHODS } from "./model-methods.js";
import { PLAN_METHODS } from "./plan-methods.js";
import { PROGRAM_METHODS } from "./program-methods.js";
import type { RpcMethod } from "./rpc-method.js";
import { SESSION_METHODS } from "./session-methods.js";
import { STORE_METHODS } from "./store-methods.js";
import { TREE_METHODS } from "./tree-methods.js";

/** All requests by topic. The server, the published schema and the documentation are made from this table. */
export const RPC_METHOD_GROUPS = {
  Conversation: CONVERSATION_METHODS,
  Branches: BRANCH_METHODS,
  Attempts: ATTEMPT_METHODS,
  Plans: PLAN_METHODS,
  "Reading the tree": TREE_METHODS,
  Files: KEPT_FILE_METHODS,
  Session: SESSION_METHODS,
  "Session files": FILE_METHODS,
  "Other agents": FOREIGN_METHODS,
  Stores: STORE_METHODS,
  Commands: COMMAND_METHODS,
  "Models and tools": MODEL_METHODS,
  Program: PROGRAM_METHODS,
} as const satisfies Readonly<Record<string, Readonly<Record<string, RpcMethod>>>>;

export const RPC_METHODS: ReadonlyMap<string, RpcMethod> = new Map(
  Object.values<Readonly<Record<string, RpcMethod>>>(RPC_METHOD_GROUPS).flatMap((group) => Object.entries(group)),
);
