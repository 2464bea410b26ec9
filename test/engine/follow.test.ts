/** Rule I5: what another process writes is reported live, once and in order; what this one writes is not. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { appendFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { type FollowEvent, type FollowOptions, SessionManager } from "@bough/session/session/index.js";
import { afterEach, describe, expect, it } from "vitest";
import { user } from "../support/messages.js";
import { support } from "../support/run-child.js";
import { brokenLine, HEADER_LINE, line } from "../support/session-lines.js";
import { tempFolder } from "../support/temp-folder.js";
import { tree } from "../support/tree-notation.js";

const children: ChildProcessByStdio<Writable, Readable, null>[] = [];
const ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends.splice(0)) end();
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** A second process on the file: a command is complete when it is answered. */
async function otherProcess(file: string) {
  const child = spawn(process.execPath, [support("engine-follower.mjs"), file], { stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await answers.next();
  return async (act: "append" | "rename" | "close", text = ""): Promise<string> => {
    child.stdin.write(`${JSON.stringify([act, text])}\n`);
    return JSON.parse((await answers.next()).value ?? "null") as string;
  };
}

/** Follows a session; `until` waits until the reported events satisfy a condition. */
function followed(session: SessionManager, options: FollowOptions) {
  const events: FollowEvent[] = [];
  let wake = () => {};
  const stop = session.follow((event) => {
    events.push(event);
    wake();
  }, options);
  ends.push(stop);
  const ids = () => events.flatMap((event) => (event.kind === "entries" ? event.ids : []));
  return {
    events,
    ids,
    stop,
    async until(isEnough: () => boolean): Promise<void> {
      while (!isEnough()) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
}

const MODES: readonly (readonly [string, FollowOptions])[] = [
  ["watching", { mode: "auto" }],
  ["polling", { mode: "poll", pollMs: 5 }],
];

describe.each(MODES)("following by %s", (_, options) => {
  it("tells the entries of another process as they come, and the session has them", async () => {
    const session = tree("a-b", { dir: tempFolder() });
    const order = await otherProcess(session.getSessionFile() as string);
    const { ids, until, events } = followed(session, options);
    const first = await order("append", "one");
    await until(() => ids().length >= 1);
    expect([ids(), session.getEntry(first)]).toMatchObject([[first], { parentId: "b", message: user("one") }]);
    const rest = [await order("append", "two"), await order("rename", "a name"), await order("append", "three")];
    await until(() => ids().length >= 4);
    expect([ids(), session.getSessionName(), session.getLeafId()]).toEqual([[first, ...rest], "a name", "b"]);
    expect(events.every(({ kind }) => kind === "entries")).toBe(true);
    session.close();
  });

  it("does not tell what this process appends, also when both write", async () => {
    const session = tree("a-b", { dir: tempFolder() });
    const order = await otherProcess(session.getSessionFile() as string);
    const { ids, until } = followed(session, options);
    const own: string[] = [];
    const theirs: string[] = [];
    for (let i = 0; i < 20; i++) {
      own.push(session.appendMessage(user(`own ${i}`)));
      theirs.push(await order("append", `their ${i}`));
    }
    await until(() => ids().length >= theirs.length);
    expect([ids(), session.getBranch().map(({ id }) => id)]).toEqual([theirs, ["a", "b", ...own]]);
    session.close();
  });

  it("starts with what was written before it started", async () => {
    const session = tree("a-b", { dir: tempFolder() });
    const order = await otherProcess(session.getSessionFile() as string);
    const early = await order("append", "early");
    const { ids } = followed(session, options);
    expect(ids()).toEqual([early]);
    session.close();
  });

  it("tells a session that is only read, and leaves its file alone", async () => {
    const source = tree("a-b", { dir: tempFolder() });
    source.close();
    const file = source.getSessionFile() as string;
    const session = SessionManager.open(file, undefined, { readOnly: true });
    const order = await otherProcess(file);
    const { ids, until } = followed(session, options);
    const added = await order("append", "one");
    await until(() => ids().length >= 1);
    expect([ids(), session.getEntry(added)?.parentId, session.getLeafId()]).toEqual([[added], "b", "b"]);
    session.close();
  });

  it("tells when the file vanishes, and goes on when it is there again", async () => {
    const file = join(tempFolder(), "session.jsonl");
    const text = HEADER_LINE + line("a", null);
    writeFileSync(file, text);
    const session = SessionManager.open(file, undefined, { readOnly: true });
    const { events, ids, until } = followed(session, options);
    rmSync(file);
    await until(() => events.some(({ kind }) => kind === "vanished"));
    expect(session.getEntries().map(({ id }) => id)).toEqual(["a"]);
    writeFileSync(`${file}.new`, text + line("b", "a"));
    renameSync(`${file}.new`, file);
    await until(() => ids().length >= 1);
    expect([ids(), session.getEntry("b")?.parentId]).toEqual([["b"], "a"]);
    session.close();
  });

  it("tells of new damage, where it is", async () => {
    const session = tree("a-b", { dir: tempFolder() });
    const file = session.getSessionFile() as string;
    const { events, ids, until } = followed(session, options);
    appendFileSync(file, `what?\n${line("c", "b")}`);
    await until(() => ids().length >= 1 && events.some(({ kind }) => kind === "problems"));
    const problems = events.flatMap((event) => (event.kind === "problems" ? event.problems : []));
    expect(problems.map(({ code, line: number }) => [code, number])).toEqual([["unreadable-line", 4]]);
    session.close();
  });

  it("does not take a line that is still on its way for damage", async () => {
    const file = join(tempFolder(), "session.jsonl");
    writeFileSync(file, HEADER_LINE + line("a", null));
    const session = SessionManager.open(file, undefined, { readOnly: true });
    const { events, ids, until } = followed(session, options);
    const last = line("c", "b");
    appendFileSync(file, line("b", "a") + last.slice(0, 60));
    await until(() => ids().length >= 1);
    appendFileSync(file, last.slice(60));
    await until(() => ids().length >= 2);
    expect([ids(), events.every(({ kind }) => kind === "entries")]).toEqual([["b", "c"], true]);
    session.close();
  });

  it("tells nothing after it was stopped, by its function and by a signal", async () => {
    const file = join(tempFolder(), "session.jsonl");
    writeFileSync(file, HEADER_LINE + line("a", null));
    const session = SessionManager.open(file, undefined, { readOnly: true });
    const stopper = new AbortController();
    const stopped = [followed(session, options), followed(session, { ...options, signal: stopper.signal })];
    stopped[0]?.stop();
    stopper.abort();
    const { ids, until } = followed(session, options);
    appendFileSync(file, line("b", "a") + brokenLine("c", "b"));
    await until(() => ids().length >= 1);
    expect(stopped.map(({ events }) => events)).toEqual([[], []]);
    session.close();
  });
});

it("a session in memory has nobody to follow", () => {
  const told: FollowEvent[] = [];
  tree("a-b").follow((event) => told.push(event))();
  expect(told).toEqual([]);
});

describe("refreshing", () => {
  it("answers the entries of another process once, oldest first, and never its own", async () => {
    const session = tree("a-b", { dir: tempFolder() });
    const order = await otherProcess(session.getSessionFile() as string);
    const first = await order("append", "one");
    session.appendMessage(user("own"));
    const second = await order("append", "two");
    expect([session.refresh(), session.refresh()]).toEqual([[first, second], []]);
    expect(session.getLeafId()).toBe("n1");
    await order("close");
    expect(session.refresh()).toEqual([]);
    session.close();
  });
});
