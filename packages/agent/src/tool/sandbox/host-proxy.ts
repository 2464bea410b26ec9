/**
 * The way out of the sandbox: a proxy for one command, on a Unix socket. It speaks HTTP (CONNECT and plain requests) and
 * SOCKS5 on the same socket, asks about each host, looks names up itself and connects to exactly the address it checked.
 */
import { lookup } from "node:dns/promises";
import { createServer as createHttpServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, createServer, isIP, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setImmediate as nextRound } from "node:timers/promises";
import { addressKind } from "../web/public-address.js";
import { type HostAddress, tunnelTo } from "./upstream-tunnel.js";

export interface HostProxyOptions {
  /** Asked for every host, and again for the address if a name leads to this machine or to a private network. */
  readonly allow: (address: HostAddress) => Promise<boolean>;
  /** Whom to expect. Without it, whoever connects is served. */
  readonly guest?: ProxyGuest;
  /** All addresses of a name; the system's lookup by default. */
  readonly lookup?: (host: string) => Promise<readonly { readonly address: string }[]>;
  /** Where the user's own proxy is set; `process.env` by default. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface HostProxy {
  readonly listen: (where: string | { readonly port: number; readonly host: string }) => Promise<void>;
  /** For a proxy that listens on a port. */
  readonly port: () => number | undefined;
  /** Ends every connection at once. */
  readonly close: () => void;
}

/**
 * The one sandbox that a proxy on a named socket is for. Until its name is gone, every program of the user can connect to
 * the socket, also from another sandbox. So nobody is served before the guest has said a secret hello, the name has been
 * removed, and everyone who waited to be accepted by then has been.
 */
export interface ProxyGuest {
  readonly secret: string;
  /** It said hello: it runs, and has the socket. Removes the name of the socket. */
  readonly onHello: () => void;
}

/** What a guest sends first; the answer `ok` tells it that Bough runs too. */
export function helloOf(secret: string): string {
  return `bough ${secret}`;
}

const CONNECT_LIMIT_MS = 30_000;
/** A SOCKS5 request is at most 262 bytes; nothing else is read before the decision. */
const MOST_SOCKS_BYTES = 600;

