/** Describes an MCP server, on one line or in detail. */
import { counted, firstWords, shortCount } from "@bough/session/text/index.js";
import type { ServerFacts } from "./mcp-servers.js";

/** Number of log lines to show. */
const SHOWN_LINES = 40;

/** Such as `connected, 14 tools` or `failed`. */
export function serverState({ state, tools }: ServerFacts): string {
  const word = state.kind === "needs-login" ? "login needed" : state.kind === "idle" ? "not connected" : state.kind;
  return state.kind === "connected" ? `${word}, ${counted(tools.length, "tool", "tools")}` : word;
}

/** State, problems, tools, prompts and resources. */
export function serverDetails(server: ServerFacts): readonly string[] {
  const { name, about, tools, prompts, resources, problems, state, instructions, tokens } = server;
  const line = (title: string, text: string) => `  ${title}${text === "" ? "" : `  ${firstWords(text, 100)}`}`;
  const section = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : [`${title}:`, ...lines]);
  return [
    `${name}: ${serverState(server)}${about === undefined ? "" : ` · ${about.name} ${about.version}`}`,
    ...("reason" in state ? [state.reason, ...(state.hint === undefined ? [] : [state.hint])] : []),
    ...section("Instructions", instructions === "" ? [] : [`  ${firstWords(instructions, 300)}`]),
    ...section(
      `Tools (${shortCount(tokens)} tokens)`,
      tools.map((tool) => line(tool.name, tool.description)),
    ),
    ...section(
      "Prompts",
      prompts.map((prompt) => line(`/${name}:${prompt.name}`, prompt.description)),
    ),
    ...section(
      "Resources",
      resources.map((resource) => line(`@${name}:${resource.uri}`, resource.name)),
    ),
    ...section(
      "Not offered",
      problems.map((problem) => `  ${problem}`),
    ),
  ];
}

/** The latest output. */
export function serverLog({ name, log }: ServerFacts): readonly string[] {
  return log.length === 0
    ? [`${name} has printed no output.`]
    : [`${name}, latest output:`, ...log.slice(-SHOWN_LINES)];
}
