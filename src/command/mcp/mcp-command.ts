/** /mcp: the MCP servers, what they have, what they printed, and switching them on and off. */
import { dirname } from "node:path";
import { type McpServers, type ServerFacts, serversOf } from "../../mcp/index.js";
import { changeServer, serversFile } from "../../project/internal.js";
import { counted, firstWords } from "../../text/index.js";
import { readArguments, wrongArguments } from "../arguments.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { matching } from "../completions.js";

const VERBS = ["reconnect", "enable", "disable", "log"] as const;
type Verb = (typeof VERBS)[number];

export const MCP_COMMAND: Command = {
  name: "mcp",
  group: "program",
  usage: "[name | reconnect <name> | enable <name> | disable <name> | log <name>]",
  summary: "Show MCP servers, reconnect, enable or disable them",
  details:
    "Without arguments, lists the servers with their state. With a name, lists what that server has: tools, prompts and resources. log shows what it printed last. disable and enable are remembered in your settings, or for a server of a project in those of this checkout. To add a server: bough mcp add.",
  unavailable: ({ agent }) =>
    serversOf(agent) === undefined ? "No MCP servers are configured. To add one: bough mcp add" : undefined,
  complete({ agent }, typed) {
    const servers = serversOf(agent)?.list() ?? [];
    const names = servers.map((server) => ({ value: server.name, description: stateWords(server) }));
    if (VERBS.some((verb) => typed.startsWith(`${verb} `))) return matching(names, typed);
    return matching([...names, ...VERBS.map((value) => ({ value }))], typed);
  },
  async run(context, args) {
    const { words } = readArguments(args, { most: 2 });
    const servers = requireServers(context);
    const [first, name] = words;
    if (first === undefined) return listing(servers.list());
    const verb = VERBS.find((one) => one === first);
    if (verb === undefined) {
      if (name !== undefined) throw wrongArguments(`Expected one of ${VERBS.join(", ")}, or the name of a server`);
      return details(found(servers, first));
    }
    if (name === undefined) throw wrongArguments("Expected the name of a server");
    return change(context, verb, found(servers, name));
  },
};

function requireServers({ agent }: CommandContext): McpServers {
  const servers = serversOf(agent);
  if (servers === undefined) throw new Error("bug: /mcp ran where there are no servers");
  return servers;
}

function found(servers: McpServers, name: string): ServerFacts {
  const all = servers.list();
  const server = all.find((one) => one.name === name);
  if (server !== undefined) return server;
  throw wrongArguments(`Unknown server ${name}. Servers: ${all.map((one) => one.name).join(", ")}`);
}

/** `connected, 14 tools`; `failed`. */
function stateWords({ state, tools }: ServerFacts): string {
  const word = state.kind === "needs-login" ? "login needed" : state.kind === "idle" ? "not connected" : state.kind;
  return state.kind === "connected" ? `${word}, ${counted(tools.length, "tool", "tools")}` : word;
}

function listing(servers: readonly ServerFacts[]): CommandOutcome {
  const width = Math.max(...servers.map(({ name }) => name.length));
  const lines = servers.flatMap((server) => [
    `  ${server.name.padEnd(width)}  ${stateWords(server)}`,
    ...("reason" in server.state ? [`  ${" ".repeat(width)}  ${firstWords(server.state.reason, 300)}`] : []),
  ]);
  const help = "/mcp <name> shows what a server has; /mcp log <name> what it printed.";
  return { kind: "done", message: ["MCP servers:", ...lines, help].join("\n"), data: { servers: servers.map(dataOf) } };
}

function details(server: ServerFacts): CommandOutcome {
  const { name, about, tools, prompts, resources, problems, state } = server;
  const line = (title: string, text: string) => `  ${title}${text === "" ? "" : `  ${firstWords(text, 100)}`}`;
  const section = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : [`${title}:`, ...lines]);
  const message = [
    `${name}: ${stateWords(server)}${about === undefined ? "" : ` · ${about.name} ${about.version}`}`,
    ...("reason" in state ? [state.reason, ...(state.hint === undefined ? [] : [state.hint])] : []),
    ...section(
      "Tools",
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
  ].join("\n");
  return { kind: "done", message, data: dataOf(server) };
}

function dataOf({ name, server, state, about, tools, prompts, resources, problems }: ServerFacts) {
  return {
    name,
    scope: server.source.kind,
    state: state.kind,
    ...("reason" in state ? { reason: state.reason } : {}),
    ...(about === undefined ? {} : { about }),
    tools: tools.map((tool) => tool.name),
    prompts: prompts.map((prompt) => prompt.name),
    resources: resources.map(({ uri }) => uri),
    problems,
  };
}

async function change(context: CommandContext, verb: Verb, server: ServerFacts): Promise<CommandOutcome> {
  const { name, log } = server;
  const servers = requireServers(context);
  if (verb === "log") {
    const message =
      log.length === 0 ? `${name} has printed nothing.` : [`${name} printed last:`, ...log.slice(-40)].join("\n");
    return { kind: "done", message, data: { log } };
  }
  if (verb === "reconnect") await servers.reconnect(name);
  else {
    keepDisabled(context, server, verb === "disable");
    await servers.setDisabled(name, verb === "disable");
  }
  const now = found(servers, name);
  const reason = "reason" in now.state ? `. ${now.state.reason}` : "";
  const said = verb === "enable" ? "enabled" : stateWords(now);
  return { kind: "done", message: `${name}: ${said}${reason}`, data: dataOf(now) };
}

/** In the file the server is in if that is the user's own; a project's file is everybody's. */
function keepDisabled({ cwd, home }: CommandContext, { name, server }: ServerFacts, disabled: boolean): void {
  const { kind, file } = server.source;
  if (kind === "program" || file === undefined) return;
  const isOwn = kind !== "project";
  const target = isOwn ? file : serversFile("local", { cwd, home });
  changeServer({
    file: target,
    within: kind === "user" ? dirname(target) : cwd,
    name,
    change: ({ disabled: _, ...before } = {}) => (disabled || !isOwn ? { ...before, disabled } : before),
  });
}
