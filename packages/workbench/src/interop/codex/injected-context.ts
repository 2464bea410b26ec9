/** Recognizes user messages that no user typed, but Codex itself sends to the model. */
import type { BashExecutionMessage } from "@bough/session/entry/index.js";

/** Openings of injected texts, taken from Codex's source. */
const OPENINGS: readonly string[] = [
  ...["<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<permissions instructions>"],
  ...["<collaboration_mode>", "<skill>", "<skills_instructions>", "<turn_aborted>", "<personality_spec>"],
  ...["<model_switch>", "<subagent_notification>", "<apps_instructions>", "<INSTRUCTIONS>", "<realtime_conversation>"],
  ...["<hook_prompt", "<plugins_instructions>", "<goal_context>"],
];

export function isInjected(text: string): boolean {
  const start = text.trimStart();
  return OPENINGS.some((opening) => start.startsWith(opening));
}

/** The working directory, which the oldest format only mentions in text. */
export function cwdInContext(text: string): string | undefined {
  const match = /<cwd>([^<\n]+)<\/cwd>|^Current working directory: (.+)$/m.exec(text);
  return (match?.[1] ?? match?.[2])?.trim();
}

const SHELL =
  /^<user_shell_command>\s*<command>\n?([\s\S]*?)\n?<\/command>\s*<result>\n?([\s\S]*?)\n?<\/result>\s*<\/user_shell_command>\s*$/;

export function isShell(text: string): boolean {
  return text.trimStart().startsWith("<user_shell_command>");
}

/** A command that the user ran from the editor; undefined for any other text. */
export function shellCommandIn(text: string, timestamp: number): BashExecutionMessage | undefined {
  const match = SHELL.exec(text.trim());
  if (match === null) return undefined;
  const result = match[2] ?? "";
  const exit = /^Exit code: (-?\d+)$/m.exec(result)?.[1];
  const at = result.indexOf("Output:\n");
  return {
    role: "bashExecution",
    command: match[1] ?? "",
    output: at < 0 ? result : result.slice(at + "Output:\n".length),
    ...(exit === undefined ? {} : { exitCode: Number(exit) }),
    cancelled: false,
    truncated: false,
    timestamp,
  };
}
