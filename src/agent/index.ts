/** The agent: turns, navigation, summaries, compaction and the other operations. The door of `bough/agent`. */
export * from "./agent-error.js";
export * from "./agent-events.js";
export * from "./agent-parts.js";
