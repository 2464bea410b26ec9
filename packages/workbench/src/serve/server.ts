/** The server of `bough serve`: its page, its API, and the limits of both. Read-only. */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { errorText, isLoopback } from "@bough/session/text/index.js";
import { Api, type ApiOptions, type ApiRequest, EVENTS_PATH } from "./api/api.js";
import { ApiError } from "./api/api-error.js";
import { Gate } from "./gate/gate.js";
import { Guesses } from "./gate/guesses.js";
import { API_POLICY, type LivePage, readLivePage, SAFE_HEADERS } from "./gate/page-answer.js";
import { ServeError } from "./serve-error.js";

export interface ServeOptions extends ApiOptions {
  /** Default: 127.0.0.1. Any other address needs `tls`. */
  readonly host?: string | undefined;
  /** Default: a free one. */
  readonly port?: number | undefined;
  /** PEM. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Origins under which a tunnel or a reverse proxy shows the server: `https://bough.example.net`. */
  readonly origins?: readonly string[] | undefined;
  /** Default: a new one, of 256 bits. */
  readonly secret?: string;
  /** Called with failures of requests that are not the client's fault. */
  readonly onFailure?: (error: unknown) => void;
}

export interface RunningServer {
  /** `http://127.0.0.1:4711` */
  readonly origin: string;
  /** The address of a page, with the secret in its fragment, which browsers do not send. */
  readonly link: (sessionKey?: string, entryId?: string) => string;
  /** The key of a session by its file, and by its ID if several share the file. Undefined if it is not served. */
  readonly keyOf: (file: string, id?: string) => Promise<string | undefined>;
  readonly inUse: () => { readonly streams: number; readonly sessions: number; readonly connections: number };
  close(): Promise<void>;
}

const LOOPBACK = "127.0.0.1";
/** `0.0.0.0`, `::` and other ways to write them. */
const ALL_ADDRESSES = /^[0.:]+$/;
const MOST_CONNECTIONS = 512;
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const IDLE_MS = 30_000;
const MOST_HEADER_BYTES = 16 << 10;
const SECRET_BYTES = 32;

/** Throws `not-served` if it cannot or must not listen there, and `no-page` in an incomplete installation. */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { host = LOOPBACK, port = 0, tls, secret = randomBytes(SECRET_BYTES).toString("base64url") } = options;
  const named = host.includes(":") ? `[${host}]` : host;
  if (!isLoopback(named) && tls === undefined) {
    throw new ServeError("not-served", `Not served on ${host}: without TLS, others could read everything`, {
      hint: "Pass --tls-cert and --tls-key, or keep the default and use a tunnel or a reverse proxy with --origin.",
    });
  }
  // Nobody visits "all addresses", and only names that are known are answered.
  if (ALL_ADDRESSES.test(host) && (options.origins ?? []).length === 0) {
    throw new ServeError("not-served", `Not served on ${host}: it is not known under which name others see it`, {
      hint: "Name it with --origin, as in --origin https://workstation.example.net:4711, or pass one address.",
    });
  }
  const page = readLivePage();
  const answering = new Answering(options, page);
  const settings = {
    maxHeaderSize: MOST_HEADER_BYTES,
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 2_000,
    insecureHTTPParser: false,
  };
  const server: Server = tls === undefined ? createServer(settings) : withTls({ ...settings, ...tls });
  server.maxConnections = MOST_CONNECTIONS;
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  // No protocol but HTTP is spoken, and no body is read.
  for (const event of ["upgrade", "connect"] as const) {
    server.on(event, (_request: IncomingMessage, socket: Socket) => socket.destroy());
  }
  server.on("checkContinue", (_request, response: ServerResponse) => response.writeHead(417).end());
  server.on("clientError", (_error, socket) => socket.destroy());
  await listen(server, { host, port });
  const { port: actual } = server.address() as AddressInfo;
  const scheme = tls === undefined ? "http" : "https";
  const origin = `${scheme}://${named}:${actual}`;
  const own = isLoopback(named) ? [`${scheme}://localhost:${actual}`] : [];
  answering.open(new Gate({ secret, origins: [origin, ...own, ...(options.origins ?? [])] }));
  server.on(
    "request",
    (request: IncomingMessage, response: ServerResponse) => void answering.answer(request, response),
  );
  return {
    origin,
    link: (key, entryId) => {
      const query =
        key === undefined ? "" : `?s=${key}${entryId === undefined ? "" : `&e=${encodeURIComponent(entryId)}`}`;
      return `${options.origins?.[0] ?? origin}/${query}#${secret}`;
    },
    keyOf: (file, id) => answering.keyOf(file, id),
    inUse: () => ({ ...answering.inUse, connections: sockets.size }),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
      await answering.close();
    },
  };
}

