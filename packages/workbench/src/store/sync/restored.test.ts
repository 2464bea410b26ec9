/** Files and stores that changed outside Bough: restored from a backup, replaced, copied, or still arriving. */
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sessionFolder } from "@bough/session/session/index.js";
import { describe, expect, it, vi } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { FolderStore } from "../folder/folder-store.js";
import { replicaNamed } from "../store-contract.test-support.js";
import { syncMachine } from "./sync-machine.test-support.js";
import { syncSessions } from "./sync-sessions.js";
import { SyncStates } from "./sync-state.js";

/** Two machines that have a session with one prompt. */
async function two() {
  const folder = join(tempFolder(), "store");
  const [a, b] = [syncMachine("a", folder), syncMachine("b", folder)];
  const id = a.begin("first");
  await a.sync(id);
  await b.sync(id);
  return { folder, a, b, id };
}

describe("a session file that was restored from a backup", () => {
  it("gets back what it had pulled and pushed since", async () => {
    const { a, b, id } = await two();
    copyFileSync(a.file, `${a.file}.backup`);
    b.say("from b");
    await b.sync(id);
    await a.sync(id);
    a.say("own");
    await a.sync(id);
    copyFileSync(`${a.file}.backup`, a.file);
    expect(await a.sync(id)).toMatchObject({ pushed: 0, pulled: 2 });
    expect(a.texts()).toEqual(["first", "from b", "own"]);
  });

  it("pushes what is written where pulled entries were", async () => {
    const { a, b, id } = await two();
    b.say("b ".repeat(300));
    await b.sync(id);
    a.say("held");
    copyFileSync(a.file, `${a.file}.backup`);
    await a.sync(id, { mayLeave: async () => "no" });
    copyFileSync(`${a.file}.backup`, a.file);
    a.say("one");
    a.say("two");
    await a.sync(id, { mayLeave: async () => "no" });
    await a.sync(id);
    await b.sync(id);
    expect(b.texts().sort()).toEqual(["b ".repeat(300), "first", "held", "one", "two"]);
  });
});

describe("a store that was restored from a backup", () => {
  it("gets back what was pushed since", async () => {
    const { folder, a, b, id } = await two();
    cpSync(folder, `${folder}.backup`, { recursive: true });
    a.say("second");
    await a.sync(id);
    await b.sync(id);
    rmSync(folder, { recursive: true });
    cpSync(`${folder}.backup`, folder, { recursive: true });
    const c = syncMachine("c", folder);
    await c.sync(id);
    c.say("third");
    await c.sync(id);
    for (const one of [b, a, c]) await one.sync(id);
    for (const one of [a, b, c]) expect(one.texts().sort()).toEqual(["first", "second", "third"]);
  });

  it("gets back what other machines had pushed after a removal that was undone", async () => {
    const { a, b, id } = await two();
    b.say("from b");
    await b.sync(id);
    await a.store.remove(id);
    await a.store.readmit(id);
    a.states.delete(id);
    for (const one of [a, b, a]) await one.sync(id);
    expect(a.texts()).toEqual(["first", "from b"]);
  });
});

describe("a file of the store that was replaced by another version", () => {
  it("is read from its start: nothing is missed and nothing counts as damaged", async () => {
    const { folder, a, id } = await two();
    const c = syncMachine("c", folder);
    a.say("a text that is quite a bit longer than those of the other version");
    await a.sync(id);
    await c.sync(id);
    // A machine with the same replica ID wrote another version; the sync tool kept this one as a conflict copy.
    const stored = a.stored(id);
    copyFileSync(stored, stored.replace(".jsonl", ".sync-conflict-20260101-120000-ABCDEFG.jsonl"));
    const first = readFileSync(stored, "utf8").split("\n").slice(0, 2).join("\n");
    const short = (n: number) =>
      `{"type":"message","id":"s${n}","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":"short ${n}","timestamp":1}}`;
    writeFileSync(stored, `${[first, short(1), short(2), short(3)].join("\n")}\n`);
    expect(await c.sync(id)).toMatchObject({ pulled: 3, damaged: 0 });
    expect(c.texts()).toEqual(expect.arrayContaining(["short 1", "short 2", "short 3"]));
  });
});

