/** The connection to one server: connects in the background, lists, calls, and reconnects on demand after it ended. */
import { pathToFileURL } from "node:url";
import { errorText, isRecord, withoutControls } from "@bough/session/text/index.js";
import type { Client } from "@modelcontextprotocol/client";
import { z } from "zod";
import { McpError } from "../mcp-error.js";
import type { ConfiguredServer } from "../settings/configured-servers.js";
import { listedTools, type ServerTool } from "../tool/listed-tools.js";
import { elicit, type ServerQuestions } from "./elicit.js";
import {
  cleanInstructions,
  listedPrompts,
  listedResources,
  type ServerPrompt,
  type ServerResource,
} from "./listed-items.js";
import { withLoggedConsole } from "./logged-console.js";
import { type OpenedTransport, openTransport } from "./open-transport.js";
import { ServerLog } from "./server-log.js";
import type { ServerState, TransportPlace } from "./server-state.js";

export interface ConnectionPlace extends TransportPlace {
  readonly version: string;
  /** If omitted, all questions of servers are declined. */
  readonly questions?: ServerQuestions | undefined;
  readonly openUrl: (url: string) => void;
  /** Called when the state or a list of the server changes. */
  readonly onChange: () => void;
}

const START_MS = 30_000;
/** The longest possible timer: Node.js fires longer ones at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const MOST_PAGES = 200;
const MOST_LISTED = 20_000;

export class ServerConnection {
  readonly server: ConfiguredServer;
  readonly log = new ServerLog();
  readonly #place: ConnectionPlace;
  #state: ServerState;
  #connecting: Promise<Client> | undefined;
  /** The current attempt to connect, to detect that one was replaced or stopped. */
  #attempt: symbol | undefined;
  #client: Client | undefined;
  #opened: OpenedTransport | undefined;
  #tools: readonly ServerTool[] | undefined;
  #problems: readonly string[] = [];
  #prompts: readonly ServerPrompt[] = [];
  #resources: readonly ServerResource[] = [];
  #about: { readonly name: string; readonly version: string } | undefined;
  #instructions = "";
  #hasResources = false;
  #closed = false;
  /** Functions that pause the time limits of running calls while the user is asked. */
  readonly #holds = new Set<() => () => void>();

  constructor(server: ConfiguredServer, place: ConnectionPlace) {
    this.server = server;
    this.#place = place;
    this.#state = { kind: server.settings.disabled === true ? "disabled" : "idle" };
  }

  get state(): ServerState {
    return this.#state;
  }

  /** Undefined until the server has listed them once; kept after it ends. */
  get tools(): readonly ServerTool[] | undefined {
    return this.#tools;
  }

  /** Sentences on tools that are not offered. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  get prompts(): readonly ServerPrompt[] {
    return this.#prompts;
  }

  get resources(): readonly ServerResource[] {
    return this.#resources;
  }

  /** Name and version reported by the server. */
  get about(): { readonly name: string; readonly version: string } | undefined {
    return this.#about;
  }

  /** How to use it, in the server's words; empty if it says nothing. */
  get instructions(): string {
    return this.#instructions;
  }

  /** The server has resources, or may have some later. */
  get hasResources(): boolean {
    return this.#hasResources;
  }

  /** Never rejects; a failure becomes the state. */
  async connect(): Promise<void> {
    await this.client().catch(() => {});
  }

  /** The client, after connecting if necessary. Rejects with `server-disabled`, `login-needed` or `server-failed`. */
  client(): Promise<Client> {
    const { name } = this.server;
    if (this.#state.kind === "disabled") {
      return Promise.reject(new McpError("server-disabled", `The MCP server ${name} is disabled`, { data: { name } }));
    }
    if (this.#closed) return Promise.reject(this.#failure("it was stopped"));
    this.#connecting ??= withLoggedConsole(this.log, () => this.#connect());
    return this.#connecting;
  }

  /** Closes the connection and opens a new one. */
  async reconnect(): Promise<void> {
    await this.#end();
    this.#closed = false;
    if (this.#state.kind !== "disabled") await this.connect();
  }

  async setDisabled(disabled: boolean): Promise<void> {
    // Set first, so that callers waiting for the connection that ends now do not open another one.
    if (disabled) this.#state = { kind: "disabled" };
    await this.#end();
    this.#closed = false;
    this.#set({ kind: disabled ? "disabled" : "idle" });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#end();
  }

  /** While `work` runs, questions of the server pause its time limit. */
  async holding<Result>(hold: (() => () => void) | undefined, work: () => Promise<Result>): Promise<Result> {
    if (hold === undefined) return work();
    this.#holds.add(hold);
    try {
      return await work();
    } finally {
      this.#holds.delete(hold);
    }
  }

  /** Converts the failure of a request to an error with a code; the server may have ended. */
  requestFailure(error: unknown): McpError {
    if (error instanceof McpError) return error;
    const ended = this.#opened?.ended();
    if (ended !== undefined) return this.#failure(ended);
    const { name, settings } = this.server;
    const status = (error as { readonly status?: unknown } | null)?.status;
    if (settings.url !== undefined && (status === 404 || status === 400)) {
      // A restarted server does not know its old sessions: let the next call open a new one.
      void this.#end();
      const message = `The MCP server ${name} does not recognize this session (${status}), probably after a restart. The next call reconnects`;
      return new McpError("call-failed", message, { data: { name }, cause: error });
    }
    // Do not show a list of schema issues.
    const isInvalid =
      (error as { name?: unknown } | null)?.name === "ZodError" || /"code": "invalid_/.test(errorText(error));
    const message = isInvalid
      ? `The MCP server ${name} sent an invalid response`
      : withoutControls(withCause(error)).slice(0, 2_000);
    return new McpError("call-failed", message, { data: { name }, cause: error });
  }

  /** An attempt that was replaced does not change the state, and returns the result of its replacement. */
  async #connect(): Promise<Client> {
    const { name, settings } = this.server;
    const attempt = Symbol("attempt");
    this.#attempt = attempt;
    const checkCurrent = () => {
      if (this.#attempt !== attempt) throw new Error("replaced");
    };
    let opened: OpenedTransport | undefined;
    this.#set({ kind: "connecting" });
    try {
      const { Client } = await import("@modelcontextprotocol/client");
      const { version, cwd, env, home } = this.#place;
      opened = await openTransport({ name, settings, log: this.log, cwd, env, home });
      checkCurrent();
      this.#opened = opened;
      const client = new Client(
        { name: "bough", version },
        {
          capabilities: { roots: {}, ...(this.#place.questions && { elicitation: { form: {}, url: {} } }) },
          // Do not validate output: patterns in a server's schema must not run here.
          jsonSchemaValidator: {
            getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
          },
        },
      );
      this.#listen(client, opened);
      const timeout = settings.startTimeoutMs ?? START_MS;
      await client.connect(opened.transport, { timeout });
      checkCurrent();
      this.#client = client;
      const { name: theirs = name, version: theirVersion = "" } = client.getServerVersion() ?? {};
      this.#about = { name: withoutControls(theirs).slice(0, 80), version: withoutControls(theirVersion).slice(0, 40) };
      this.#instructions = cleanInstructions(client.getInstructions());
      await this.#list(client, { timeout });
      checkCurrent();
      // It may have ended during the listing.
      const ended = opened.ended();
      if (ended !== undefined) throw new Error(ended);
      this.#set({ kind: "connected" });
      return client;
    } catch (error) {
      const failure = await this.#startFailure(error, opened);
      await opened?.transport.close().catch(() => {});
      if (this.#attempt !== attempt) {
        // It was stopped while connecting: nothing is wrong with the server.
        if (this.#closed) throw failure;
        return this.client();
      }
      this.#forget();
      const { hint } = failure;
      const kind = failure.code === "login-needed" ? "needs-login" : "failed";
      this.#set({ kind, reason: failure.message, hint });
      throw failure;
    }
  }

  #listen(client: Client, opened: OpenedTransport): void {
    const { questions, cwd, openUrl } = this.#place;
    const { name } = this.server;
    client.onclose = () => {
      // While connecting, the attempt itself notices.
      if (this.#opened !== opened || this.#state.kind !== "connected") return;
      this.#connecting = undefined;
      this.#client = undefined;
      const { message } = this.#failure(opened.ended() ?? "the connection was closed");
      this.#set({ kind: "failed", reason: message, hint: "The next call reconnects." });
    };
    client.onerror = (error) => this.log.remark(`connection: ${errorText(error)}`);
    client.setRequestHandler("roots/list", () => ({
      roots: [{ uri: pathToFileURL(cwd).href, name: "working directory" }],
    }));
    if (questions !== undefined) {
      client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) => {
        const held = [...this.#holds].map((hold) => hold());
        try {
          return await elicit({ server: name, params, questions, signal: mcpReq.signal, open: openUrl });
        } finally {
          for (const goOn of held) goOn();
        }
      });
    }
    client.setNotificationHandler("notifications/message", ({ params }) => {
      const text = typeof params.data === "string" ? params.data : JSON.stringify(params.data);
      this.log.add(`${params.level}: ${text ?? ""}`);
    });
    let again: NodeJS.Timeout | undefined;
    const listAgain = () => {
      // Treat a burst of notifications as one change.
      clearTimeout(again);
      again = setTimeout(() => {
        if (this.#client !== client) return;
        this.#list(client, { timeout: START_MS }).catch((error: unknown) => this.log.add(`error: ${errorText(error)}`));
      }, 100);
      again.unref();
    };
    client.setNotificationHandler("notifications/tools/list_changed", listAgain);
    client.setNotificationHandler("notifications/prompts/list_changed", listAgain);
    client.setNotificationHandler("notifications/resources/list_changed", listAgain);
  }

  async #list(client: Client, { timeout }: { readonly timeout: number }): Promise<void> {
    const has = client.getServerCapabilities() ?? {};
    const options = { timeout };
    const tools = has.tools === undefined ? [] : await pages((cursor) => toolPage(client, cursor, options), "tools");
    // A server is still useful without them.
    const optional = async (list: () => Promise<readonly unknown[]>): Promise<readonly unknown[]> => {
      try {
        return await list();
      } catch (error) {
        this.log.add(`error: ${errorText(error)}`);
        return [];
      }
    };
    const prompts =
      has.prompts === undefined
        ? undefined
        : await optional(() => pages((cursor) => client.listPrompts(cursor, options), "prompts"));
    const resources =
      has.resources === undefined
        ? undefined
        : await optional(() => pages((cursor) => client.listResources(cursor, options), "resources"));
    // A newer connection has its own lists.
    if (this.#client !== client) return;
    const runsTasks = isRecord(has.tasks?.requests) && isRecord(has.tasks.requests.tools);
    const listed = listedTools(this.server.name, tools, { runsTasks });
    this.#hasResources = resources !== undefined;
    this.#tools = listed.tools;
    this.#problems = listed.problems;
    if (prompts !== undefined) this.#prompts = listedPrompts(prompts);
    if (resources !== undefined) this.#resources = listedResources(resources);
    this.#place.onChange();
  }

  async #startFailure(error: unknown, opened: OpenedTransport | undefined): Promise<McpError> {
    if (error instanceof McpError) return error.code === "login-needed" ? this.#loginNeeded(error) : error;
    const { SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } = await import("@modelcontextprotocol/client");
    const cause = (error as { cause?: unknown } | null)?.cause;
    if (cause instanceof McpError) return this.#startFailure(cause, opened);
    const isUnauthorized = error instanceof SdkHttpError && (error as { status?: unknown }).status === 401;
    if (error instanceof UnauthorizedError || isUnauthorized) return this.#loginNeeded(error);
    const ended = opened?.ended();
    if (ended !== undefined) return this.#failure(ended, error);
    const seconds = (this.server.settings.startTimeoutMs ?? START_MS) / 1_000;
    const other = opened?.firstOther();
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
      const said = other === undefined ? "" : `; it printed text that is not JSON-RPC: ${other}`;
      return this.#failure(`it did not answer within ${seconds} seconds${said}`, error);
    }
    return this.#failure(
      withoutControls(`${errorText(error)}${cause instanceof Error ? `: ${cause.message}` : ""}`).slice(0, 500),
      error,
    );
  }

  #loginNeeded(cause: unknown): McpError {
    const { name } = this.server;
    return new McpError("login-needed", `The MCP server ${name} requires a login`, {
      data: { name },
      hint: `Log in with: bough mcp login ${name}`,
      cause,
    });
  }

  #failure(reason: string, cause?: unknown): McpError {
    const { name, settings } = this.server;
    const last = this.log.lastOutput;
    const said = last === undefined || reason.includes(last) ? "" : `; its last output: ${last.slice(0, 200)}`;
    const verb = settings.url === undefined ? "failed" : "cannot be reached";
    return new McpError("server-failed", `The MCP server ${name} ${verb}: ${reason}${said}`, {
      data: { name },
      hint: `To diagnose it: bough mcp test ${name}`,
      cause,
    });
  }

  async #end(): Promise<void> {
    const opened = this.#opened;
    const client = this.#client;
    this.#forget();
    // Set before waiting, because another connection may start meanwhile.
    if (this.#state.kind === "connected" || this.#state.kind === "connecting") this.#set({ kind: "idle" });
    if (client !== undefined) await client.close().catch(() => {});
    await opened?.transport.close().catch(() => {});
  }

  #forget(): void {
    this.#attempt = undefined;
    this.#opened = undefined;
    this.#client = undefined;
    this.#connecting = undefined;
  }

  #set(state: ServerState): void {
    this.#state = state;
    this.#place.onChange();
  }
}