function withTls(settings: ServerOptions): Server {
  try {
    return createTlsServer(settings);
  } catch (cause) {
    throw new ServeError("not-served", `The certificate and its key cannot be used: ${errorText(cause)}`, {
      cause,
      hint: "Both must be in PEM, and belong together.",
    });
  }
}

function listen(server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const why = cause.code === "EADDRINUSE" ? "the port is in use" : errorText(cause);
      reject(
        new ServeError("not-served", `Cannot listen on ${host}:${port}: ${why}`, {
          cause,
          hint: "Leave out --port to get a free one.",
        }),
      );
    });
    server.listen({ host, port, backlog: MOST_CONNECTIONS }, resolve);
  });
}

class Answering {
  readonly #options: ServeOptions;
  readonly #api: Api;
  readonly #page: LivePage;
  readonly #guesses = new Guesses();
  readonly #stop = new AbortController();
  #gate: Gate | undefined;

  constructor(options: ServeOptions, page: LivePage) {
    this.#options = options;
    this.#page = page;
    this.#api = new Api(options);
  }

  open(gate: Gate): void {
    this.#gate = gate;
  }

  get inUse(): Api["inUse"] {
    return this.#api.inUse;
  }

  keyOf(file: string, id: string | undefined): Promise<string | undefined> {
    return this.#api.keyOf(file, id);
  }

  close(): Promise<void> {
    this.#stop.abort();
    return this.#api.close();
  }

  /** Never throws. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Who does not read an answer is disconnected; streams have their own limit.
    response.setTimeout(IDLE_MS, () => response.destroy());
    response.on("error", () => {});
    try {
      const verdict = this.#gate?.judge(request);
      if (verdict === undefined) response.destroy();
      else if (verdict.kind === "page") this.#sendPage(request, response);
      else if (verdict.kind === "api") await this.#answerApi(request, response);
      else await this.#refuse(verdict, response);
    } catch (error) {
      this.#fail(error, response);
    }
  }

  async #refuse(
    { status, code, message }: { readonly status: number; readonly code: string; readonly message: string },
    response: ServerResponse,
  ): Promise<void> {
    if (status === 401) {
      const gone = new AbortController();
      response.once("close", () => gone.abort());
      const isHeard = await this.#guesses.slowDown(AbortSignal.any([gone.signal, this.#stop.signal]));
      if (!isHeard) {
        response.destroy();
        return;
      }
    }
    response.setHeader("Connection", "close");
    if (status === 405) response.setHeader("Allow", "GET, HEAD");
    sendJson(response, status, { error: { code, message } });
  }

  #sendPage({ method }: IncomingMessage, response: ServerResponse): void {
    const { html, policy } = this.#page;
    response.writeHead(200, {
      ...SAFE_HEADERS,
      "Content-Security-Policy": policy,
      "Content-Type": "text/html; charset=utf-8",
      "Content-Length": html.length,
    });
    response.end(method === "HEAD" ? undefined : html);
  }

  async #answerApi(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = requestOf(request);
    if (request.method === "HEAD") throw new ApiError(405, "bad-method", "Only GET is answered");
    if (asked.path !== EVENTS_PATH) {
      sendJson(response, 200, await this.#api.answer(asked));
      return;
    }
    await this.#api.stream(asked, () => {
      response.setTimeout(0);
      request.socket.setTimeout(0);
      response.writeHead(200, {
        ...SAFE_HEADERS,
        "Content-Security-Policy": API_POLICY,
        "Content-Type": "text/event-stream; charset=utf-8",
        "X-Accel-Buffering": "no",
      });
      return response;
    });
  }

  #fail(error: unknown, response: ServerResponse): void {
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    if (error instanceof ApiError) {
      sendJson(response, error.status, { error: { code: error.code, message: error.message } });
      return;
    }
    this.#options.onFailure?.(error);
    sendJson(response, 500, { error: { code: "failed", message: errorText(error) } });
  }
}

function requestOf({ url = "", headers }: IncomingMessage): ApiRequest {
  // The base is only there to parse; what is asked for is compared with a list.
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const id = headers["last-event-id"];
  return { path: pathname, query: searchParams, lastEventId: typeof id === "string" ? id : undefined };
}

/** Characters that would end a script, were the answer ever inside of one, are escaped. */
function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (sign) => ESCAPES[sign] as string);
  response.writeHead(status, {
    ...SAFE_HEADERS,
    "Content-Security-Policy": API_POLICY,
    "Content-Type": "application/json; charset=utf-8",
  });
  response.end(text);
}

const ESCAPES: Readonly<Record<string, string>> = {
  "<": "\\u003c",
  ">": "\\u003e",
  "&": "\\u0026",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};
