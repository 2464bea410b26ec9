/** /mcp: the MCP servers, their tools and logs; reconnect, disable, log in. */

import { type McpServers, type ServerFacts, serverDetails, serverLog } from "@bough/agent/mcp/index.js";
import { shellWord } from "@bough/session/text/index.js";
import { runCommandLine, showOutcome } from "../../command/index.js";
import type { Screen, ScreenApp } from "../app/screen.js";
import { bindKeys, keyOnRow, type ScreenKeys } from "../keys/key-table.js";
import { listEnds, listMoves } from "../list/list-moves.js";
import { ListPanel } from "../list/list-panel.js";
import { Pager, textLines } from "../list/pager.js";
import { layoutServers } from "./server-rows.js";

export const openMcp: Screen<"mcp"> = async (app, { name }) => {
  const servers = app.context.agent.servers;
  if (servers === undefined) return;
  await app.host.open<undefined>((done) => {
    const screen = new McpScreen(app, servers, () => done(undefined));
    if (name !== undefined) queueMicrotask(() => screen.show(name, serverDetails));
    return screen.panel;
  });
};

/** Logs grow without an event, so poll. */
const LOOK_AGAIN_MS = 1000;

class McpScreen {
  readonly panel: ListPanel;
  readonly #app: ScreenApp;
  readonly #servers: McpServers;

  constructor(app: ScreenApp, servers: McpServers, close: () => void) {
    this.#app = app;
    this.#servers = servers;
    const unsubscribe = servers.onChange(() => app.host.redraw());
    this.panel = new ListPanel(app.host, {
      name: "mcp",
      typing: "asked",
      count: () => servers.list().length,
      layout: (view, options) => layoutServers(view, servers.list(), options),
      keys: bindKeys(MCP_KEYS, this),
      close,
      dispose: unsubscribe,
    });
  }

  get row(): ServerFacts | undefined {
    return this.#servers.list()[this.panel.selected];
  }

  /** A server's details, kept current. */
  show(name: string, text: (server: ServerFacts) => readonly string[]): void {
    const { host } = this.#app;
    const all = this.#servers.list();
    this.panel.select(all.findIndex((server) => server.name === name));
    const now = () => {
      const server = this.#servers.list().find((one) => one.name === name);
      return server === undefined ? "" : text(server).join("\n");
    };
    void host.open<undefined>((done) => {
      let shown = now();
      const pager: Pager = new Pager(
        host,
        {
          name: "mcp-server",
          title: `MCP server ${name}`,
          lines: (width) => textLines(shown, width),
          text: () => shown,
          dispose: () => {
            clearInterval(looking);
            unsubscribe();
          },
        },
        () => done(undefined),
      );
      const look = () => {
        if (shown === now()) return;
        shown = now();
        pager.changed();
      };
      const unsubscribe = this.#servers.onChange(look);
      const looking = setInterval(look, LOOK_AGAIN_MS);
      looking.unref();
      return pager;
    });
  }

  /** Like the command; the list stays open and shows the new state. */
  async change(verb: "reconnect" | "enable" | "disable" | "login" | "logout", { name }: ServerFacts): Promise<void> {
    const { context } = this.#app;
    showOutcome(context.front, await runCommandLine(context, `/mcp ${verb} ${shellWord(name)}`));
  }
}

const onRow = keyOnRow(
  ({ row }: McpScreen) => row,
  () => "No server is selected.",
);

function overHttp({ server }: ServerFacts): string | undefined {
  return server.settings.url === undefined ? "Only servers over HTTP have logins." : undefined;
}

function isDisabled({ name, state }: ServerFacts): string | undefined {
  return state.kind === "disabled" ? `${name} is disabled.` : undefined;
}

/** The keys of the list of MCP servers. */
export const MCP_KEYS: ScreenKeys<McpScreen> = {
  title: "MCP servers",
  actions: [
    ...listMoves({ scope: "mcp", thing: "server", kind: "letters" }),
    onRow("mcp.enter", ["enter"], "show its tools, prompts and resources", (screen, { name }) =>
      screen.show(name, serverDetails),
    ),
    onRow("mcp.log", ["l"], "show what it printed last", (screen, { name }) => screen.show(name, serverLog)),
    onRow("mcp.reconnect", ["r"], "connect again", {
      run: (screen, row) => void screen.change("reconnect", row),
      disabled: (_, row) => isDisabled(row),
    }),
    onRow("mcp.disable", ["d"], "disable or enable it", (screen, row) => {
      void screen.change(row.state.kind === "disabled" ? "enable" : "disable", row);
    }),
    onRow("mcp.login", ["i"], "log in with your browser", {
      run: (screen, row) => void screen.change("login", row),
      disabled: (_, row) => overHttp(row) ?? isDisabled(row),
    }),
    onRow("mcp.logout", ["o"], "log out", {
      run: (screen, row) => void screen.change("logout", row),
      disabled: (_, row) => overHttp(row),
    }),
    ...listEnds("mcp", "letters"),
  ],
};
