/** /mcp: the MCP servers, what they have, what they printed, and switching them on and off. */
import { dirname } from "node:path";
import { type McpServers, type ServerFacts, serverDetails, serverLog, serverState } from "@bough/agent/mcp/index.js";
import { changeServer, serversFile } from "@bough/agent/project/internal.js";
import { asNotice, defined, firstWords, withoutControls } from "@bough/session/text/index.js";
import { readArguments, wrongArguments } from "../arguments.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { matching } from "../completions.js";
import { shownOr, unchanged } from "../outcome.js";

const VERBS = ["reconnect", "enable", "disable", "log", "login", "logout"] as const;
/** Changes of the configuration are made in a shell and read at the start. */
const HOW_TO: Readonly<Record<string, { readonly done: string; readonly run: string }>> = {
  add: { done: "added", run: "bough mcp add <name> -- <command>" },
  remove: { done: "removed", run: "bough mcp remove <name>" },
};

type Verb = (typeof VERBS)[number];

export const MCP_COMMAND: Command = {
  name: "mcp",
  group: "program",
  usage: "[name | reconnect|enable|disable|log|login|logout <name>]",
  summary: "Show MCP servers; reconnect, disable or log in to them",
  details:
    "Without arguments, lists the servers with their state. With a name, lists what that server has: tools, prompts and resources. log shows what it printed last. login opens your browser. disable and enable are remembered in your settings, or for a server of a project in those of this checkout. To add a server, run bough mcp add in a shell.",
  unavailable: ({ agent }) =>
    (agent.servers?.list() ?? []).length === 0
      ? {
          message: "No MCP servers are configured.",
          hint: `Add one in a shell, then start Bough again: ${HOW_TO.add?.run}`,
        }
      : undefined,
  complete({ agent }, typed) {
    const servers = agent.servers?.list() ?? [];
    const names = servers.map((server) => ({ value: server.name, description: serverState(server) }));
    if (VERBS.some((verb) => typed.startsWith(`${verb} `))) return matching(names, typed);
    return matching([...names, ...VERBS.map((value) => ({ value }))], typed);
  },
  async run(context, args) {
    const servers = requireServers(context);
    const [wanted = ""] = args.trim().split(/\s+/);
    const how = Object.hasOwn(HOW_TO, wanted) ? HOW_TO[wanted] : undefined;
    if (how !== undefined && !servers.list().some(({ name }) => name === wanted)) {
      const message = `Servers are ${how.done} in a shell. Then start Bough again.`;
      return unchanged({ message, hint: how.run }, "unavailable");
    }
    const { words } = readArguments(args, { most: 2 });
    const [first, name] = words;
    if (first === undefined) return shownOr(context, { screen: "mcp" }, () => listing(servers.list()));
    const verb = VERBS.find((one) => one === first);
    if (verb === undefined) {
      if (name !== undefined) throw wrongArguments(`Expected one of ${VERBS.join(", ")}, or the name of a server`);
      const server = found(servers, first);
      return shownOr(context, { screen: "mcp", name: server.name }, () => details(server));
    }
    if (name === undefined) throw wrongArguments("Expected the name of a server");
    return change(context, verb, found(servers, name));
  },
};

function requireServers({ agent }: CommandContext): McpServers {
  const servers = agent.servers;
  if (servers === undefined) throw new Error("bug: /mcp ran where there are no servers");
  return servers;
}

function found(servers: McpServers, name: string): ServerFacts {
  const all = servers.list();
  const server = all.find((one) => one.name === name);
  if (server !== undefined) return server;
  throw wrongArguments(`Unknown server ${name}`, `Servers: ${all.map((one) => one.name).join(", ")}`);
}

function listing(servers: readonly ServerFacts[]): CommandOutcome {
  const width = Math.max(...servers.map(({ name }) => name.length));
  const lines = servers.flatMap((server) => [
    `  ${server.name.padEnd(width)}  ${serverState(server)}`,
    ...("reason" in server.state ? [`  ${" ".repeat(width)}  ${firstWords(server.state.reason, 300)}`] : []),
  ]);
  return {
    kind: "done",
    message: ["MCP servers:", ...lines].join("\n"),
    hint: "/mcp <name> shows what a server has; /mcp log <name> what it printed.",
    data: { servers: servers.map(dataOf) },
  };
}

function details(server: ServerFacts): CommandOutcome {
  return { kind: "done", message: serverDetails(server).join("\n"), data: dataOf(server) };
}

function dataOf({ name, server, state, about, tools, prompts, resources, problems }: ServerFacts) {
  return {
    name,
    scope: server.source.kind,
    state: state.kind,
    ...("reason" in state ? { reason: state.reason } : {}),
    ...defined({ about }),
    tools: tools.map((tool) => tool.name),
    prompts: prompts.map((prompt) => prompt.name),
    resources: resources.map(({ uri }) => uri),
    problems,
  };
}

async function change(context: CommandContext, verb: Verb, server: ServerFacts): Promise<CommandOutcome> {
  const { name, log } = server;
  const servers = requireServers(context);
  if (verb === "log") return { kind: "done", message: serverLog(server).join("\n"), data: { log } };
  if (verb === "login") return loggedIn(context, servers, name);
  if (verb === "logout") {
    const loggedOut = await servers.logout(name);
    return { kind: "done", message: loggedOut ? `Logged out of ${name}.` : `Not logged in to ${name}.` };
  }
  if (verb === "reconnect") await servers.reconnect(name);
  else {
    keepDisabled(context, server, verb === "disable");
    await servers.setDisabled(name, verb === "disable");
  }
  const now = found(servers, name);
  const { reason, hint } = "reason" in now.state ? now.state : {};
  const said = `${name}: ${verb === "enable" ? "enabled" : serverState(now)}${reason === undefined ? "" : `. ${reason}`}`;
  return { kind: "done", ...asNotice({ message: said, hint }), data: dataOf(now) };
}

async function loggedIn({ front }: CommandContext, servers: McpServers, name: string): Promise<CommandOutcome> {
  const onUrl = (url: string) =>
    front.tell({
      message: "Opening your browser.",
      hint: `If nothing happens, open this address:\n${withoutControls(url)}`,
    });
  const work = (signal: AbortSignal) => servers.login(name, { signal, onUrl });
  const outcome =
    front.watch === undefined
      ? ({ kind: "done", value: await work(new AbortController().signal) } as const)
      : await front.watch({ title: () => `Waiting for the login to ${name}`, stops: "you are not logged in", work });
  if (outcome.kind === "stopped") return unchanged("Login cancelled.");
  const now = found(servers, name);
  const said = outcome.value === "done" ? `Logged in to ${name}` : `${name} needs no login, or you are logged in`;
  return { kind: "done", message: `${said}: ${serverState(now)}`, data: dataOf(now) };
}

/** In the server's own file if it belongs to the user; a project's file is shared. */
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
