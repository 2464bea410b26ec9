/** The agents that a list or a search can be limited to. */
import { AGENT_NAMES } from "@bough/session/entry/index.js";

/** What Bough's own sessions have in the column of agents. */
export const OWN = "bough";

export const AGENTS = [OWN, ...AGENT_NAMES] as const;
