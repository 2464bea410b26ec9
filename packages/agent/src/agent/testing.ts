/** For tests of programs and extensions: a model that says what the test wrote down. The door of `bough/testing`. */
export {
  promptsOf,
  type ScriptedAnswer,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptStep,
  scriptedModel,
} from "./testing/scripted-model.js";
