// Made from the schema by `npx vitest run packages/program/src/cli/rpc/rpc-docs.test.ts --update`.
import type { BranchesMethods } from "./branches-methods.js";
import type { CommandsMethods } from "./commands-methods.js";
import type { ConversationMethods } from "./conversation-methods.js";
import type { FilesMethods } from "./files-methods.js";
import type { ModelsAndToolsMethods } from "./models-and-tools-methods.js";
import type { OtherAgentsMethods } from "./other-agents-methods.js";
import type { PlansMethods } from "./plans-methods.js";
import type { ProgramMethods } from "./program-methods.js";
import type { ReadingTheTreeMethods } from "./reading-the-tree-methods.js";
import type { SessionFilesMethods } from "./session-files-methods.js";
import type { SessionMethods } from "./session-methods.js";
import type { StoresMethods } from "./stores-methods.js";

/** Parameters and results, by method. */
export interface RpcMethods
  extends ConversationMethods,
    BranchesMethods,
    PlansMethods,
    ReadingTheTreeMethods,
    FilesMethods,
    SessionMethods,
    SessionFilesMethods,
    OtherAgentsMethods,
    StoresMethods,
    CommandsMethods,
    ModelsAndToolsMethods,
    ProgramMethods {}
