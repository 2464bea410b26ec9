/** The agents that can drive a session by name. Their programs are found on PATH, and never bundled or installed. */

import { type AcpDriverOptions, acpDriver } from "./acp-driver.js";
import type { Driver } from "./driver.js";
import { DriverError } from "./driver-error.js";
import { isSafeToLoad } from "./gemini-minute.js";
import { claudeAsks, opencodeAsks } from "./made-to-ask.js";

export interface KnownAgent extends AcpDriverOptions {
  /** What the user must know before it works here. */
  readonly about: string;
  /** The command that deletes a session, for an agent that cannot do it over the protocol. */
  readonly remove?: (id: string) => readonly string[];
  /** Variables with a key that the agent may bill. */
  readonly keys?: readonly string[];
}

export const KNOWN_AGENTS: readonly KnownAgent[] = [
  {
    name: "claude",
    title: "Claude Code",
    command: ["claude-agent-acp"],
    transcripts: "claude-code",
    asks: "sometimes",
    modes: { plan: "plan", "read-only": "plan", ask: "default" },
    install: "npm install -g @agentclientprotocol/claude-agent-acp (needs Node 22 or newer)",
    login: "claude /login",
    keys: ["ANTHROPIC_API_KEY"],
    toAsk: claudeAsks,
    about: "reads files without asking",
  },
  {
    name: "codex",
    title: "Codex",
    command: ["codex-acp"],
    transcripts: "codex",
    asks: "sometimes",
    // Its own default asks a second model instead of a person.
    modes: { plan: "read-only", "read-only": "read-only", ask: "read-only", edits: "workspace-write" },
    install: "npm install -g @agentclientprotocol/codex-acp",
    login: "codex login",
    keys: ["CODEX_API_KEY", "OPENAI_API_KEY"],
    about: "edits files and runs commands without asking, as its own settings allow",
  },
  {
    name: "opencode",
    title: "opencode",
    command: ["opencode", "acp"],
    transcripts: "opencode",
    asks: "sometimes",
    install: "npm install -g opencode-ai",
    remove: (id) => ["opencode", "session", "delete", id],
    login: "opencode auth login",
    toAsk: opencodeAsks,
    about: "edits files and runs commands without asking, unless its own settings say otherwise",
  },
  {
    name: "gemini",
    title: "Gemini CLI",
    command: ["gemini", "--acp"],
    transcripts: "gemini",
    asks: "sometimes",
    modes: { plan: "plan", "read-only": "plan", ask: "default" },
    install: "npm install -g @google/gemini-cli",
    login: "gemini",
    keys: ["GEMINI_API_KEY"],
    isSafeToLoad,
    about: "reads files without asking",
  },
  {
    name: "pi",
    title: "pi",
    command: ["pi-acp"],
    transcripts: "pi",
    asks: "never",
    install: "npm install -g pi-acp @earendil-works/pi-coding-agent",
    login: "pi",
    about: "edits files and runs commands without asking",
  },
];

/** Throws `unknown-agent`. */
export function knownAgent(name: string): KnownAgent {
  const found = KNOWN_AGENTS.find((agent) => agent.name === name);
  if (found !== undefined) return found;
  throw new DriverError("unknown-agent", `Unknown agent: ${name}`, {
    data: { name },
    hint: `Choose one of: ${KNOWN_AGENTS.map((agent) => agent.name).join(", ")}`,
  });
}

/** The driver for `claude`, `codex`, `opencode`, `gemini` or `pi`. Throws `unknown-agent`. */
export function driverNamed(name: string, options: Pick<AcpDriverOptions, "version"> = {}): Driver {
  return acpDriver({ ...knownAgent(name), ...options });
}
