/** MCP servers as list rows: name, state, tools, owner. */
import type { ServerFacts, ServerState } from "@bough/agent/mcp/index.js";
import { counted, firstWords } from "@bough/session/text/index.js";
import { span, type Tone } from "@bough/session/view/index.js";
import {
  type Column,
  type DrawnList,
  type Hint,
  type LayoutOptions,
  tableScreen,
} from "@bough/session/view/internal.js";
import type { ListView } from "../list/list-content.js";

const WORDS: Readonly<Record<ServerState["kind"], readonly [word: string, tone: Tone]>> = {
  idle: ["not connected", "muted"],
  connecting: ["connecting", "note"],
  connected: ["connected", "good"],
  disabled: ["disabled", "muted"],
  failed: ["failed", "bad"],
  "needs-login": ["login needed", "note"],
};

export function layoutServers(view: ListView, servers: readonly ServerFacts[], options: LayoutOptions): DrawnList {
  const chosen = servers[view.selected];
  const connected = servers.filter(({ state }) => state.kind === "connected").length;
  const reason = chosen !== undefined && "reason" in chosen.state ? chosen.state.reason : undefined;
  return tableScreen(
    {
      head: { title: "MCP servers", facts: [`${connected} of ${servers.length} connected`] },
      columns: columnsAt(servers),
      rows: servers,
      notes: reason === undefined ? [] : [[span(` ${firstWords(reason, 300)}`, "muted")]],
      hints: hints(chosen, options),
    },
    view,
    options,
  );
}

function columnsAt(servers: readonly ServerFacts[]): readonly Column<ServerFacts>[] {
  // Keeps the columns together in a wide window.
  const longest = Math.max(0, ...servers.map(({ name }) => name.length));
  return [
    {
      least: 4,
      most: longest + 3,
      text: ({ name }) => firstWords(name, 100),
      tone: ({ state }) => (state.kind === "disabled" ? "muted" : "text"),
    },
    { width: 15, text: ({ state }) => WORDS[state.kind][0], tone: ({ state }) => WORDS[state.kind][1] },
    { from: 60, width: 11, align: "right", text: toolsOf },
    { from: 70, width: 10, align: "right", text: ({ server }) => server.source.kind },
  ];
}

/** Tools of an unreachable server are from an earlier session. */
function toolsOf({ tools, state }: ServerFacts): string {
  return state.kind === "disabled" || tools.length === 0 ? "" : counted(tools.length, "tool", "tools");
}

function hints(server: ServerFacts | undefined, { hint }: LayoutOptions): readonly Hint[] {
  const needsLogin = server?.state.kind === "needs-login";
  return [
    { keys: hint("mcp.enter"), text: "tools", keep: true },
    ...(needsLogin ? [{ keys: hint("mcp.login"), text: "log in", keep: true as const }] : []),
    { keys: hint("mcp.log"), text: "log", priority: 4 },
    { keys: hint("mcp.reconnect"), text: "reconnect", priority: 2 },
    { keys: hint("mcp.disable"), text: server?.state.kind === "disabled" ? "enable" : "disable", priority: 1 },
    { keys: hint("mcp.help"), text: "keys", priority: 3 },
    { keys: hint("mcp.close"), text: "close" },
  ];
}