/** Adds the cause, because "fetch failed" alone is useless. */
function withCause(error: unknown): string {
  const cause = (error as { readonly cause?: unknown } | null)?.cause;
  return cause instanceof Error && cause.message !== "" ? `${errorText(error)}: ${cause.message}` : errorText(error);
}

/** One tool with a definition that the SDK rejects must not take the others with it: `listedTools` checks each. */
async function toolPage(client: Client, params: { cursor?: string }, options: { readonly timeout: number }) {
  try {
    return await client.listTools(params, options);
  } catch (error) {
    const { SdkError, SdkErrorCode } = await import("@modelcontextprotocol/client");
    if (!(error instanceof SdkError) || error.code !== SdkErrorCode.InvalidResult) throw error;
    const page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });
    return client.request({ method: "tools/list", params }, page, options);
  }
}

type Page = { readonly nextCursor?: string | undefined };

/** Fetches all pages of a list, up to a limit. */
async function pages<Name extends string>(
  list: (params: { cursor?: string }) => Promise<Page & { readonly [key in Name]: readonly unknown[] }>,
  name: Name,
): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await list(cursor === undefined ? {} : { cursor });
    for (const item of answer[name]) all.push(item);
    if (all.length >= MOST_LISTED) break;
    cursor = answer.nextCursor;
    if (cursor === undefined || cursor === "") break;
  }
  return all;
}

/** For requests that are only ended by their signal. */
export const NO_TIMEOUT = LONGEST_TIMER_MS;
