/**
 * Agents that do something without asking can be made to ask before everything, by means of their own that write none of
 * the user's files. Then the user's rules decide about each call.
 */
import { attempt, isRecord, jsonObject } from "@bough/session/text/index.js";
import type { Rule } from "../tool/index.js";

export interface MadeToAsk {
  readonly env?: NodeJS.ProcessEnv;
  /** Sent with each new or loaded session. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface MakeAsk {
  /** Whether a `deny` rule holds then. */
  readonly holds: (rule: Rule) => boolean;
  readonly start: (place: { readonly env: NodeJS.ProcessEnv }) => MadeToAsk;
}

const CLAUDE_TOOLS = ["Read", "Grep", "Glob", "LS", "Edit", "Write", "NotebookEdit", "Bash", "WebFetch"];

/** `ask` wins over everything that the user's settings allow. */
export const claudeAsks: MakeAsk = {
  holds: isAskable,
  start: () => ({ meta: { claudeCode: { options: { settings: { permissions: { ask: CLAUDE_TOOLS } } } } } }),
};

const OPENCODE_TOOLS = ["read", "grep", "glob", "list", "lsp", "edit", "bash", "webfetch", "external_directory"];

/** Replaces what the user's settings say about these tools. */
export const opencodeAsks: MakeAsk = {
  holds: isAskable,
  start: ({ env }) => {
    const given = attempt(() => jsonObject(env.OPENCODE_PERMISSION ?? ""));
    const asked = Object.fromEntries(OPENCODE_TOOLS.map((tool) => [tool, "ask"]));
    return { env: { ...env, OPENCODE_PERMISSION: JSON.stringify({ ...(isRecord(given) ? given : {}), ...asked }) } };
  },
};

// Gemini CLI has policies, but runs commands of a list of its own without asking, whatever they say.

/**
 * Whether an agent that asks before everything lets Bough apply this rule: what it does is known for files, commands and
 * addresses, but its other tools, and those of its MCP servers, have names of its own.
 */
export function isAskable({ target }: Rule): boolean {
  if (target.kind === "command") return target.outside !== true;
  return target.kind === "path" || target.kind === "host" || (target.kind === "tool" && target.tool === "bash");
}
