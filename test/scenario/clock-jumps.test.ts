/** The clock of a machine is set while sessions are open: a day back, a year forward, in one of two processes or in both. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager, verifySession } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { RpcClient } from "./cli-rpc-client.js";
import { bough, makePlace, type Place, type Running, sessionFiles, theOnly } from "./cli-support.js";

const DAY = 24 * 60 * 60_000;
const YEAR = 365 * DAY;
const SHIFT = new URL("../support/shifted-clock.mjs", import.meta.url).href;

/** A clock that can be set, and the place with it. */
function shifted(place: Place): { readonly place: Place; readonly set: (milliseconds: number) => void } {
  const file = join(tempFolder(), "clock");
  const set = (milliseconds: number) => writeFileSync(file, String(milliseconds));
  set(0);
  return { place: { ...place, env: { ...place.env, NODE_OPTIONS: `--import=${SHIFT}`, CLOCK_FILE: file } }, set };
}

interface Line {
  readonly type: string;
  readonly id: string;
  readonly parentId: string | null;
  readonly customType?: string;
  readonly data?: { readonly by?: string; readonly changes?: readonly { readonly path: string }[] };
}

function entriesOf(file: string): readonly Line[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.slice(1).map((line) => JSON.parse(line) as Line);
}

/** The prompts on the path of a session that is opened. Nothing else is wrong with it than what the clock said. */
async function prompts(file: string): Promise<readonly string[]> {
  const { findings } = await verifySession(file);
  const known = ["clock-backwards", "unpaired-call"];
  expect(findings.filter(({ code }) => !known.includes(code))).toEqual([]);
  const session = SessionManager.open(file, undefined, { readOnly: true });
  try {
    const { messages } = session.buildSessionContext();
    return messages.flatMap((message) => (message.role === "user" ? [String(message.content)] : []));
  } finally {
    session.close();
  }
}

async function promptIds(client: RpcClient): Promise<ReadonlyMap<string, string>> {
  const { entries } = await client.request<{ entries: { id: string; message?: { role: string; content: string } }[] }>(
    "tree.path",
  );
  return new Map(entries.flatMap(({ id, message }) => (message?.role === "user" ? [[message.content, id]] : [])));
}

const write = (text: string) => `write "${text}" to f.txt`;
const ARGS = ["--permission", "auto", "--sandbox", "off", "--session-id", "jumps"];
const JUMPS = [
  ["a day back", -DAY],
  ["a year forward", YEAR],
] as const;

