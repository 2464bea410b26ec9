/** Identify the conversation of a sub-agent. */

/** The `customType` of the entry that a sub-agent's conversation starts below. */
export const SUBAGENT_TYPE = "bough.subagent";

/** The `customType` of a sub-agent's prompt, which comes from the main agent instead of the user. */
export const SUBAGENT_PROMPT_TYPE = "subagent.prompt";

/** The `customType` of the entry that says how a sub-agent ended, and of the message that tells another agent. */
export const SUBAGENT_END_TYPE = "bough.subagent_end";
