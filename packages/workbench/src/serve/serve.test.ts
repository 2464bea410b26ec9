/** The server of `bough serve`, over real sockets: who is refused, what is answered, and that nothing is missed. */
import { once } from "node:events";
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeFolder } from "../../../../scripts/remove-folder.mjs";
import { afterTest } from "../../../../test/support/after-test.js";
import { assistant, user } from "../../../../test/support/messages.js";
import { sampledRuns } from "../../../../test/support/sampled.js";
import { findSources, sourceKey } from "../history/internal.js";
import type { EntriesAnswer, GrownEvent, SessionsAnswer, TreeAnswer, TreePage } from "../web/internal.js";
import { Api } from "./api/api.js";
import { Guesses } from "./gate/guesses.js";
import { type RunningServer, startServer } from "./index.js";
import { streamEvents } from "./live/event-stream.js";
import { SessionPool } from "./live/session-pool.js";

let home: string;
let dir: string;
let server: RunningServer;
let secret: string;

const options = () => ({
  home: join(home, ".bough"),
  agents: { home, environment: {} },
  now: () => new Date(),
  priceOf: () => undefined,
  services: {
    compare: (_session: unknown, tips: object) => tips,
    diff: async (_session: unknown, ends: object) => ends,
  },
});

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "bough-test-"));
  dir = join(home, ".bough", "sessions", "--work--");
  mkdirSync(dir, { recursive: true });
  server = await startServer(options());
  secret = server.link().split("#")[1] as string;
});
afterAll(async () => {
  await server.close();
  removeFolder(home);
});

/** A session file that nothing else uses. */
function session(...prompts: readonly string[]): SessionManager {
  const made = SessionManager.create("/work", dir);
  for (const prompt of prompts) {
    made.appendMessage(user(prompt));
    made.appendMessage(assistant(`Answer to ${prompt}`));
  }
  afterTest(() => {
    made.close();
    rmSync(made.getSessionFile() as string, { force: true });
  });
  return made;
}

const keyOf = async (made: SessionManager): Promise<string> =>
  (await server.keyOf(made.getSessionFile() as string)) ?? expect.fail("the server does not know the session");

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly setHost?: boolean;
}

/** Resolves with the status, or 0 if the connection was closed without an answer. */
async function ask(path: string, { method = "GET", headers = {}, setHost = true }: Asked = {}) {
  const { hostname, port } = new URL(server.origin);
  const asked = request({ hostname, port, path, method, headers: headers as never, setHost, agent: false });
  asked.end();
  return new Promise<{ status: number; text: string; headers: IncomingMessage["headers"] }>((resolve) => {
    asked.on("error", () => resolve({ status: 0, text: "", headers: {} }));
    asked.on("response", async (response) => {
      let text = "";
      for await (const piece of response) text += String(piece);
      resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
    });
  });
}

const bearer = (): { Authorization: string } => ({ Authorization: `Bearer ${secret}` });

async function get<Answer>(path: string): Promise<Answer> {
  const { status, text } = await ask(path, { headers: bearer() });
  expect({ path, status }).toEqual({ path, status: 200 });
  return JSON.parse(text) as Answer;
}

