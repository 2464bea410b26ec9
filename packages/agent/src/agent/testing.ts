/** For tests of programs and extensions: a model that says what the test wrote down. The door of `bough/testing`. */
export type { StopReason, Usage } from "@bough/session/entry/index.js";
export type { LanguageModel, ModelFailure, ModelInfo, ModelRequest } from "../model/index.js";
export {
  promptsOf,
  type ScriptedAnswer,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptStep,
  scriptedModel,
} from "./testing/scripted-model.js";