describe("a session that is still on its way", () => {
  it("comes once it is there, and was not deleted here", async () => {
    const { folder, a, id } = await two();
    await a.sync(id, { about: { project: "p" } });
    a.say("second");
    await a.sync(id, { about: { project: "p" } });
    const whole = readFileSync(a.stored(id));
    for (const cut of [0, whole.indexOf(10) + 1]) {
      writeFileSync(a.stored(id), whole.subarray(0, cut));
      const home = tempFolder();
      vi.stubEnv("BOUGH_HOME", home);
      const store = FolderStore.open({ folder, replica: replicaNamed(`new ${cut}`), search: async () => [] });
      const request = { store, states: new SyncStates(home, "store"), cwd: home, project: "p" };
      expect(await syncSessions(request)).toMatchObject({ synced: [], skipped: [] });
      writeFileSync(a.stored(id), whole);
      expect(await syncSessions(request)).toMatchObject({ synced: [{ pulled: 2 }], skipped: [] });
    }
  });
});

describe("a session of which two files are on a machine", () => {
  it("is synced in both", async () => {
    const { folder, a, id } = await two();
    const home = tempFolder();
    vi.stubEnv("BOUGH_HOME", home);
    const cwd = join(home, "project");
    mkdirSync(sessionFolder(cwd), { recursive: true });
    const files = ["one", "two"].map((name) => join(sessionFolder(cwd), `${name}.jsonl`));
    for (const file of files) copyFileSync(a.file, file);
    const store = FolderStore.open({ folder, replica: replicaNamed("c"), search: async () => [] });
    const request = { store, states: new SyncStates(home, "store"), cwd, ids: [id] };
    await syncSessions(request);
    a.say("second");
    await a.sync(id);
    await syncSessions(request);
    for (const file of files) expect(readFileSync(file, "utf8")).toContain("second");
  });
});

describe("the position", () => {
  it("of a new copy is where the machine that was last left off, however many pieces came", async () => {
    const { folder, a, b, id } = await two();
    b.say("second");
    await b.sync(id);
    await a.sync(id);
    const c = syncMachine("c", folder);
    // Files are read in the order in which they were written.
    utimesSync(a.stored(id), 1, 1);
    utimesSync(b.stored(id), 2, 2);
    await c.sync(id);
    expect(c.position()).toBe(b.position());
    const d = syncMachine("d", folder);
    utimesSync(a.stored(id), 3, 3);
    await d.sync(id);
    expect(d.position()).toBe(a.position());
  });

  it("of a new copy is found again if the first pull was stopped in between", async () => {
    const { folder, a, b, id } = await two();
    b.say("second");
    await b.sync(id);
    utimesSync(a.stored(id), 1, 1);
    utimesSync(b.stored(id), 2, 2);
    const c = syncMachine("c", folder);
    const stop = new AbortController();
    const pull = c.store.pull.bind(c.store);
    vi.spyOn(c.store, "pull").mockImplementationOnce(async function* (...words) {
      for await (const piece of pull(...words)) {
        yield piece;
        stop.abort();
      }
    });
    await expect(c.sync(id, { signal: stop.signal })).rejects.toMatchObject({ code: "sync-aborted" });
    expect(c.texts()).toEqual(["first"]);
    await c.sync(id);
    expect(c.position()).toBe(b.position());
  });

  it("keeps to what another program writes while a pull searches for it", async () => {
    const { a, b, id } = await two();
    b.say("from b");
    await b.sync(id);
    let typed: string | undefined;
    const now = () => {
      typed ??= a.say("typed meanwhile");
      return new Date();
    };
    await a.sync(id, { now });
    expect(a.position()).toBe(typed);
  });
});
