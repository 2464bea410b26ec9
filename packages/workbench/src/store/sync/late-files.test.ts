/** A folder whose files arrive late, incomplete or under other names; and two concurrent pulls of one session. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager, verifySession } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { syncMachine } from "./sync-machine.test-support.js";

const idsIn = (file: string): string[] =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).id);

/** Two machines took turns in one session: first a, then b below it, then a again below that. */
async function taken() {
  const folder = join(tempFolder(), "store");
  const a = syncMachine("a", folder);
  const b = syncMachine("b", folder);
  const id = a.begin("first");
  const first = a.position();
  await a.sync(id);
  await b.sync(id);
  const second = b.say("second");
  await b.sync(id);
  await a.sync(id);
  const open = SessionManager.open(a.file);
  open.branch(second);
  const third = open.appendMessage({ role: "user", content: "third", timestamp: 1 });
  open.close();
  await a.sync(id);
  const files = join(folder, "sessions", id);
  return { id, entries: [first, second, third], ofA: a.stored(id), ofB: b.stored(id), others: notLines(files) };
}

function notLines(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => (name.endsWith(".jsonl") ? [] : [join(folder, name)]));
}

describe("a folder whose files arrive one by one", () => {
  it("late, half, whole and as conflict copies: every entry is there once, below its parent", async () => {
    const { id, entries, ofA, ofB, others } = await taken();
    const folder = join(tempFolder(), "arriving");
    const c = syncMachine("c", folder);
    const there = join(folder, "sessions", id);
    mkdirSync(there, { recursive: true });
    for (const other of others) copyFileSync(other, join(there, other.slice(other.lastIndexOf("/") + 1)));
    const place = (file: string) => join(there, file.slice(file.lastIndexOf("/") + 1));
    // The child arrives before its parent.
    copyFileSync(ofB, place(ofB));
    await c.sync(id);
    expect(idsIn(c.file)).toContain(entries[1]);
    // Half of the other file, cut in the middle of its last line.
    const whole = readFileSync(ofA);
    writeFileSync(place(ofA), whole.subarray(0, whole.length - 20));
    await c.sync(id);
    expect(idsIn(c.file)).not.toContain(entries[2]);
    // The complete file under another name, then in its own place.
    copyFileSync(ofA, place(ofA).replace(".jsonl", ".sync-conflict-20260101-AAAA.jsonl"));
    await c.sync(id);
    copyFileSync(ofA, place(ofA));
    await c.sync(id);
    await c.sync(id);
    const ids = idsIn(c.file);
    for (const entry of entries) expect(ids.filter((one) => one === entry)).toHaveLength(1);
    const session = SessionManager.open(c.file, undefined, { readOnly: true });
    expect(session.getPath(entries[2] as string).map((entry) => entry.id)).toEqual(entries);
    session.close();
    expect((await verifySession(c.file)).counts.damage).toBe(0);
  });
});

describe("two pulls of one session at once", () => {
  it("write every line once, into a new file and into one that is there", async () => {
    const folder = join(tempFolder(), "store");
    const a = syncMachine("a", folder);
    const id = a.begin(...Array.from({ length: 20 }, (_, n) => `prompt ${n}`));
    await a.sync(id);
    const b = syncMachine("b", folder);
    await Promise.all([b.sync(id), b.sync(id), b.sync(id)]);
    expect(readFileSync(b.file, "utf8").trimEnd().split("\n")).toHaveLength(21);
    a.say("more");
    await a.sync(id);
    await Promise.all([b.sync(id), b.sync(id)]);
    const ids = idsIn(b.file).filter((one, at, all) => all.indexOf(one) !== at);
    expect(ids).toEqual([]);
    expect((await verifySession(b.file)).counts.damage).toBe(0);
  });
});
