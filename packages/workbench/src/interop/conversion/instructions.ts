/** What an agent tells its model in the user's name, as its reader marked it. It means nothing to another agent. */
import { AGENT_NAMES, type AgentName, type CustomMessageEntry, contentText } from "@bough/session/entry/index.js";

interface Marks {
  /** The `customType` its reader gives such texts. */
  readonly type: RegExp;
  /** Which of these texts are instructions. The others report what happened, or say what the person asked for. */
  readonly isInstruction: (text: string) => boolean;
}

/** Texts that Codex adds, and that are part of what happened: a stop, a sub-agent's report, a skill that was called. */
const CODEX_EVENTS = /^<(?:turn_aborted|subagent_notification|skill|hook_prompt|goal_context)\b/;

const MARKS: Readonly<Partial<Record<AgentName, Marks>>> = {
  "claude-code": {
    type: /^claude-code\.(?:meta|system-reminder|local-command-caveat)$/,
    // A command of the person's own is written out in such a record too.
    isInstruction: (text) => /^<(?:system-reminder|local-command-caveat)\b|^Caveat: /.test(text),
  },
  codex: { type: /^codex\.context$/, isInstruction: (text) => !CODEX_EVENTS.test(text) },
  gemini: { type: /^gemini\.context$/, isInstruction: () => true },
  // Files that a prompt mentions are added as well.
  opencode: { type: /^opencode\.synthetic$/, isInstruction: (text) => text.startsWith("<system-reminder>") },
};

/** The agent whose instructions an entry holds; undefined for anything else. Only goes by the marks of readers. */
export function instructedBy({ customType, content }: CustomMessageEntry): AgentName | undefined {
  return AGENT_NAMES.find((agent) => {
    const marks = MARKS[agent];
    return marks?.type.test(customType) === true && marks.isInstruction(contentText(content).trimStart());
  });
}
