/** Manages the servers of an agent: connects them in the background, offers their tools to the model, closes them. */
import type { Tool } from "../tool/index.js";
import type { ServerQuestions } from "./connection/elicit.js";
import type { ServerPrompt, ServerResource } from "./connection/listed-items.js";
import { openInBrowser } from "./connection/open-in-browser.js";
import { ServerConnection } from "./connection/server-connection.js";
import type { ServerState, TransportPlace } from "./connection/server-state.js";
import { McpError } from "./mcp-error.js";
import { type ResourceText, resourceContent } from "./resource-content.js";
import type { ConfiguredServer } from "./settings/configured-servers.js";
import type { ServerTool } from "./tool/listed-tools.js";
import { serverTool, unlessAborted } from "./tool/server-tool.js";
import { rememberedTools, rememberTools, validTools } from "./tool/tool-cache.js";

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
  readonly openUrl?: (url: string) => void;
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
}

/** The MCP servers of an agent: `AgentSession.servers`. */
export class McpServers {
  readonly #options: McpServersOptions;
  readonly #connections = new Map<string, ServerConnection>();
  /** Tools that servers had in an earlier session. */
  readonly #remembered = new Map<string, readonly ServerTool[]>();
  readonly #reported = new Map<string, string>();
  readonly #onNotice = new Set<(message: string) => void>();
  readonly #onChange = new Set<() => void>();
  /** Notices from before the first listener. */
  #pendingNotices: string[] = [];
  #started: Promise<unknown> | undefined;
  #waited = false;

  constructor(options: McpServersOptions) {
    this.#options = options;
    for (const server of options.servers) this.#open(server);
  }

  #open(server: ConfiguredServer): ServerConnection {
    const { cwd, home, env, version = "0", questions, openUrl = openInBrowser, remember } = this.#options;
    const onChange = () => this.#changed(server.name);
    const place = { cwd, home, env, version, questions, openUrl, onChange };
    const connection = new ServerConnection(server, place);
    this.#connections.set(server.name, connection);
    const known = remember === false ? undefined : rememberedTools(home, server);
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
      ({ server, state, about, tools, prompts, resources, log, problems }) => ({
        name: server.name,
        server,
        state,
        about,
        tools: tools ?? this.#remembered.get(server.name) ?? [],
        prompts,
        resources,
        log: log.lines,
        problems,
      }),
    );
  }

  /** Waits once, up to `waitMs`, for servers with unknown tools. Never rejects. */
  async settled({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    this.start();
    const { waitMs = 0 } = this.#options;
    const isKnown = ({ server, tools, state }: ServerConnection) =>
      state.kind === "disabled" || tools !== undefined || this.#remembered.has(server.name);
    if (this.#waited || waitMs === 0) return;
    this.#waited = true;
    const unknown = [...this.#connections.values()].filter((connection) => !isKnown(connection));
    const late = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
    await Promise.all(unknown.map((connection) => unlessAborted(connection.connect(), late).catch(() => {})));
  }

  /**
   * The tools to offer. A server that is not connected keeps the tools recorded on the path, so that the same path
   * gives the same bytes while the server is unavailable. A tool whose name is in `taken` is not offered, with a
   * notice.
   */
  offered(recorded: readonly unknown[], taken: readonly string[]): readonly ServerTool[] {
    const { takes = () => true } = this.#options;
    const names = [...this.#connections.keys()];
    const before = validTools(recorded, names);
    const tools: ServerTool[] = [];
    for (const [server, { state, tools: live }] of this.#connections) {
      if (state.kind === "disabled") continue;
      const recordedTools = before.filter((tool) => tool.server === server);
      const known = live ?? (recordedTools.length > 0 ? recordedTools : this.#remembered.get(server)) ?? [];
      for (const tool of known) {
        if (!takes(tool.name)) continue;
        if (taken.includes(tool.name)) {
          const message = `The tool ${tool.tool} of the MCP server ${server} is not offered: there is another tool ${tool.name}`;
          this.#reportOnce(`${server} ${tool.name}`, message);
        } else tools.push(tool);
      }
    }
    return tools;
  }

  tool(listed: ServerTool): Tool {
    return serverTool(listed, () => this.#connections.get(listed.server));
  }

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
    const { state, tools, problems, server } = connection;
    if (state.kind === "connected") this.#reported.delete(name);
    if (state.kind === "failed" || state.kind === "needs-login") {
      this.#reportOnce(name, state.hint === undefined ? state.reason : `${state.reason}. ${state.hint}`);
    }
    for (const problem of problems) this.#reportOnce(`${name} ${problem}`, `MCP server ${name}: ${problem}`);
    if (state.kind === "connected" && tools !== undefined && this.#options.remember !== false) {
      rememberTools(this.#options.home, server, tools);
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