export function hostProxy(options: HostProxyOptions): HostProxy {
  const sockets = new Set<Socket>();
  const http = createHttpServer({ maxHeaderSize: 64 * 1024 });
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };
  const reach: Reach = async (asked, client) => {
    const socket = await connectTo(asked, { ...options, client });
    if (client.destroyed) {
      socket.destroy();
      throw new Refused(tooLate(asked));
    }
    keep(socket);
    return socket;
  };
  http.on("request", (incoming, response) => void plainRequest(incoming, response, { reach }));
  http.on("connect", (incoming, client: Duplex, head: Buffer) => void tunnel(incoming, client, { head, reach }));
  http.on("upgrade", (_incoming, client: Duplex) => client.end("HTTP/1.1 501 Not Implemented\r\n\r\n"));
  http.on("clientError", (_error, client: Duplex) => client.destroy());
  const { guest } = options;
  let isGuestAlone = guest === undefined;
  let accepted = 0;
  const welcome = async (socket: Socket) => {
    guest?.onHello();
    // A round of the event loop in which nobody was accepted: nobody waits any more.
    for (let before = -1; before !== accepted; ) {
      before = accepted;
      await nextRound();
      await nextRound();
    }
    isGuestAlone = true;
    socket.end("ok\n");
  };
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    keep(socket);
    accepted += 1;
    const isEarly = !isGuestAlone;
    socket.once("data", (first: Buffer) => {
      socket.pause();
      if (isEarly) {
        if (guest !== undefined && first.toString("latin1") === `${helloOf(guest.secret)}\n`) void welcome(socket);
        else socket.destroy();
        return;
      }
      if (first[0] === 5) {
        void socks(socket, { first, reach }).catch(() => socket.destroy());
        return;
      }
      // Half-open connections would keep a finished HTTP client waiting.
      socket.allowHalfOpen = false;
      socket.unshift(first);
      http.emit("connection", socket);
      process.nextTick(() => socket.resume());
    });
  });
  server.on("error", () => undefined);
  return {
    listen: (where) =>
      new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(where, () => {
          server.off("error", reject);
          resolve();
        });
        // The proxy does not keep a program running that is otherwise done.
        server.unref();
      }),
    port: () => {
      const address = server.address();
      return address === null || typeof address === "string" ? undefined : address.port;
    },
    close: () => {
      server.close();
      http.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** `client` is who wants to connect. */
type Reach = (asked: HostAddress, client: Client) => Promise<Socket>;

type Client = Pick<Duplex, "destroyed">;

/** The host may not be reached. The message is for the command. */
class Refused extends Error {}

async function connectTo(asked: HostAddress, options: HostProxyOptions & { readonly client: Client }): Promise<Socket> {
  if (!(await options.allow(asked))) throw new Refused(`${asked.host} is not allowed in the sandbox`);
  // The answer may come when the command has ended, or does not wait any more.
  const stillWanted = () => {
    if (options.client.destroyed) throw new Refused(tooLate(asked));
  };
  stillWanted();
  const { env = process.env } = options;
  const signal = AbortSignal.timeout(CONNECT_LIMIT_MS);
  const addresses = await addressesOf(asked.host, options);
  for (const address of addresses) {
    if (address === asked.host || addressKind(address) === "public") continue;
    // An allowed name says nothing about a server of this machine or of the private network it leads to.
    if (!(await options.allow({ host: address, port: asked.port }))) {
      throw new Refused(`${asked.host} leads to ${address}, which is not allowed in the sandbox`);
    }
    stillWanted();
  }
  const through = await tunnelTo(asked, { env, signal });
  if (through !== undefined) return through;
  if (addresses.length === 0) throw new Error(`Host not found: ${asked.host}`);
  let failure: unknown;
  for (const address of addresses) {
    try {
      return await connected(connect({ host: address, port: asked.port }), signal);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function tooLate({ host }: HostAddress): string {
  return `${host} was allowed too late`;
}

/** Empty if the name is not known here: behind a proxy, public names often are not. */
async function addressesOf(host: string, options: HostProxyOptions): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  const find = options.lookup ?? ((name: string) => lookup(name, { all: true }));
  const found = await find(host).catch(() => []);
  return found.map(({ address }) => address);
}

function connected(socket: Socket, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const stop = () => socket.destroy(new Error("timed out"));
    signal.addEventListener("abort", stop, { once: true });
    socket.once("error", reject);
    socket.once("connect", () => {
      signal.removeEventListener("abort", stop);
      socket.off("error", reject);
      resolve(socket);
    });
  });
}

function join(a: Duplex, b: Duplex): void {
  a.pipe(b);
  b.pipe(a);
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    one.on("error", () => other.destroy());
    one.on("close", () => other.destroy());
  }
}

