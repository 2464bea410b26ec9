/** The other agents whose sessions are read and imported. */
export const AGENT_NAMES = ["claude-code", "codex", "opencode", "gemini", "pi"] as const;
export type AgentName = (typeof AGENT_NAMES)[number];

/** What the agents are called in text. */
export const AGENT_TITLES: Readonly<Record<AgentName, string>> = {
  "claude-code": "Claude Code",
  codex: "Codex",
  opencode: "opencode",
  gemini: "Gemini CLI",
  pi: "pi",
};
