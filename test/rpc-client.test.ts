import type { AgentEvent } from "@bough/agent/agent/index.js";
import { connect } from "@bough/rpc/rpc/connect.js";
import { EventStream } from "@bough/rpc/rpc/event-stream.js";
import type { Entry } from "@bough/rpc/rpc/protocol/entries.js";
import type { RpcEvents } from "@bough/rpc/rpc/protocol/events.js";
import { RPC_PROTOCOL_VERSION, RpcClient, type RpcEvent } from "@bough/rpc/rpc/rpc-client.js";
import { type RpcTransport, streamTransport } from "@bough/rpc/rpc/transport.js";
import type { SessionEntry } from "@bough/session/entry/index.js";
import { describe, expect, test, vi } from "vitest";

type Line = Readonly<Record<string, unknown>>;

/** The other side: what the client wrote, and a way to answer. */
class OtherSide {
  readonly written: Line[] = [];
  readonly transport: RpcTransport;
  readonly #pieces: (string | null)[] = [];
  #wake: (() => void) | undefined;
  /** Answers requests; nothing is answered where it is undefined. */
  answers: (line: Line) => unknown = ({ method }) => (method === "initialize" ? {} : undefined);

  constructor() {
    this.transport = {
      input: this.#read(),
      write: (text) => {
        const line = JSON.parse(text) as Line;
        this.written.push(line);
        const result = this.answers(line);
        if (result !== undefined) this.send({ id: line.id, result });
      },
      close: () => this.end(),
    };
  }

  send(line: object): void {
    this.raw(`${JSON.stringify(line)}\n`);
  }

  raw(text: string): void {
    this.#pieces.push(text);
    this.#wake?.();
  }

  end(): void {
    this.#pieces.push(null);
    this.#wake?.();
  }

  async *#read(): AsyncGenerator<string> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece === null) return;
      if (piece !== undefined) yield piece;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}

