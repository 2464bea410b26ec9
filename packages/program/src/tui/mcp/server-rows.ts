/** MCP servers as list rows: name, state, tools, owner. */
import type { ServerFacts, ServerState } from "@bough/agent/mcp/index.js";
import { counted, firstWords } from "@bough/session/text/index.js";
import { type Line, span, type Tone } from "@bough/session/view/index.js";
import {
  type DrawnList,
  fitLine,
  frameList,
  hintLine,
  type LayoutOptions,
  markCell,
  rule,
  tableRow,
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
const STATE = 15;

export function layoutServers(view: ListView, servers: readonly ServerFacts[], options: LayoutOptions): DrawnList {
  const { width, glyphs } = options;
  const { selected } = view;
  const chosen = servers[selected];
  const longest = Math.max(0, ...servers.map(({ name }) => name.length));
  const connected = servers.filter(({ state }) => state.kind === "connected").length;
  const title = [span(" MCP servers", "strong"), span(` ${glyphs.dot} ${connected} of ${servers.length} connected`)];
  const reason = chosen !== undefined && "reason" in chosen.state ? chosen.state.reason : undefined;
  const foot = view.message ?? hints(chosen, { view, count: servers.length }, options);
  return frameList(
    {
      head: [fitLine(title, [], width, glyphs.ellipsis), rule(width, glyphs)],
      foot: reason === undefined ? [foot] : [[span(` ${firstWords(reason, 300)}`, "muted")], foot],
      count: servers.length,
      selected,
      top: view.top,
      row: (index) => rowLine(servers[index] as ServerFacts, { options, selected: index === selected, longest }),
    },
    options,
  );
}

interface RowPlace {
  readonly options: LayoutOptions;
  readonly selected: boolean;
  /** Characters of the longest name: the columns stay next to each other in a wide window. */
  readonly longest: number;
}

function rowLine(server: ServerFacts, at: RowPlace): Line {
  const { width, glyphs } = at.options;
  const tools = width >= 60 ? 11 : 0;
  const source = width >= 70 ? 10 : 0;
  const [word, tone] = WORDS[server.state.kind];
  const name = Math.max(4, Math.min(at.longest + 3, width - 3 - STATE - tools - source));
  return tableRow(
    [
      markCell({ selected: at.selected, here: false }, glyphs),
      { text: firstWords(server.name, 100), width: name, tone: server.state.kind === "disabled" ? "muted" : "text" },
      { text: word, width: STATE, tone },
      { text: toolsOf(server), width: tools, align: "right", tone: "muted" },
      { text: server.server.source.kind, width: source, align: "right", tone: "muted" },
    ],
    glyphs.ellipsis,
  );
}

/** Those of an unreachable server are from an earlier session. */
function toolsOf({ tools, state }: ServerFacts): string {
  return state.kind === "disabled" || tools.length === 0 ? "" : counted(tools.length, "tool", "tools");
}

function hints(
  server: ServerFacts | undefined,
  { view, count }: { readonly view: ListView; readonly count: number },
  { width, hint }: LayoutOptions,
): Line {
  const needsLogin = server?.state.kind === "needs-login";
  return hintLine(
    [
      { keys: hint("mcp.enter"), text: "tools", keep: true },
      ...(needsLogin ? [{ keys: hint("mcp.login"), text: "log in", keep: true as const }] : []),
      { keys: hint("mcp.log"), text: "log", priority: 4 },
      { keys: hint("mcp.reconnect"), text: "reconnect", priority: 2 },
      { keys: hint("mcp.disable"), text: server?.state.kind === "disabled" ? "enable" : "disable", priority: 1 },
      { keys: hint("mcp.help"), text: "keys", priority: 3 },
      { keys: hint("mcp.close"), text: "close" },
    ],
    width,
    width < 60 ? "" : `${view.selected + 1} of ${count}`,
  );
}
