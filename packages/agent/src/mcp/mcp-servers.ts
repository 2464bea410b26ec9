/** Manages the servers of an agent: connects them in the background, offers their tools to the model, closes them. */
import { closestNames, unlessAborted } from "@bough/session/text/index.js";
import type { Tool } from "../tool/index.js";
import type { ServerQuestions } from "./connection/elicit.js";
import type { ServerPrompt, ServerResource } from "./connection/listed-items.js";
import { openInBrowser } from "./connection/open-in-browser.js";
import { ServerConnection } from "./connection/server-connection.js";
import type { ServerState, TransportPlace } from "./connection/server-state.js";
import { McpError } from "./mcp-error.js";
import { type ResourceText, resourceContent } from "./resource-content.js";
import type { AnnouncedServer } from "./servers-note.js";
import type { ConfiguredServer } from "./settings/configured-servers.js";
import { mcpCallTool, type ResolveTool } from "./tool/call-tool.js";
import {
  DEFAULT_MAX_PERCENT,
  DEFAULT_MAX_TOOLS,
  exposureOf,
  planOffer,
  type ToolExposure,
  tokensOfTools,
} from "./tool/exposure.js";
import type { ServerTool } from "./tool/listed-tools.js";
import { resourceTool } from "./tool/resource-tool.js";
import { searchTool } from "./tool/search-tool.js";
import { serverTool } from "./tool/server-tool.js";
import {
  type ClientAbilities,
  type RememberedServer,
  rememberedServer,
  rememberServer,
  validTools,
} from "./tool/tool-cache.js";
import { MCP_CALL, MCP_RESOURCE, TOOL_SEARCH } from "./tool/tool-names.js";

/** How long a search waits for servers that are still connecting. */
const SEARCH_WAIT_MS = 10_000;

export interface McpServersOptions extends TransportPlace {
  /** If omitted, all questions of servers are declined. */
  readonly questions?: ServerQuestions | undefined;
  /** Version of the program, sent to servers. */
  readonly version?: string;
  readonly servers: readonly ConfiguredServer[];
  /** Filters tools by the name that the model sees. Default: all. */
  readonly takes?: (name: string) => boolean;
  /** Whether to cache tool lists for the next session. Default: true. */
  readonly remember?: boolean;
  /** How long the first step waits for servers with unknown tools. Default: 0. */
  readonly waitMs?: number;
  /** How much of every request tools of servers may take; beyond it, they are searched for. */
  readonly toolSearch?: ToolSearchSettings | undefined;
  readonly openUrl?: (url: string) => void;
}

/** When tools without an own `expose` are found with `tool_search` instead of being in every request. */
export interface ToolSearchSettings {
  /** More tools than this, of all servers together. Default: 40. */
  readonly maxTools?: number | undefined;
  /** Definitions larger than this share of the model's window, in percent. Default: 10. */
  readonly maxPercent?: number | undefined;
}

/** What a path offers so far, as recorded in its session. */
export interface RecordedOffer {
  readonly tools: readonly unknown[];
  readonly search?: boolean;
  readonly resources?: boolean;
  /** Undefined: from a version without search. */
  readonly window?: number | undefined;
}

/** What the next requests have, and what is recorded about it. */
export interface ServerOffer {
  readonly tools: readonly ServerTool[];
  readonly search: boolean;
  readonly resources: boolean;
}

/** A server, for front ends. */
export interface ServerFacts {
  readonly name: string;
  readonly server: ConfiguredServer;
  readonly state: ServerState;
  readonly about: { readonly name: string; readonly version: string } | undefined;
  readonly tools: readonly ServerTool[];
  readonly prompts: readonly ServerPrompt[];
  readonly resources: readonly ServerResource[];
  readonly log: readonly string[];
  /** Sentences on tools that are not offered. */
  readonly problems: readonly string[];
  /** How to use it, in the server's words. */
  readonly instructions: string;
  /** An estimate of what the definitions of all its tools would add to a request. */
  readonly tokens: number;
}

const serversTools = new WeakSet<Tool>();

/** Whether it is one of `ownTools`, which an agent offers only as its session records them. */
export function isServersTool(tool: Tool): boolean {
  return serversTools.has(tool);
}