/** `host:port` as a client writes it, or undefined if it is not exactly that. */
export function hostAndPort(text: string, defaultPort?: number): HostAddress | undefined {
  const [, bracketed, plain, digits] = /^(?:\[([\da-f:.]+)\]|([^\s:@/?#[\]\\]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = plainHost(bracketed ?? plain ?? "");
  const port = digits === undefined ? defaultPort : Number(digits);
  if (host === undefined || port === undefined || port < 1 || port > 65_535) return undefined;
  return { host, port };
}

/**
 * The name as it is asked about: in lower case, without a final dot, and an address in its usual form, because
 * `0x7f000001` and `2130706433` are 127.0.0.1 too.
 */
export function plainHost(text: string): string | undefined {
  if (text.length > 253 || !/^[\w.:-]+$/.test(text)) return undefined;
  const isAddress = isIP(text) === 6;
  const url = `http://${isAddress ? `[${text}]` : text}/`;
  if (!URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  return host === "" ? undefined : host;
}

async function tunnel(
  incoming: IncomingMessage,
  client: Duplex,
  { head, reach }: { readonly head: Buffer; readonly reach: Reach },
): Promise<void> {
  client.on("error", () => client.destroy());
  const asked = hostAndPort(incoming.url ?? "");
  if (asked === undefined) {
    client.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    return;
  }
  try {
    const server = await reach(asked, client);
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (head.length > 0) server.write(head);
    join(client, server);
  } catch (error) {
    const { status, text } = answerOf(error);
    client.end(
      `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
    );
  }
}

/** Headers that are about the connection to the proxy, not about the request. */
const OWN_HEADERS = ["proxy-connection", "proxy-authorization", "connection", "keep-alive", "te", "upgrade"];

async function plainRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  { reach }: { readonly reach: Reach },
): Promise<void> {
  const text = incoming.url ?? "";
  const url = /^http:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const asked = url === undefined ? undefined : hostAndPort(url.host, 80);
  if (url === undefined || asked === undefined) {
    response.writeHead(400, { connection: "close" }).end("Not a proxy request\n");
    return;
  }
  try {
    const server = await reach(asked, incoming.socket);
    // The host that was asked about is the one the server sees: a different `Host` would reach another site there.
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).filter(([name]) => !OWN_HEADERS.includes(name)),
    );
    const onward = request({
      createConnection: () => server,
      method: incoming.method ?? "GET",
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, connection: "close" },
    });
    onward.once("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? "", answer.headers);
      answer.pipe(response);
      answer.once("error", () => response.destroy());
    });
    onward.once("error", () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    response.once("close", () => server.destroy());
    incoming.pipe(onward);
  } catch (error) {
    const { status, text: body } = answerOf(error);
    response.writeHead(Number.parseInt(status, 10), { "content-type": "text/plain", connection: "close" }).end(body);
  }
}

function answerOf(error: unknown): { readonly status: string; readonly text: string } {
  const text = `${error instanceof Error ? error.message : "failed"}\n`;
  return { status: error instanceof Refused ? "403 Forbidden" : "502 Bad Gateway", text };
}

const SOCKS_REFUSED = 2;
const SOCKS_UNREACHABLE = 4;
const SOCKS_NOT_SUPPORTED = 7;

async function socks(
  socket: Socket,
  { first, reach }: { readonly first: Buffer; readonly reach: Reach },
): Promise<void> {
  const bytes = socksBytes(socket, first);
  const [, methods = 0] = await bytes(2);
  await bytes(methods);
  socket.write(Buffer.from([5, 0]));
  const [version, command, , type = 0] = await bytes(4);
  const name =
    type === 3
      ? (await bytes((await bytes(1))[0] ?? 0)).toString("latin1")
      : addressText(await bytes(type === 1 ? 4 : type === 4 ? 16 : 0));
  const port = (await bytes(2)).readUInt16BE(0);
  const answer = (code: number) => Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]);
  const host = plainHost(name);
  if (version !== 5 || command !== 1 || host === undefined || port === 0) {
    socket.end(answer(SOCKS_NOT_SUPPORTED));
    return;
  }
  try {
    const server = await reach({ host, port }, socket);
    socket.write(answer(0));
    join(socket, server);
  } catch (error) {
    socket.end(answer(error instanceof Refused ? SOCKS_REFUSED : SOCKS_UNREACHABLE));
  }
}

/** Reads exact numbers of bytes, and leaves the rest in the socket. */
function socksBytes(socket: Socket, first: Buffer): (count: number) => Promise<Buffer> {
  socket.unshift(first);
  let total = 0;
  return async (count) => {
    total += count;
    if (total > MOST_SOCKS_BYTES) throw new Error("SOCKS request too long");
    if (count === 0) return Buffer.alloc(0);
    for (;;) {
      const part = socket.read(count) as Buffer | null;
      if (part?.length === count) return part;
      if (socket.readableEnded || socket.destroyed) throw new Error("SOCKS request cut short");
      await new Promise<void>((resolve, reject) => {
        const done = () => {
          for (const name of ["readable", "end", "close"]) socket.off(name, done);
          resolve();
        };
        for (const name of ["readable", "end", "close"]) socket.once(name, done);
        socket.once("error", reject);
      });
    }
  };
}

function addressText(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join(".");
  if (bytes.length !== 16) return "";
  return Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16)).join(":");
}
