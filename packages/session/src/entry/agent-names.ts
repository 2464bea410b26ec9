/** The other agents whose sessions can be read and imported. */
export const AGENT_NAMES = ["claude-code", "codex", "opencode", "gemini", "pi"] as const;
export type AgentName = (typeof AGENT_NAMES)[number];

/** The names of the agents in text. */
export const AGENT_TITLES: Readonly<Record<AgentName, string>> = {
  "claude-code": "Claude Code",
  codex: "Codex",
  opencode: "opencode",
  gemini: "Gemini CLI",
  pi: "pi",
};