/** A moment for everything that is under way. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("the client of bough/rpc", () => {
  test("agrees on the protocol first, and gives up on a program that speaks another", async () => {
    const side = new OtherSide();
    await connect({ transport: side.transport, client: { name: "mine" } });
    const params = { protocolVersion: RPC_PROTOCOL_VERSION, client: { name: "mine" } };
    expect(side.written).toEqual([{ id: 1, method: "initialize", params }]);
    const other = new OtherSide();
    other.answers = ({ id }) => {
      other.send({
        id,
        error: { code: "unsupported-protocol", message: "No", hint: "Update", data: { supported: [2] } },
      });
    };
    await expect(connect({ transport: other.transport })).rejects.toMatchObject({
      ...{ name: "RpcError", code: "unsupported-protocol", hint: "Update", data: { supported: [2] } },
    });
  });

  test("gives each request its own answer, in whatever order they come", async () => {
    const side = new OtherSide();
    const client = new RpcClient(side.transport);
    const [state, tips] = [client.request("getState"), client.request("tree.tips", { limit: 1 })];
    side.send({ id: 2, result: { total: 3 } });
    side.send({ id: 1, result: { leafId: "a" } });
    expect([(await state).leafId, (await tips).total]).toEqual(["a", 3]);
    expect(side.written[1]).toEqual({ id: 2, method: "tree.tips", params: { limit: 1 } });
  });

  test("tells listeners and loops of events, from when they ask until they leave", async () => {
    const side = new OtherSide();
    const client = new RpcClient(side.transport);
    const turns: number[] = [];
    const off = client.on("turn_start", ({ turn }) => turns.push(turn));
    const seen: RpcEvent["type"][] = [];
    const loop = (async () => {
      for await (const { type } of client.events()) {
        seen.push(type);
        if (type === "run_end") break;
      }
    })();
    side.send({ event: { type: "turn_start", turn: 1 } });
    await settled();
    off();
    side.send({ event: { type: "turn_start", turn: 2 } });
    side.send({ event: { type: "run_end", outcome: { kind: "done" } } });
    side.send({ event: { type: "run_start" } });
    await loop;
    expect([turns, seen]).toEqual([[1], ["turn_start", "turn_start", "run_end"]]);
  });

  test("answers questions with its handlers, says nothing for them once they are closed, and no if one fails", async () => {
    const side = new OtherSide();
    const closed: boolean[] = [];
    new RpcClient(side.transport, {
      "ui.confirm": async ({ title }) => title === "Sure?",
      "ui.input": (_params, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            closed.push(true);
            resolve("too late");
          });
        }),
      "ui.select": () => {
        throw new Error("broken");
      },
    });
    side.send({ id: "ui-1", method: "ui.confirm", params: { title: "Sure?" } });
    side.send({ id: "ui-2", method: "ui.input", params: { title: "Name?" } });
    side.send({ id: "ui-3", method: "ui.select", params: { title: "Which?", options: [] } });
    side.send({ id: "ui-4", method: "ui.editor", params: { title: "Text?" } });
    side.send({ event: { type: "question_closed", id: "ui-2" } });
    await settled();
    await settled();
    expect([closed, side.written.map(({ id }) => id).sort()]).toEqual([[true], ["ui-1", "ui-3", "ui-4"]]);
    expect(side.written).toContainEqual({ id: "ui-1", result: true });
    expect(side.written).toContainEqual({ id: "ui-4", result: null });
    expect(side.written.find(({ id }) => id === "ui-3")).not.toHaveProperty("result");
  });

  test.each([
    ["ends", (side: OtherSide) => side.end()],
    ["sends what is not JSON", (side: OtherSide) => side.raw("what?\n")],
  ])("fails what is open when the program %s, and everything after", async (_how, happen) => {
    const side = new OtherSide();
    const client = new RpcClient(side.transport);
    const open = client.request("whenIdle");
    const events = client.events().next();
    happen(side);
    await expect(open).rejects.toMatchObject({ code: "connection-closed" });
    await expect(client.request("getState")).rejects.toMatchObject({ code: "connection-closed" });
    expect(await events).toEqual({ done: true, value: undefined });
  });

  test("puts together what came in parts", async () => {
    const side = new OtherSide();
    const client = new RpcClient(side.transport);
    const whole = JSON.stringify({ id: "a", text: "long" });
    side.answers = ({ params }) => {
      const { offset } = params as { readonly offset: number };
      const next = offset + 5 < whole.length ? offset + 5 : null;
      return { text: whole.slice(offset, offset + 5), next };
    };
    const entry = await client.whole((offset) => client.request("tree.entryPart", { entryId: "a", offset }));
    expect(entry).toEqual({ id: "a", text: "long" });
  });

  test("says which program could not be started", async () => {
    await expect(connect({ command: "/nowhere/bough" })).rejects.toMatchObject({
      code: "not-started",
      message: "The program could not be started: /nowhere/bough",
    });
  });

  test("works over two web streams, whose pieces may end anywhere", async () => {
    const there = new TransformStream<Uint8Array, Uint8Array>();
    const back = new TransformStream<Uint8Array, Uint8Array>();
    const client = connect({ transport: streamTransport({ readable: back.readable, writable: there.writable }) });
    const writer = back.writable.getWriter();
    const { value } = await there.readable.getReader().read();
    const { id } = JSON.parse(new TextDecoder().decode(value)) as { readonly id: number };
    const bytes = new TextEncoder().encode(`${JSON.stringify({ id, result: { version: "ü😀" } })}\n`);
    for (const byte of bytes) void writer.write(Uint8Array.of(byte));
    expect(await client).toBeInstanceOf(RpcClient);
  });

  test("takes a long line in many pieces", async () => {
    const side = new OtherSide();
    const client = new RpcClient(side.transport);
    const answer = client.request("getState");
    const text = `${JSON.stringify({ id: 1, result: { name: "n".repeat(20_000) } })}\n`;
    for (const character of text) side.raw(character);
    expect((await answer).name).toHaveLength(20_000);
  });

  test("tells which results and events were shortened", async () => {
    const side = new OtherSide();
    const client = new RpcClient(side.transport);
    const event = client.events().next();
    const [short, whole] = [client.request("getPins"), client.request("getState")];
    side.send({ id: 1, result: [{ id: "a", text: "x" }], cut: { characters: 5_000_000 } });
    side.send({ id: 2, result: { leafId: "a" } });
    side.send({ event: { type: "run_start" }, cut: { characters: 7 } });
    expect(client.cutOf(await short)).toEqual({ characters: 5_000_000 });
    expect(client.cutOf(await whole)).toBeUndefined();
    expect(client.cutOf((await event).value as RpcEvent)).toEqual({ characters: 7 });
  });

  test("sends nothing that is longer than the program takes, in requests and in answers", async () => {
    const side = new OtherSide();
    const limits = { requestBytes: 200 };
    side.answers = ({ method }) => (method === "initialize" ? { capabilities: { limits } } : { kind: "done" });
    const client = await connect({
      transport: side.transport,
      questions: { "ui.editor": () => "é".repeat(100) },
    });
    const room = 200 - JSON.stringify({ id: 2, method: "prompt", params: { text: "" } }).length;
    await expect(client.request("prompt", { text: "x".repeat(room) })).resolves.toEqual({ kind: "done" });
    const refused = client.request("prompt", { text: "x".repeat(room + 1) });
    await expect(refused).rejects.toMatchObject({ code: "request-too-long", data: { requestBytes: 200 } });
    await expect(client.request("prompt", { text: "é".repeat(room - 20) })).rejects.toThrow("exceeds the 200 bytes");
    side.send({ id: "ui-1", method: "ui.editor", params: { title: "Text?" } });
    await settled();
    expect(side.written.map(({ id }) => id)).toEqual([1, 2, "ui-1"]);
    expect(side.written[2]).toMatchObject({ error: { message: expect.stringContaining("exceeds") } });
    await expect(client.request("getState")).resolves.toBeDefined();
  });

  test("continues if a listener throws: the others get the event, and the program is told of the failure", async () => {
    const side = new OtherSide();
    const client = new RpcClient(side.transport);
    const thrown: unknown[] = [];
    const later = vi.spyOn(globalThis, "queueMicrotask").mockImplementation((work) => {
      try {
        work();
      } catch (error) {
        thrown.push(error);
      }
    });
    const heard: string[] = [];
    client.on("run_start", () => {
      throw new Error("a listener's failure");
    });
    client.on("run_start", ({ type }) => heard.push(type));
    const answer = client.request("getState");
    side.send({ event: { type: "run_start" } });
    side.send({ id: 1, result: { leafId: "a" } });
    expect((await answer).leafId).toBe("a");
    later.mockRestore();
    expect([heard, thrown]).toEqual([["run_start"], [new Error("a listener's failure")]]);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("broken pipe");
      },
    ],
    ["rejects", () => Promise.reject(new Error("broken pipe"))],
  ])("fails the request when the transport %s", async (_how, write) => {
    const side = new OtherSide();
    const client = new RpcClient({ ...side.transport, write });
    await expect(client.request("getState")).rejects.toMatchObject({
      ...{ code: "connection-closed", cause: new Error("broken pipe") },
    });
  });

  test("forgets a loop over events that is left before it asked for one, or while it waits", async () => {
    let ends = 0;
    const stream = new EventStream<number>(() => {
      ends += 1;
    });
    expect(await stream.iterate().return(undefined)).toEqual({ done: true, value: undefined });
    expect(ends).toBe(1);
    const waiting = new EventStream<number>(() => {});
    const loop = waiting.iterate();
    const next = loop.next();
    await loop.return(undefined);
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test("closes web streams once, and does not wait for a side that never answers", async () => {
    const there = new TransformStream<Uint8Array, Uint8Array>();
    const back = new TransformStream<Uint8Array, Uint8Array>();
    const streams = { readable: back.readable, writable: there.writable };
    const client = new RpcClient(streamTransport(streams, { patience: 1 }));
    // Nothing reads the other end, so this is never taken.
    const open = client.request("getState").catch((error: unknown) => error);
    await client.close();
    await client.close();
    expect(await open).toMatchObject({ code: "connection-closed" });
  });

  test("ends when the other side of web streams ends", async () => {
    const there = new TransformStream<Uint8Array, Uint8Array>();
    const back = new TransformStream<Uint8Array, Uint8Array>();
    const client = new RpcClient(streamTransport({ readable: back.readable, writable: there.writable }));
    void there.readable.pipeTo(new WritableStream({ close: () => back.writable.close() }));
    await client.close();
    await expect(client.request("getState")).rejects.toMatchObject({ code: "connection-closed" });
  });

  test("has types that hold what the library gives", () => {
    const entry = (one: SessionEntry): Entry => one;
    const event = (one: AgentEvent): RpcEvents[AgentEvent["type"]] => JSON.parse(JSON.stringify(one));
    const named: Record<AgentEvent["type"], keyof RpcEvents> = {} as { [Type in AgentEvent["type"]]: Type };
    expect([typeof entry, typeof event, named]).toEqual(["function", "function", {}]);
  });
});
