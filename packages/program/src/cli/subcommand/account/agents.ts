/** `bough agents`: which other agents can do the turns of a session here. */
import { firstWords } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import { type AgentFacts, agentFacts, agentRow, billsWords, nextStep, stateWords } from "../../../command/internal.js";
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
  json: '{ "agents": [{ agent, title, command, state: "missing" | "installed" | "ready" | "login" | "failed", path?, version?, reason?, install, login, asks, bills }] }',
  args: { least: 0, most: 0 },
  completes: "none",
};

export async function run({ flags, out, signal, version }: SubcommandCall): Promise<number> {
  const all = await agentFacts({ env: process.env, start: flags.isOn("check"), signal, version });
  if (out.json) await out.values({}, "agents", all.map(agentRow));
  else await out.lines(all.flatMap(lines));
  return 0;
}

/** The longest name, and two spaces. */
const NAME_WIDTH = 10;

function lines(facts: AgentFacts): Line[] {
  const { agent, state } = facts;
  const words = state.kind === "installed" ? firstWords(state.path, 200) : stateWords(state);
  const more = [nextStep(facts), billsWords(facts)].filter((text) => text !== "");
  return [
    [span(agent.name.padEnd(NAME_WIDTH), "strong"), span(words, TONES[state.kind])],
    ...more.map((text): Line => [span(`${" ".repeat(NAME_WIDTH)}${text}`, "muted")]),
  ];
}

const TONES = { missing: "muted", installed: "text", ready: "text", login: "note", failed: "bad" } as const;
