/** Recognizes instructions that an agent injected as user messages. They mean nothing to another agent. */
import { AGENT_NAMES, type AgentName, type CustomMessageEntry, contentText } from "@bough/session/entry/index.js";

interface Marks {
  /** The `customType` that the agent's reader gives such texts. */
  readonly type: RegExp;
  /** Which of these texts are instructions. The others report events, or contain what the user asked for. */
  readonly isInstruction: (text: string) => boolean;
}

/** Texts added by Codex that report events: an interruption, a sub-agent's report, a skill that was called. */
const CODEX_EVENTS = /^<(?:turn_aborted|subagent_notification|skill|hook_prompt|goal_context)\b/;

const MARKS: Readonly<Partial<Record<AgentName, Marks>>> = {
  "claude-code": {
    type: /^claude-code\.(?:meta|system-reminder|local-command-caveat)$/,
    // The expansion of a user's own command is recorded in the same way.
    isInstruction: (text) => /^<(?:system-reminder|local-command-caveat)\b|^Caveat: /.test(text),
  },
  codex: { type: /^codex\.context$/, isInstruction: (text) => !CODEX_EVENTS.test(text) },
  gemini: { type: /^gemini\.context$/, isInstruction: () => true },
  // Files mentioned in a prompt are added in the same way.
  opencode: { type: /^opencode\.synthetic$/, isInstruction: (text) => text.startsWith("<system-reminder>") },
};

/** The agent whose instructions an entry holds, judged by the marks of its reader; undefined for anything else. */
export function instructedBy({ customType, content }: CustomMessageEntry): AgentName | undefined {
  return AGENT_NAMES.find((agent) => {
    const marks = MARKS[agent];
    return marks?.type.test(customType) === true && marks.isInstruction(contentText(content).trimStart());
  });
}