describe("who is refused", () => {
  const OWN = { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors" };
  test("every request is checked: host, origin, site, secret, method and body", async () => {
    const port = new URL(server.origin).port;
    const cases: readonly (readonly [what: string, path: string, asked: Asked, status: number])[] = [
      ["the page itself", "/api/sessions", { headers: { ...bearer(), ...OWN } }, 200],
      ["a program", "/api/sessions", { headers: bearer() }, 200],
      ["its own origin", "/api/sessions", { headers: { ...bearer(), Origin: server.origin } }, 200],
      ["localhost", "/api/sessions", { headers: { ...bearer(), Host: `localhost:${port}` } }, 200],
      ["no secret", "/api/sessions", { headers: OWN }, 401],
      ["a cookie", "/api/sessions", { headers: { Cookie: `bough=${secret}` } }, 401],
      ["the secret in the address", `/api/sessions?secret=${secret}`, {}, 401],
      ["another scheme", "/api/sessions", { headers: { Authorization: `Basic ${secret}` } }, 401],
      ["a name that leads here", "/api/sessions", { headers: { ...bearer(), Host: `evil.example:${port}` } }, 421],
      ["another port", "/api/sessions", { headers: { ...bearer(), Host: "127.0.0.1:1" } }, 421],
      ["no name", "/api/sessions", { headers: bearer(), setHost: false }, 0],
      ["a page elsewhere", "/api/sessions", { headers: { ...bearer(), Origin: "https://evil.example" } }, 403],
      ["a page of another port", "/api/sessions", { headers: { ...bearer(), Origin: "http://127.0.0.1:1" } }, 403],
      ["a sandboxed page", "/api/sessions", { headers: { ...bearer(), Origin: "null" } }, 403],
      ["another site", "/api/sessions", { headers: { ...bearer(), "Sec-Fetch-Site": "cross-site" } }, 403],
      ["another port of this site", "/api/sessions", { headers: { ...bearer(), "Sec-Fetch-Site": "same-site" } }, 403],
      ["an address typed in", "/api/sessions", { headers: { ...bearer(), "Sec-Fetch-Site": "none" } }, 403],
      [
        "the page in a frame",
        "/",
        { headers: { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe" } },
        403,
      ],
      [
        "the page as a picture",
        "/",
        { headers: { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image" } },
        403,
      ],
      [
        "a link to the page",
        "/",
        { headers: { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" } },
        200,
      ],
      ["a form", "/", { method: "POST", headers: { Origin: server.origin } }, 405],
      ["a change", "/api/sessions", { method: "DELETE", headers: bearer() }, 405],
      ["a question before", "/api/sessions", { method: "OPTIONS", headers: { Origin: "https://evil.example" } }, 405],
      ["a body", "/api/sessions", { headers: { ...bearer(), "Content-Length": "0" } }, 413],
      ["a file", "/../../etc/passwd", { headers: bearer() }, 404],
      ["a file by key", "/api/tree?s=..%2F..%2Fetc%2Fpasswd", { headers: bearer() }, 404],
      ["a property", "/api/constructor", { headers: bearer() }, 404],
    ];
    const told = [];
    for (const [what, path, asked] of cases) told.push([what, (await ask(path, asked)).status]);
    expect(told).toEqual(cases.map(([what, , , status]) => [what, status === 0 ? 400 : status]));
  });

  test("answers can be neither framed, sniffed, cached nor run", async () => {
    const [page, api] = [await ask("/"), await ask("/api/sessions", { headers: bearer() })];
    for (const { headers } of [page, api]) {
      expect(headers).toMatchObject({
        "x-frame-options": "DENY",
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "no-referrer",
      });
      expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      expect(headers).not.toHaveProperty("set-cookie");
      expect(headers).not.toHaveProperty("access-control-allow-origin");
    }
    expect(page.headers["content-security-policy"]).toMatch(
      /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-/,
    );
  });

  test("who guesses waits, and only so many wait at once", async () => {
    const guesses = new Guesses();
    const stops = Array.from({ length: 21 }, () => new AbortController());
    const waiting = stops.map(({ signal }) => guesses.slowDown(signal));
    expect(await waiting[20]).toBe(false);
    for (const stop of stops) stop.abort();
    expect(await Promise.all(waiting.slice(8))).toEqual(Array(13).fill(false));
  });

  test("a secret is long, and another one at every start", async () => {
    const other = await startServer(options());
    await other.close();
    const again = other.link().split("#")[1] as string;
    expect(Buffer.from(secret, "base64url").length).toBe(32);
    expect(again).not.toBe(secret);
  });

  test("another address than this machine needs TLS", async () => {
    await expect(startServer({ ...options(), host: "0.0.0.0" })).rejects.toMatchObject({ code: "not-served" });
    const { port } = new URL(server.origin);
    await expect(startServer({ ...options(), port: Number(port) })).rejects.toMatchObject({ code: "not-served" });
  });

  test("a certificate must be one, and all addresses need a name", async () => {
    const tls = { cert: "none", key: "none" };
    const reasonOf = (given: object): Promise<unknown> =>
      startServer({ ...options(), ...given }).then(
        async (started) => await started.close(),
        ({ code, message }) => [code, String(message).split(":")[0]],
      );
    const unnamed = (host: string) => ["not-served", `Not served on ${host}`.split(":")[0]];
    expect(await reasonOf({ host: "0.0.0.0", tls })).toEqual(unnamed("0.0.0.0"));
    expect(await reasonOf({ host: "::", tls })).toEqual(unnamed("::"));
    expect(await reasonOf({ host: "0.0.0.0", tls, origins: ["https://bough.example.net"] })).toEqual([
      "not-served",
      "The certificate and its key cannot be used",
    ]);
  });
});

describe("limits", () => {
  test("a body of a gigabyte, an upgrade and garbage are cut off, and the next request is answered", async () => {
    const { hostname, port } = new URL(server.origin);
    const host = `Host: ${hostname}:${port}\r\n`;
    const starts = [
      `POST /api/sessions HTTP/1.1\r\n${host}Content-Length: 1073741824\r\n\r\n`,
      `GET /api/sessions HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n`,
      `GET / HTTP/1.1\r\n${host}Connection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
      `CONNECT ${hostname}:22 HTTP/1.1\r\n${host}\r\n`,
      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
      `GET / HTTP/1.1\r\n${host}X: ${"x".repeat(20_000)}\r\n\r\n`,
    ];
    for (const start of starts) {
      const socket = connect(Number(port), hostname);
      socket.on("error", () => {});
      socket.write(start);
      const closed = new Promise((resolve) => socket.on("close", resolve));
      const piece = Buffer.alloc(1 << 16);
      const more = setInterval(() => socket.write(piece), 1);
      socket.resume();
      await closed;
      clearInterval(more);
    }
    expect((await get<SessionsAnswer>("/api/sessions")).problems).toEqual([]);
  });

  test("a client that does not read is disconnected, and can go on from its cursor", async () => {
    const made = session("first");
    const long = "x".repeat(60_000);
    const [source] = (await findSources(options(), () => {})).filter(({ path }) => path === made.getSessionFile());
    const pool = new SessionPool();
    const lease = await pool.open("key", source as never);
    let onDropped = (): void => {};
    const dropped = new Promise<void>((resolve) => {
      onDropped = resolve;
    });
    const small = createServer((_request, response) => {
      void streamEvents(lease, response, { cursor: start, slowMs: 50 }).then(onDropped);
    }).listen(0, "127.0.0.1");
    await once(small, "listening");
    afterTest(() => {
      lease.release();
      pool.close();
      small.close();
    });
    const start = (await get<TreeAnswer>(`/api/tree?s=${await keyOf(made)}`)).cursor;
    const socket = connect((small.address() as AddressInfo).port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(socket, "readable");
    const written: string[] = [];
    // One event holds a megabyte of entries at most, and the system buffers several.
    const writing = setInterval(() => {
      for (let at = 0; at < 16; at++) written.push(made.appendMessage(user(`${at} ${long}`)));
    }, 25);
    await dropped;
    clearInterval(writing);
    socket.destroy();
    const client = new Client(await keyOf(made), start);
    client.first = 2;
    await client.until(() => client.ids.length === written.length);
    expect(client.ids).toEqual(written);
  });
});

describe("a client that is gone before its session is open", () => {
  test("does not count as one that follows it", async () => {
    const key = await keyOf(session("first"));
    const api = new Api(options() as never);
    afterTest(() => api.close());
    const small = createServer((_request, response) => {
      // What it asks for is opened while it goes away.
      response.socket?.destroy();
      response.once("close", () => {
        void api.stream(
          { path: "/api/events", query: new URLSearchParams({ s: key }), lastEventId: undefined },
          () => response,
        );
      });
    }).listen(0, "127.0.0.1");
    await once(small, "listening");
    afterTest(() => small.close());
    const socket = connect((small.address() as AddressInfo).port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(socket.resume(), "close");
    await expect.poll(() => api.inUse.sessions).toBe(1);
    await expect.poll(() => api.inUse.streams).toBe(0);
  });
});

/** Something was missed, or told twice. */
class WrongOrder extends Error {}

/** Follows a session as the page does: a whole event counts, one that was cut off does not. */
class Client {
  readonly ids: string[] = [];
  readonly entries = new Map<number, unknown>();
  resets = 0;
  cursor: string;
  readonly #key: string;

  constructor(key: string, cursor: string) {
    this.#key = key;
    this.cursor = cursor;
  }

  /** Reads until it has what it wants, reconnecting whenever it is cut off. `cutAfter`: bytes to read before. */
  async until(isDone: () => boolean, cutAfter: () => number = () => Number.POSITIVE_INFINITY): Promise<number> {
    let connections = 0;
    while (!isDone()) {
      connections += 1;
      await this.#connect(isDone, cutAfter());
    }
    return connections;
  }

  async #connect(isDone: () => boolean, most: number): Promise<void> {
    const headers = bearer();
    const path = `/api/events?s=${this.#key}&cursor=${this.cursor}`;
    const { hostname, port } = new URL(server.origin);
    const asked = request({ hostname, port, path, headers, agent: false });
    asked.on("error", () => {});
    asked.end();
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    let text = "";
    let read = 0;
    try {
      for await (const piece of response as AsyncIterable<Buffer>) {
        const part = piece.subarray(0, Math.max(0, most - read));
        read += part.length;
        text += part.toString("latin1");
        for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
          this.#take(text.slice(0, end));
          text = text.slice(end + 2);
        }
        if (read >= most || isDone()) break;
      }
    } catch (error) {
      // Anything else was only cut off.
      if (error instanceof WrongOrder) throw error;
    }
    asked.destroy();
  }

  #take(event: string): void {
    if (event.startsWith("event: reset")) this.resets += 1;
    const [, id, data] = /^id: (\S+)\nevent: entries\ndata: (.*)$/.exec(event) ?? [];
    if (id === undefined || data === undefined) return;
    const { from, rows, entries } = JSON.parse(data) as GrownEvent;
    this.cursor = id;
    if (from !== this.first + this.ids.length) throw new WrongOrder(`${from} after ${this.first + this.ids.length}`);
    for (const [entryId] of rows) this.ids.push(entryId);
    for (const [n, entry] of entries) this.entries.set(n, entry);
  }

  /** Number of the first entry it is told of. */
  first = 0;
}

describe("live", () => {
  test("nothing is missed and nothing is doubled, however often the connection is cut", async () => {
    const made = session("first");
    const key = await keyOf(made);
    const { cursor, index } = await get<TreeAnswer>(`/api/tree?s=${key}`);
    const client = new Client(key, cursor);
    client.first = index.count;
    const cuts = sampledRuns({ all: 1_000, some: 60 });
    const total = cuts * 2;
    const written: string[] = [];
    let seed = 7;
    const random = (most: number): number => {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      return seed % most;
    };
    let isWriting = true;
    const writing = (async () => {
      while (written.length < total) {
        for (let burst = 1 + random(5); burst > 0; burst--) {
          const size = random(20) === 0 ? 90_000 : random(400);
          written.push(made.appendMessage(user(`${written.length} ${"é".repeat(size)}`)));
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
      isWriting = false;
    })();
    let cut = 0;
    const connections = await client.until(
      () => !isWriting && client.ids.length >= written.length,
      () => (cut++ < cuts ? 200 + random(3_000) : Number.POSITIVE_INFINITY),
    );
    await writing;
    expect(client.ids).toEqual(written);
    expect(client.resets).toBe(0);
    expect(connections).toBeGreaterThan(cuts / 2);
    for (const [n, entry] of client.entries) expect((entry as { id: string }).id).toBe(written[n - client.first]);
  });

  test("fifty clients are told the same, and the server keeps nothing of them", async () => {
    const made = session("first");
    const key = await keyOf(made);
    const { cursor, index } = await get<TreeAnswer>(`/api/tree?s=${key}`);
    const clients = Array.from({ length: 50 }, () => new Client(key, cursor));
    for (const client of clients) client.first = index.count;
    const done = Promise.all(clients.map((client) => client.until(() => client.ids.length === 20)));
    await expect.poll(() => server.inUse().streams).toBe(50);
    const written = Array.from({ length: 20 }, (_, at) => made.appendMessage(user(`later ${at}`)));
    await done;
    for (const { ids } of clients) expect(ids).toEqual(written);
    await expect.poll(() => server.inUse().streams).toBe(0);
  });

  test("a file that was truncated, replaced or restored is told as a reset, and a deleted one is gone", async () => {
    const made = session("one", "two", "three");
    const file = made.getSessionFile() as string;
    const key = await keyOf(made);
    const isReset = async (cursor: string): Promise<boolean> => {
      const client = new Client(key, cursor);
      await client.until(() => client.resets > 0);
      return client.ids.length === 0;
    };
    const cursor = async () => (await get<TreeAnswer>(`/api/tree?s=${key}`)).cursor;
    const first = await cursor();
    copyFileSync(file, `${file}.backup`);
    truncateSync(file, readFileSync(file).indexOf("\n", 600) + 1);
    expect(await isReset(first)).toBe(true);
    const short = await cursor();
    expect(short).not.toBe(first);
    const other = session("something else", "and more", "and more again");
    const text = readFileSync(other.getSessionFile() as string, "utf8");
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
    expect(await isReset(short)).toBe(true);
    renameSync(`${file}.backup`, file);
    // What was there again continues where it was.
    const client = new Client(key, first);
    client.first = 6;
    appendFileSync(
      file,
      `${JSON.stringify({ type: "message", id: "late", parentId: null, timestamp: "2026-11-16T00:00:00.000Z", message: user("late") })}\n`,
    );
    await client.until(() => client.ids.length === 1);
    expect([client.ids, client.resets]).toEqual([["late"], 0]);
    rmSync(file);
    await expect.poll(async () => (await ask(`/api/tree?s=${key}`, { headers: bearer() })).status).toBe(404);
  });

  test("a line that is being written is told once it is complete", async () => {
    const made = session("one");
    const file = made.getSessionFile() as string;
    const key = await keyOf(made);
    const { cursor } = await get<TreeAnswer>(`/api/tree?s=${key}`);
    const client = new Client(key, cursor);
    client.first = 2;
    const line = JSON.stringify({
      type: "message",
      id: "torn",
      parentId: null,
      timestamp: "2026-11-16T00:00:00.000Z",
      message: user("torn"),
    });
    const done = client.until(() => client.ids.length === 1);
    appendFileSync(file, line.slice(0, 40));
    await get(`/api/tree?s=${key}`);
    appendFileSync(file, line.slice(40));
    await get(`/api/tree?s=${key}`);
    expect(client.ids).toEqual([]);
    appendFileSync(file, "\n");
    await done;
    expect(client.ids).toEqual(["torn"]);
  });

  test("a parent that is written after its child is told as one reset, and then it goes on", async () => {
    const made = session("one");
    const file = made.getSessionFile() as string;
    const key = await keyOf(made);
    const add = (id: string, parentId: string | null): void =>
      appendFileSync(
        file,
        `${JSON.stringify({ type: "message", id, parentId, timestamp: "2026-11-16T00:00:00.000Z", message: user(id) })}\n`,
      );
    add("child", "parent");
    const before = (await get<TreeAnswer>(`/api/tree?s=${key}`)).cursor;
    add("parent", null);
    const moved = new Client(key, before);
    await moved.until(() => moved.resets > 0);
    const client = new Client(key, (await get<TreeAnswer>(`/api/tree?s=${key}`)).cursor);
    client.first = 4;
    add("later", "child");
    await client.until(() => client.ids.length + client.resets > 0);
    expect([moved.ids, client.ids, client.resets]).toEqual([[], ["later"], 0]);
  });

  test("another agent's session is followed as well", async () => {
    const id = "00000001-1111-4222-8333-444444444444";
    const file = join(home, ".claude", "projects", "-work", `${id}.jsonl`);
    mkdirSync(join(home, ".claude", "projects", "-work"), { recursive: true });
    const record = (at: number, text: string): string =>
      `${JSON.stringify({ type: "user", uuid: `u${at}`, parentUuid: at === 0 ? null : `u${at - 1}`, sessionId: id, cwd: "/work", timestamp: `2026-11-16T00:00:0${at}.000Z`, message: { role: "user", content: text } })}\n`;
    writeFileSync(file, record(0, "zero"));
    afterTest(() => rmSync(join(home, ".claude"), { recursive: true }));
    const [source] = (await findSources(options(), () => {})).filter(({ agent }) => agent === "claude-code");
    const key = sourceKey(source as never);
    const { cursor, index } = await get<TreeAnswer>(`/api/tree?s=${key}`);
    const client = new Client(key, cursor);
    client.first = index.count;
    const done = client.until(() => client.ids.length === 2);
    appendFileSync(file, record(1, "one") + record(2, "two"));
    await done;
    expect([...client.entries.values()]).toMatchObject([
      { message: { content: "one" } },
      { message: { content: "two" } },
    ]);
  });
});

describe("what is asked for", () => {
  test("the list, the tree in pages, entries, a search, a comparison and usage", async () => {
    const made = session("find the walrus", "second");
    const key = await keyOf(made);
    const { sessions } = await get<SessionsAnswer>("/api/sessions");
    expect(sessions.find((one) => one.key === key)).toMatchObject({
      agent: "bough",
      id: made.getSessionId(),
      title: "find the walrus",
      cwd: "/work",
      usage: { calls: 2, tokens: 4, dollars: 0, unpriced: 2 },
    });
    const ids = made.getEntries().map((entry) => entry.id);
    const tree = await get<TreeAnswer>(`/api/tree?s=${key}`);
    expect([tree.leaf, tree.index.ids, tree.entries.length]).toEqual([3, ids.join("\n"), 4]);
    const page = await get<TreePage>(`/api/tree?s=${key}&from=1&limit=2`);
    expect([page.rows.map(([id, parent]) => [id, parent]), page.next]).toEqual([
      [
        [ids[1], ids[0]],
        [ids[2], ids[1]],
      ],
      3,
    ]);
    const { entries, left } = await get<EntriesAnswer>(`/api/entries?s=${key}&n=0,2-9`);
    expect([entries.map(([n]) => n), left]).toEqual([[0, 2, 3], []]);
    expect(entries[0]?.[1]).toEqual(JSON.parse(JSON.stringify(made.getEntry(ids[0] as never))));
    const found = await get<{ hits: { key: string; entryId: string }[] }>("/api/search?q=walrus");
    expect(found.hits.map((hit) => [hit.key, hit.entryId])).toContainEqual([key, ids[0]]);
    expect(await get(`/api/compare?s=${key}&a=${ids[1]}&b=${ids[3]}`)).toEqual({ a: ids[1], b: ids[3] });
    expect(await get(`/api/usage?by=model&s=${key}`)).toMatchObject({
      total: { calls: 2 },
      rows: [{ name: "acme/m-1" }],
    });
    for (const [words, numbers] of [
      ["WALRUS find", [0, 1]],
      ['"', []],
      ["second", [2, 3]],
      ["", []],
    ] as const) {
      expect(await get(`/api/find?s=${key}&q=${encodeURIComponent(words)}`)).toEqual({ numbers, more: false });
    }
    const odd = ["/api/entries?s=KEY&n=x", "/api/tree?s=KEY&from=-1", "/api/usage?by=moon", "/api/compare?s=KEY&a=&b="];
    for (const path of odd) {
      expect([path, (await ask(path.replace("KEY", key), { headers: bearer() })).status]).toEqual([path, 400]);
    }
  });

  test("a search in a session takes a backslash at the end of a word as it is", async () => {
    const key = await keyOf(session("look in C:\\temp\\ now", "other"));
    const found = await get(`/api/find?s=${key}&q=${encodeURIComponent("C:\\temp\\ now")}`);
    expect(found).toEqual({ numbers: [0, 1], more: false });
  });

  test("is described in the published OpenAPI file, path by path and parameter by parameter", async () => {
    const file = new URL("../../../../docs/reference/serve-openapi.json", import.meta.url);
    const { paths } = JSON.parse(readFileSync(file, "utf8")) as { paths: Record<string, object> };
    const api = new Api(options() as never);
    await api.close();
    expect(Object.keys(paths).sort()).toEqual([...api.paths].sort());
    const source = readFileSync(new URL("./api/api.ts", import.meta.url), "utf8");
    const read = new Set(
      [...source.matchAll(/query\.(?:get|has)\("(\w+)"\)|entryIn\(session, query, "(\w+)"\)/g)].map(
        ([, a, b]) => a ?? b,
      ),
    );
    const named = [...JSON.stringify(paths).matchAll(/"name":"(\w+)"/g)].map(([, name]) => name);
    expect([...new Set(named)].sort()).toEqual([...read].sort());
  });

  test("an answer cannot end a script, whatever a session contains", async () => {
    const made = session("</script><script>alert(1)</script>\u2028");
    const { text } = await ask(`/api/tree?s=${await keyOf(made)}`, { headers: bearer() });
    expect(text).not.toMatch(/[<>\u2028]/);
    expect(JSON.stringify(JSON.parse(text))).toContain("</script><script>");
  });
});