/** The MCP servers of an agent: `AgentSession.servers`. */
export class McpServers {
  readonly #options: McpServersOptions;
  readonly #connections = new Map<string, ServerConnection>();
  /** What servers said in an earlier session. */
  readonly #remembered = new Map<string, RememberedServer>();
  readonly #abilities: ClientAbilities;
  /** The same array while no list changes, so that an index of it can be kept. */
  #callable: readonly ServerTool[] | undefined;
  /** Tools that the path has recorded; the only ones known of a server that was never connected here. */
  #recorded: readonly ServerTool[] = [];
  readonly #reported = new Map<string, string>();
  readonly #onNotice = new Set<(message: string) => void>();
  readonly #onChange = new Set<() => void>();
  /** Notices from before the first listener. */
  #pendingNotices: string[] = [];
  #started: Promise<unknown> | undefined;
  #waited = false;

  constructor(options: McpServersOptions) {
    this.#options = options;
    this.#abilities = { asks: options.questions !== undefined };
    for (const server of options.servers) this.#open(server);
  }

  #open(server: ConfiguredServer): ServerConnection {
    const { cwd, home, env, version = "0", questions, openUrl = openInBrowser, remember } = this.#options;
    const onChange = () => this.#changed(server.name);
    const place = { cwd, home, env, version, questions, openUrl, onChange };
    const connection = new ServerConnection(server, place);
    this.#connections.set(server.name, connection);
    const known = remember === false ? undefined : rememberedServer(home, server, this.#abilities);
    if (known !== undefined) this.#remembered.set(server.name, known);
    return connection;
  }

