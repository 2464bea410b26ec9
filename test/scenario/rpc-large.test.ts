/** RPC on large sessions: pages, parts, and no request that waits for another. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeSession } from "../../bench/index.mjs";
import { sampledRuns } from "../support/sampled.js";
import { RpcClient } from "./cli-rpc-client.js";
import { makePlace, type Place } from "./cli-support.js";

const MEGABYTE = 1_000_000;

interface Page<Item> {
  readonly total: number;
  readonly next: number | null;
  readonly entries: readonly Item[];
  readonly messages: readonly Item[];
}

function sessionWith(place: Place, messages: readonly string[]): string {
  const file = join(place.cwd, "large.jsonl");
  const header = { type: "session", version: 3, id: "large", timestamp: "2026-01-01T00:00:00.000Z", cwd: place.cwd };
  const entries = messages.map((content, n) => ({
    ...{ type: "message", id: `m${n}`, parentId: n === 0 ? null : `m${n - 1}`, timestamp: "2026-01-01T00:00:00.000Z" },
    message: { role: "user", content, timestamp: 1 },
  }));
  writeFileSync(file, [header, ...entries].map((one) => `${JSON.stringify(one)}\n`).join(""));
  return file;
}

async function allPages<Item>(client: RpcClient, method: "tree.path" | "getContext"): Promise<Item[]> {
  const items: Item[] = [];
  for (let offset = 0, more = true; more; ) {
    const page = await client.request<Page<Item>>(method, { offset, limit: 1000 });
    items.push(...(page.entries ?? page.messages));
    more = page.next !== null;
    offset = page.next ?? 0;
  }
  return items;
}

async function joined(client: RpcClient, method: string, params: object): Promise<unknown> {
  const texts: string[] = [];
  for (let offset = 0, more = true; more; ) {
    const part = await client.request<{ text: string; next: number | null }>(method, { ...params, offset });
    texts.push(part.text);
    more = part.next !== null;
    offset = part.next ?? 0;
  }
  return JSON.parse(texts.join(""));
}

function longestLine(stdout: string): number {
  return Math.max(...stdout.split("\n").map((line) => Buffer.byteLength(line)));
}

describe("large sessions over RPC", { timeout: 120_000 }, () => {
  test("a context of 5 MB, and of 19 MB in a full run, comes in pages of less than a megabyte", async () => {
    const place = makePlace();
    const texts = Array.from(
      { length: sampledRuns({ all: 190, some: 50 }) },
      (_, n) => `${n} ${"wörter ".repeat(12_500)}`,
    );
    const client = new RpcClient(place, ["--session", sessionWith(place, texts)]);
    const messages = await allPages<{ content: string }>(client, "getContext");
    expect(messages.map(({ content }) => content)).toEqual(texts);
    const { stdout } = await client.close();
    expect(longestLine(stdout)).toBeLessThan(MEGABYTE);
  });

  test("one message of 1.5 MB, and of 5 MB in a full run, is shortened in lists, and can be read in parts", async () => {
    const place = makePlace();
    const huge = "naïve 😀 ".repeat(sampledRuns({ all: 500_000, some: 150_000 }));
    const client = new RpcClient(place, ["--session", sessionWith(place, ["small", huge])]);
    const [small, large] = await allPages<{ id: string; cut?: { characters: number } }>(client, "tree.path");
    expect([small?.cut, (large?.cut?.characters ?? 0) > huge.length]).toEqual([undefined, true]);
    expect(await joined(client, "tree.entryPart", { entryId: "m1" })).toMatchObject({
      id: "m1",
      message: { content: huge },
    });
    const [, shown] = await allPages<{ cut?: object }>(client, "getContext");
    expect(shown).toHaveProperty("cut");
    expect(await joined(client, "getContextPart", { index: 1 })).toMatchObject({ role: "user", content: huge });
    const { stdout } = await client.close();
    expect(longestLine(stdout)).toBeLessThan(MEGABYTE);
  });

  test("an event with a message of 2 MB is shortened too, and names the entry that has the whole", async () => {
    const settings = { model: "offline/rules", compaction: { enabled: false } };
    const client = new RpcClient(makePlace({ settings }));
    const content = "x".repeat(2 * MEGABYTE);
    expect(await client.request("prompt", { text: content })).toHaveProperty("kind");
    const { cut, event } = await client.line(
      (line) => (line.event as { type?: string } | undefined)?.type === "message_end",
    );
    expect(cut).toMatchObject({ characters: expect.any(Number) });
    const { entryId } = event as { readonly entryId: string };
    expect(await joined(client, "tree.entryPart", { entryId })).toMatchObject({ message: { content } });
    const { stdout } = await client.close();
    expect(longestLine(stdout)).toBeLessThan(MEGABYTE);
  });

  test("with 30,000 entries, and 100,000 in a full run, short requests are answered while long ones are under way", async () => {
    const place = makePlace();
    const file = join(place.cwd, "many.jsonl");
    const count = sampledRuns({ all: 100_000, some: 30_000 });
    writeSession(file, { shape: "linear", text: "small", entries: count });
    const client = new RpcClient(place);
    await client.request("getState");
    const answered: string[] = [];
    const ask = async (method: string, params?: object, name = method) => {
      await client.request(method, params);
      answered.push(name);
    };
    await Promise.all([ask("openSession", { session: file }), ask("listTools", {}, "while opening")]);
    expect(answered).toEqual(["while opening", "openSession"]);
    const { leafId } = await client.request<{ leafId: string }>("getState");
    for (const [method, params] of [
      ["getContext", {}],
      ["getStats", {}],
      ["verify", {}],
      ["plan.compact", {}],
      [
        "compare",
        { a: (await client.request<Page<{ id: string }>>("tree.path", { limit: 1 })).entries[0]?.id, b: leafId },
      ],
    ] as const) {
      answered.length = 0;
      await Promise.all([ask(method, params), ask("getState", {}, "meanwhile")]);
      expect(answered).toEqual(["meanwhile", method]);
    }
    const page = await client.request<Page<{ id: string }>>("tree.entries", { offset: count - 1 });
    expect([page.total >= count, page.entries.length > 0]).toEqual([true, true]);
    const { stdout } = await client.close();
    expect(longestLine(stdout)).toBeLessThan(MEGABYTE);
  });
});
