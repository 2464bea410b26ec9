/** The agents that a list or a search can be limited to. */
import { AGENT_NAMES } from "@bough/session/entry/index.js";

/** The agent column for Bough's own sessions. */
export const OWN = "bough";

export const AGENTS = [OWN, ...AGENT_NAMES] as const;