  /**
   * Adds a server, and connects it if the others are. One that was added before is replaced; one that was there from
   * the start takes precedence.
   */
  add(server: ConfiguredServer): void {
    if (this.#options.servers.some(({ name }) => name === server.name)) return;
    this.remove(server.name);
    this.#callable = undefined;
    const connection = this.#open(server);
    if (this.#started !== undefined && connection.state.kind !== "disabled") void connection.connect();
    for (const listener of this.#onChange) listener();
  }

  /** Disconnects a server that was added. Its tools are not offered any more. */
  remove(name: string): void {
    const connection = this.#connections.get(name);
    if (connection === undefined || this.#options.servers.some((server) => server.name === name)) return;
    this.#connections.delete(name);
    this.#remembered.delete(name);
    this.#callable = undefined;
    this.#reported.delete(name);
    void connection.close();
    for (const listener of this.#onChange) listener();
  }

  /** Connects to all servers in the background. */
  start(): void {
    if (this.#started !== undefined) return;
    const open = [...this.#connections.values()].filter(({ state }) => state.kind !== "disabled");
    this.#started = Promise.all(open.map((connection) => connection.connect()));
  }

  /**
   * Calls the listener with a sentence, once per server, on what cannot be used and why. Returns a function that
   * unsubscribes.
   */
  onNotice(listener: (message: string) => void): () => void {
    this.#onNotice.add(listener);
    for (const message of this.#pendingNotices.splice(0)) listener(message);
    return () => this.#onNotice.delete(listener);
  }

  /** Calls the listener when a state or list of a server changes. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.#onChange.add(listener);
    return () => this.#onChange.delete(listener);
  }

  list(): readonly ServerFacts[] {
    return [...this.#connections.values()].map(
      ({ server, state, about, tools: live, prompts, resources, log, problems, instructions }) => {
        const remembered = this.#remembered.get(server.name);
        const tools = live ?? remembered?.tools ?? [];
        return {
          name: server.name,
          server,
          state,
          about,
          tools,
          prompts,
          resources,
          log: log.lines,
          problems,
          instructions: live === undefined ? (remembered?.instructions ?? "") : instructions,
          tokens: tokensOfTools(tools),
        };
      },
    );
  }

  /** Waits once, up to `waitMs`, for servers with unknown tools. Never rejects. */
  async settled({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    this.start();
    const { waitMs = 0 } = this.#options;
    if (this.#waited || waitMs === 0) return;
    this.#waited = true;
    await this.#waitFor(this.#unknown(), waitMs, signal);
  }

  /**
   * What to offer on a path. Of a server that is not connected it keeps what is recorded, so that the same path gives the
   * same bytes while the server is unavailable, and tools that are found later never change what comes before them. A
   * tool whose name is in `taken` is not offered, with a notice. `window`: the size of the model's context.
   */
  offer(
    recorded: RecordedOffer,
    { taken = [], window }: { readonly taken?: readonly string[]; readonly window?: number | undefined } = {},
  ): ServerOffer {
    this.#recorded = validTools(recorded.tools, [...this.#connections.keys()]);
    this.#callable = undefined;
    const tools = this.#takenOut(
      this.tools().filter((tool) => this.#isSettled(tool)),
      taken,
    );
    // With another window the provider's cache is lost anyway, and what fitted may not fit now.
    const isSameModel = recorded.window === undefined || recorded.window === window;
    const { maxTools = DEFAULT_MAX_TOOLS, maxPercent = DEFAULT_MAX_PERCENT } = this.#options.toolSearch ?? {};
    const planned = planOffer({
      tools,
      exposure: (tool) => this.#exposureOf(tool),
      sent: new Set(isSameModel ? this.#recorded.map(({ name }) => name) : []),
      isSearched: isSameModel && recorded.search === true,
      budget: { maxTools, maxTokens: window === undefined ? Infinity : (window * maxPercent) / 100 },
    });
    const own = planned.isSearched ? [TOOL_SEARCH, MCP_CALL] : [];
    const clash = own.find((name) => taken.includes(name));
    if (clash !== undefined) {
      const message = `Tools of MCP servers cannot be searched: there is another tool ${clash}. All of them are sent to the model`;
      this.#reportOnce(clash, message);
    }
    const direct = clash === undefined ? planned.direct : tools.filter((tool) => this.#exposureOf(tool) !== "none");
    const search = planned.isSearched && clash === undefined;
    const isSame = JSON.stringify(direct) === JSON.stringify(recorded.tools) && search === (recorded.search === true);
    const isNew = recorded.tools.length === 0 && recorded.search !== true;
    const found = this.#withResources().length > 0 && !taken.includes(MCP_RESOURCE);
    // An offer that does not change otherwise must not change for this.
    const resources = recorded.resources === true ? this.#enabled().length > 0 : found && (isNew || !isSame);
    return { tools: direct, search, resources };
  }

  /** Everything that may be called, in the order in which it is sent: direct, or found with `tool_search`. */
  tools(): readonly ServerTool[] {
    if (this.#callable !== undefined) return this.#callable;
    const { takes = () => true } = this.#options;
    this.#callable = this.#enabled().flatMap((connection) =>
      this.#toolsOf(connection).filter((tool) => takes(tool.name) && this.#exposureOf(tool) !== "none"),
    );
    return this.#callable;
  }

  /** What to tell the model about each server, given what is offered. */
  announced(offered: ServerOffer): readonly AnnouncedServer[] {
    const sent = new Set(offered.tools.map(({ name }) => name));
    const { takes = () => true } = this.#options;
    return this.#enabled().flatMap((connection) => {
      const { name, settings } = connection.server;
      const all = this.#toolsOf(connection);
      // A server whose tools were all turned off is not worth a word.
      if (settings.expose === "none" || (all.length > 0 && !all.some((tool) => takes(tool.name)))) return [];
      const searched = offered.search
        ? this.tools().filter((tool) => tool.server === name && !sent.has(tool.name))
        : [];
      const { tools: live, instructions } = connection;
      const said = live === undefined ? (this.#remembered.get(name)?.instructions ?? "") : instructions;
      return [{ name, description: settings.description, instructions: said, searched }];
    });
  }

  /** Servers that are configured and not disabled. */
  get enabledNames(): readonly string[] {
    return this.#enabled().map(({ server }) => server.name);
  }

  /** The tool as the agent runs it. `schema`: its input is checked here first. */
  tool(listed: ServerTool, checks: "object" | "schema" = "object"): Tool {
    return serverTool(listed, () => this.#connections.get(listed.server), { checks });
  }

  /** The tool with this name for the model, although it is not in its request. */
  callable(name: string): Tool | undefined {
    const listed = this.tools().find((tool) => tool.name === name);
    return listed === undefined ? undefined : this.tool(listed, "schema");
  }

  /** The tools that an offer has besides those of servers. They do not depend on what the servers have. */
  ownTools({ search, resources }: Pick<ServerOffer, "search" | "resources">): readonly Tool[] {
    const ready = (signal: AbortSignal) => this.#ready(signal);
    const tools: Tool[] = [];
    if (search) {
      const servers = () =>
        this.enabledNames.map((name) => ({ name, tools: this.tools().filter((tool) => tool.server === name) }));
      const about = () =>
        new Map(this.#enabled().map(({ server }) => [server.name, server.settings.description ?? ""] as const));
      tools.push(searchTool({ ready, servers, tools: () => this.tools(), about }), mcpCallTool(this.resolve));
    }
    if (resources) {
      const servers = () => this.#withResources().map(({ server, resources }) => ({ name: server.name, resources }));
      tools.push(resourceTool({ ready, servers, read: (name, uri, options) => this.readResource(name, uri, options) }));
    }
    for (const tool of tools) serversTools.add(tool);
    return tools;
  }

  /** The tool that a call names, or a sentence for the model on why there is none. */
  readonly resolve: ResolveTool = (server, tool) => {
    const connection = this.#connections.get(server);
    if (connection === undefined) {
      const names = this.enabledNames;
      return `Unknown MCP server: ${server}. ${names.length === 0 ? "There is none." : `Available: ${names.join(", ")}.`}`;
    }
    if (connection.state.kind === "disabled") return `The MCP server ${server} is disabled.`;
    const isMeant = (one: ServerTool) => one.server === server && (one.tool === tool || one.name === tool);
    const found = this.tools().find(isMeant);
    if (found !== undefined) return found;
    const known = this.#toolsOf(connection);
    if (known.some(isMeant)) return `The tool ${tool} of ${server} is turned off in the settings.`;
    if (connection.tools === undefined && known.length === 0) {
      return `The MCP server ${server} is not connected, so its tools are not known. ${TOOL_SEARCH} waits for it.`;
    }
    const near = closestNames(
      tool,
      this.tools().flatMap((one) => (one.server === server ? [one.tool] : [])),
    );
    const hint =
      near.length === 0 ? `Find tools with ${TOOL_SEARCH}.` : `Did you mean ${near.slice(0, 3).join(" or ")}?`;
    return `The MCP server ${server} has no tool ${tool}. ${hint}`;
  };

  /** Throws `unknown-server`. */
  async reconnect(name: string): Promise<void> {
    this.#reported.delete(name);
    await this.#require(name).reconnect();
  }

  /**
   * Logs in with a browser and connects. `already`: the stored login works, or none is needed. Rejects with an
   * `McpError`.
   */
  async login(
    name: string,
    { signal, onUrl }: { readonly signal: AbortSignal; readonly onUrl: (url: string) => void },
  ): Promise<"done" | "already"> {
    const { server } = this.#require(name);
    const { login } = await import("./oauth/login.js");
    const { cwd, home, env, version = "0", openUrl = openInBrowser } = this.#options;
    const open = (url: string) => {
      onUrl(url);
      openUrl(url);
    };
    const outcome = await login({ server, cwd, home, env, version, signal, open });
    await this.reconnect(name);
    return outcome;
  }

  /** Deletes the login and reconnects without it; false if there was none. */
  async logout(name: string): Promise<boolean> {
    const { server } = this.#require(name);
    const { logout } = await import("./oauth/login.js");
    const loggedOut = logout(server, this.#options);
    if (loggedOut) await this.reconnect(name);
    return loggedOut;
  }

  async setDisabled(name: string, disabled: boolean): Promise<void> {
    const connection = this.#require(name);
    await connection.setDisabled(disabled);
    if (!disabled) void connection.connect();
  }

  /** The text of a resource. Rejects with an `McpError`. */
  async readResource(name: string, uri: string, { signal }: { readonly signal: AbortSignal }): Promise<ResourceText> {
    const connection = this.#require(name);
    try {
      const client = await unlessAborted(connection.client(), signal);
      return resourceContent(await client.readResource({ uri }, { signal }));
    } catch (error) {
      throw connection.requestFailure(error);
    }
  }

  /** The messages of a prompt, joined to one text. Rejects with an `McpError`. */
  async getPrompt(
    name: string,
    prompt: string,
    { args, signal }: { readonly args: Readonly<Record<string, string>>; readonly signal: AbortSignal },
  ): Promise<ResourceText> {
    const connection = this.#require(name);
    try {
      const client = await unlessAborted(connection.client(), signal);
      const { messages } = await client.getPrompt({ name: prompt, arguments: { ...args } }, { signal });
      return resourceContent({ messages });
    } catch (error) {
      throw connection.requestFailure(error);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#connections.values()].map((connection) => connection.close()));
  }

  #enabled(): readonly ServerConnection[] {
    return [...this.#connections.values()].filter(({ state }) => state.kind !== "disabled");
  }

  /** What the server has now; while it was never connected, what the path or an earlier session has. */
  #toolsOf({ server, tools }: ServerConnection): readonly ServerTool[] {
    if (tools !== undefined) return tools;
    const recorded = this.#recorded.filter((tool) => tool.server === server.name);
    const remembered = this.#remembered.get(server.name)?.tools ?? [];
    const names = new Set(recorded.map(({ name }) => name));
    const both = [...recorded, ...remembered.filter(({ name }) => !names.has(name))];
    return both.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Of a server that was never connected here, a path that has its tools gets no others. */
  #isSettled({ server, name }: ServerTool): boolean {
    if (this.#connections.get(server)?.tools !== undefined) return true;
    const recorded = this.#recorded.filter((tool) => tool.server === server);
    return recorded.length === 0 || recorded.some((tool) => tool.name === name);
  }

  #exposureOf({ server, tool }: ServerTool): ToolExposure | undefined {
    return exposureOf(this.#connections.get(server)?.server.settings.expose, tool);
  }

  #takenOut(tools: readonly ServerTool[], taken: readonly string[]): readonly ServerTool[] {
    return tools.filter(({ name, server, tool }) => {
      if (!taken.includes(name)) return true;
      const message = `The tool ${tool} of the MCP server ${server} is not offered: there is another tool ${name}`;
      this.#reportOnce(`${server} ${name}`, message);
      return false;
    });
  }

  #withResources(): readonly ServerConnection[] {
    return this.#enabled().filter(({ server, tools, hasResources }) => {
      if (server.settings.expose === "none") return false;
      return tools === undefined ? this.#remembered.get(server.name)?.hasResources === true : hasResources;
    });
  }

  /** Servers whose tools are not known at all. */
  #unknown(): readonly ServerConnection[] {
    return this.#enabled().filter(({ server, tools }) => tools === undefined && !this.#remembered.has(server.name));
  }

  async #waitFor(servers: readonly ServerConnection[], ms: number, signal: AbortSignal): Promise<void> {
    if (servers.length === 0) return;
    const late = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
    await Promise.all(servers.map((connection) => unlessAborted(connection.connect(), late).catch(() => {})));
  }

  /** Waits for servers that are being connected. Resolves with those that are not connected then. */
  async #ready(signal: AbortSignal): Promise<readonly string[]> {
    this.start();
    await this.#waitFor(
      this.#unknown().filter(({ state }) => state.kind === "connecting" || state.kind === "idle"),
      SEARCH_WAIT_MS,
      signal,
    );
    signal.throwIfAborted();
    return this.#unknown().map(({ server }) => server.name);
  }

  #require(name: string): ServerConnection {
    const found = this.#connections.get(name);
    if (found !== undefined) return found;
    const known = [...this.#connections.keys()];
    throw new McpError("unknown-server", `Unknown MCP server ${name}`, {
      data: { name, known },
      hint: known.length === 0 ? "To add one: bough mcp add" : `Available: ${known.join(", ")}.`,
    });
  }

  #changed(name: string): void {
    const connection = this.#connections.get(name);
    if (connection === undefined) return;
    const { state, tools, problems, server, instructions, hasResources } = connection;
    this.#callable = undefined;
    if (state.kind === "connected") this.#reported.delete(name);
    if (state.kind === "failed" || state.kind === "needs-login") {
      this.#reportOnce(name, state.hint === undefined ? state.reason : `${state.reason}. ${state.hint}`);
    }
    for (const problem of problems) this.#reportOnce(`${name} ${problem}`, `MCP server ${name}: ${problem}`);
    if (state.kind === "connected" && tools !== undefined && this.#options.remember !== false) {
      const abilities = this.#abilities;
      rememberServer(this.#options.home, server, { abilities, tools, instructions, hasResources });
    }
    for (const listener of this.#onChange) listener();
  }

  #reportOnce(about: string, message: string): void {
    if (this.#reported.has(about)) return;
    this.#reported.set(about, message);
    if (this.#onNotice.size === 0) this.#pendingNotices.push(message);
    for (const listener of this.#onNotice) listener(message);
  }
}
