/** What a sub-agent's conversation is told by. */

/** The `customType` of the entry a sub-agent's conversation hangs below. */
export const SUBAGENT_TYPE = "bough.subagent";

/** The `customType` of what a sub-agent was told: the main agent's words, instead of the user's. */
export const SUBAGENT_PROMPT_TYPE = "subagent.prompt";