describe.each(JUMPS)("a clock that jumps %s", (_name, jump) => {
  test("in the middle of a session: order, leaf, ids, files and the list stay right", async () => {
    const { place, set } = shifted(makePlace());
    const f = join(place.cwd, "f.txt");
    const client = new RpcClient(place, ARGS);
    await client.request("prompt", { text: write("one") });
    set(jump);
    await client.request("prompt", { text: write("two") });
    // What a person does meanwhile is theirs.
    writeFileSync(join(place.cwd, "mine.txt"), "mine");
    set(0);
    await client.request("prompt", { text: write("three") });
    const file = theOnly(sessionFiles(place));
    const entries = entriesOf(file);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    const ids = await promptIds(client);
    expect([...ids.keys()]).toEqual([write("one"), write("two"), write("three")]);
    const records = entries.flatMap(({ customType, data }) => (customType === "bough.files" ? [data] : []));
    expect(records.map((data) => [data?.by, data?.changes?.map(({ path }) => path)])).toEqual([
      ["tool", ["f.txt"]],
      ["tool", ["f.txt"]],
      ["person", ["mine.txt"]],
      ["tool", ["f.txt"]],
    ]);

    const listed = JSON.parse((await bough(place, ["ls", "--json"])).stdout) as { sessions: object[] };
    expect(listed.sessions).toMatchObject([{ id: "jumps", turns: 3, branches: 1, firstMessage: write("one") }]);

    // Back with the files, each step undone with what it did.
    for (const [to, content] of [
      ["three", "two"],
      ["two", "one"],
    ] as const) {
      const moved = await client.request("navigateTree", { targetId: ids.get(write(to)), files: "follow" });
      expect(moved).toMatchObject({ cancelled: false });
      expect(readFileSync(f, "utf8")).toBe(content);
    }
    await client.request("prompt", { text: write("four") });
    expect(await client.close()).toMatchObject({ code: 0, stderr: "" });
    expect(await prompts(file)).toEqual([write("one"), write("four")]);
  });

  test("in one of two processes with one session: nothing is lost, and each is present for the other", async () => {
    const place = makePlace();
    const here = shifted(place);
    const there = shifted(place);
    const a = new RpcClient(here.place, ARGS);
    await a.request("prompt", { text: "say a1" });
    const b = new RpcClient(there.place, ARGS);
    await b.request("prompt", { text: "say b1" });
    here.set(jump);
    await Promise.all([a.request("prompt", { text: "say a2" }), b.request("prompt", { text: "say b2" })]);
    // Whatever the clock of the one who asks says.
    for (const { place: asking } of [here, there]) {
      const { code, stderr } = await bough(asking, ["archive", "jumps", "--yes"]);
      expect([code, stderr]).toEqual([1, expect.stringContaining("is open in")]);
    }
    there.set(jump);
    here.set(0);
    await Promise.all([a.request("prompt", { text: "say a3" }), b.request("prompt", { text: "say b3" })]);
    for (const [client, own] of [
      [a, ["say a1", "say a2", "say a3"]],
      [b, ["say b1", "say b2", "say b3"]],
    ] satisfies [RpcClient, string[]][]) {
      const said = [...(await promptIds(client)).keys()].filter((text) => own.includes(text));
      expect(said).toEqual(own);
      expect(await client.close()).toMatchObject({ code: 0, stderr: "" });
    }
    const file = theOnly(sessionFiles(place));
    await prompts(file);
    const said = entriesOf(file).flatMap((entry) => JSON.stringify(entry).match(/"say [ab][123]"/) ?? []);
    expect(said.sort()).toEqual(['"say a1"', '"say a2"', '"say a3"', '"say b1"', '"say b2"', '"say b3"']);
    expect(await bough(place, ["archive", "jumps", "--yes"])).toMatchObject({ code: 0 });
  });

  test("while a command runs: what another session writes meanwhile is not the command's", async () => {
    const place = makePlace();
    const here = shifted(place);
    const a = new RpcClient(here.place, ARGS);
    await a.request("prompt", { text: "say hello" });
    const b = new RpcClient(place, ["--permission", "auto", "--sandbox", "off", "--session-id", "other"]);
    await b.request("prompt", { text: "say hello" });
    const command = "$ printf a > a.txt; until [ -e go.txt ] || ! [ -e app.js ]; do sleep 0.05; done";
    const running = a.request("prompt", { text: command });
    await expect.poll(() => existsSync(join(place.cwd, "a.txt")), { timeout: 60_000 }).toBe(true);
    here.set(jump);
    await b.request("prompt", { text: 'write "b" to b.txt' });
    await b.request("prompt", { text: 'write "go" to go.txt' });
    await running;
    const moved = await a.request("navigateTree", { targetId: (await promptIds(a)).get(command), files: "follow" });
    expect(moved).toMatchObject({ cancelled: false });
    expect(["a.txt", "b.txt", "go.txt"].map((name) => existsSync(join(place.cwd, name)))).toEqual([false, true, true]);
    for (const client of [a, b]) expect(await client.close()).toMatchObject({ code: 0, stderr: "" });
  });

  test("before a kill in the middle of a command: the next start knows what the command did", async () => {
    const { place, set } = shifted(makePlace());
    const killed = new RpcClient(place, ARGS);
    await killed.request("prompt", { text: write("one") });
    const command = "$ rm notes.txt; printf a > a.txt; while [ -e app.js ]; do sleep 0.05; done";
    set(jump);
    const running = killed.request("prompt", { text: command }).catch(() => undefined);
    await expect.poll(() => existsSync(join(place.cwd, "a.txt")), { timeout: 60_000 }).toBe(true);
    await (killed.running as Running).killNow();
    await running;
    set(0);
    const next = new RpcClient(place, ARGS);
    const ids = await promptIds(next);
    expect([...ids.keys()]).toEqual([write("one"), command]);
    const moved = await next.request("navigateTree", { targetId: ids.get(command), files: "follow" });
    expect(moved).toMatchObject({ cancelled: false });
    expect([existsSync(join(place.cwd, "a.txt")), readFileSync(join(place.cwd, "notes.txt"), "utf8")]).toEqual([
      false,
      "buy milk\nwrite tests\n",
    ]);
    await next.close();
    expect(await prompts(theOnly(sessionFiles(place)))).toEqual([write("one")]);
  });
});
