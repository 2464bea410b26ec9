/** What front ends use besides the commands: agents that do the turns, the sync helpers, and what several of them say. */

export { AGENT_NAMES } from "./agent/agent-command.js";
export {
  type AgentFacts,
  agentFacts,
  agentRow,
  billsWords,
  nextStep,
  stateWords,
} from "./agent/agent-facts.js";
export { notOffered, offered } from "./agent/driver-option.js";
export { logInToAgent } from "./agent/log-in.js";
export { OWN_AGENT } from "./agent/own-agent.js";
export { useDriver } from "./agent/use-driver.js";
export { asOutcome } from "./outcome.js";
export { settingSourceWord } from "./program/setting-source-word.js";
export { savedSentence } from "./session/saved-sentence.js";
export { fetchWatched, openFetched, openStored } from "./sync/open-stored.js";
export { originsOf } from "./sync/origins-of.js";
