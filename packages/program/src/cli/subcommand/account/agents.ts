/** `bough agents`: which other agents can do the turns of a session here. */
import { KNOWN_AGENTS, type KnownAgent } from "@bough/agent/driver/index.js";
import { type AgentState, agentState } from "@bough/agent/driver/internal.js";
import { firstWords } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";

export const row: SubcommandRow = {
  name: "agents",
  usage: "",
  summary: "List other agents that can do the turns, and how to get them",
  details:
    "Looks for the programs of Claude Code, Codex, opencode, Gemini CLI and pi on PATH; bough --agent <name> uses them. Starts none of them without --check, which starts each one that is installed and asks it for an empty session. Installs nothing, and reads no logins. See docs/agents.md.",
  flags: { check: { help: "start each installed agent, to see its version and whether it needs a login" } },
  examples: [
    ["agents", "which are installed"],
    ["agents --check", "which of them start, and which need a login"],
  ],
  json: '{ "agents": [{ agent, title, command, state: "missing" | "installed" | "ready" | "login" | "failed", path?, version?, reason?, install, login, asks }] }',
  args: { least: 0, most: 0 },
  completes: "none",
};

export async function run({ flags, out, signal, version }: SubcommandCall): Promise<number> {
  const start = flags.isOn("check");
  const states = await Promise.all(
    KNOWN_AGENTS.map(async (agent) => ({
      agent,
      state: await agentState(agent, { env: process.env, start, signal, version }),
    })),
  );
  if (out.json) await out.values({}, "agents", states.map(jsonRow));
  else await out.lines(states.flatMap(({ agent, state }) => lines(agent, state)));
  return 0;
}

interface Known {
  readonly agent: KnownAgent;
  readonly state: AgentState;
}

function jsonRow({ agent, state: { kind, ...facts } }: Known): Readonly<Record<string, unknown>> {
  const { name, title, command, install, login, asks } = agent;
  return { agent: name, title, command, state: kind, ...facts, install, login, asks };
}

/** The longest name, and two spaces. */
const NAME_WIDTH = 10;

function lines({ name, title, about, install = "", login = "" }: KnownAgent, state: AgentState): Line[] {
  const start = span(name.padEnd(NAME_WIDTH), "strong");
  const more = (text: string): Line => [span(`${" ".repeat(NAME_WIDTH)}${text}`, "muted")];
  switch (state.kind) {
    case "missing":
      return [[start, span("not installed", "muted")], more(install)];
    case "installed":
      return [[start, span(firstWords(state.path, 200))], more(`${title} ${about}`)];
    case "ready":
      return [[start, span(`ready${versionOf(state)}`)], more(`${title} ${about}`)];
    case "login":
      return [[start, span(`not logged in${versionOf(state)}`, "note")], more(`Log in with: ${login}`)];
    case "failed":
      return [[start, span(firstWords(state.reason, 200), "bad")], more(firstWords(state.path, 200))];
  }
}

function versionOf({ version }: { readonly version: string | undefined }): string {
  return version === undefined ? "" : `, version ${firstWords(version, 40)}`;
}
