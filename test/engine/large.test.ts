/** Rules I8 and I9: very many entries in a chain, and very many children of one parent, in every operation. */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionManager, type SessionTreeNode } from "@bough/session/session/index.js";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { user } from "../support/messages.js";
import { sampledRuns } from "../support/sampled.js";
import { HEADER_LINE, line } from "../support/session-lines.js";

const folder = mkdtempSync(join(tmpdir(), "bough-large-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file written directly, without a session manager. */
function written(name: string, lines: Iterable<string>): string {
  const path = join(folder, name);
  const out = openSync(path, "w");
  let batch = HEADER_LINE;
  for (const one of lines) {
    batch += one;
    if (batch.length < 1 << 20) continue;
    writeSync(out, batch);
    batch = "";
  }
  writeSync(out, batch);
  closeSync(out);
  return path;
}

const id = (n: number) => `${n.toString(16).padStart(8, "0")}cafe`;

function message(n: number, parent: number): string {
  const place = `"id":"${id(n)}","parentId":${parent < 0 ? "null" : `"${id(parent)}"`}`;
  return `{"type":"message",${place},"timestamp":"2026-01-15T12:00:00.000Z","message":{"role":"user","content":"${n}"}}\n`;
}

/** How many nodes a walk visits, without reading an entry and without recursion. */
function countNodes(roots: readonly SessionTreeNode[]): number {
  let count = 0;
  const open = [...roots];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    count += 1;
    for (const child of node.children) open.push(child);
  }
  return count;
}

let session: SessionManager;
afterEach(() => session.close());

const CHAIN = sampledRuns({ all: 1_000_000, some: 130_000 });

describe(`a chain of ${CHAIN} entries`, () => {
  const COUNT = CHAIN;
  const FAR = COUNT * 0.7;
  const FORK = COUNT * 0.3;
  /** The compaction near the leaf, and where it keeps from. */
  const SUMMARY = COUNT - 100;
  const KEPT = COUNT - 200;

  function* chain(): Generator<string> {
    for (let n = 0; n < COUNT; n++) {
      if (n !== SUMMARY) yield message(n, n - 1);
      else {
        const fields = { message: undefined, type: "compaction", summary: "short", tokensBefore: 1 };
        yield line(id(n), id(n - 1), { ...fields, firstKeptEntryId: id(KEPT) });
      }
    }
  }

  const path = written("chain.jsonl", chain());

  it("opens, is counted, walked and asked about", () => {
    session = SessionManager.open(path);
    expect([session.getLeafId(), session.getCounts()]).toEqual([
      id(COUNT - 1),
      { entries: COUNT, messages: COUNT - 1, branches: 1 },
    ]);
    expect(countNodes(session.getTree())).toBe(COUNT);
    expect(session.getChildren(id(COUNT / 2)).map((entry) => entry.id)).toEqual([id(COUNT / 2 + 1)]);
    expect([session.resolveEntry("0001bcde"), session.getEntry(id(123_456))?.parentId]).toEqual([
      id(0x1bcde),
      id(123_455),
    ]);
  });

  it("has a path to the middle and to the leaf, and a context from its compaction on", () => {
    session = SessionManager.open(path, undefined, { readOnly: true });
    expect([session.getBranch(id(99_999)).length, session.getBranch().length]).toEqual([100_000, COUNT]);
    const { messages } = session.buildSessionContext();
    // The summary, a hundred entries before the compaction, and what follows it.
    expect([messages.length, messages[1]]).toEqual([200, { role: "user", content: `${KEPT}` }]);
  });

  it("is labelled, branched, appended to and opened again", () => {
    session = SessionManager.open(path);
    session.branch(id(10));
    const tip = session.appendMessage(user("a branch near the start"));
    session.appendLabelChange(id(FAR), "far up");
    expect([session.getLabel(id(FAR)), session.resolveEntry("far up")]).toEqual(["far up", id(FAR)]);
    session.branch(id(COUNT - 1));
    const end = session.appendMessage(user("goes on"));
    session.close();
    session = SessionManager.open(path, undefined, { readOnly: true });
    expect([session.getLeafId(), session.getCounts().branches, session.getBranch(tip).length]).toEqual([end, 2, 12]);
    expect(session.getProblems()).toEqual([]);
  });

  it("is forked at the end of a path a third as long", () => {
    session = SessionManager.open(path, folder);
    const file = session.createBranchedSession(id(FORK - 1));
    expect([session.getCounts().entries, session.getLeafId(), session.getHeader().parentSession]).toEqual([
      FORK,
      id(FORK - 1),
      path,
    ]);
    expect(file).not.toBe(path);
  });
});

describe("a hundred thousand children of one parent", () => {
  const COUNT = 100_001;

  function* siblings(): Generator<string> {
    for (let n = 0; n < COUNT; n++) yield message(n, n === 0 ? -1 : 0);
  }

  const path = written("siblings.jsonl", siblings());

  it("open, are counted, walked and read, oldest first", () => {
    session = SessionManager.open(path);
    expect([session.getLeafId(), session.getCounts()]).toEqual([
      id(COUNT - 1),
      { entries: COUNT, messages: COUNT, branches: COUNT - 1 },
    ]);
    expect(countNodes(session.getTree())).toBe(COUNT);
    const children = session.getChildren(id(0));
    expect([children.length, children[0]?.id, children.at(-1)?.id]).toEqual([COUNT - 1, id(1), id(COUNT - 1)]);
    expect(session.getBranch().map((entry) => entry.id)).toEqual([id(0), id(COUNT - 1)]);
    expect(session.buildSessionContext().messages.length).toBe(2);
  });

  it("are each labelled, and the labels follow into a fork", () => {
    session = SessionManager.open(path, folder);
    for (let n = 1; n <= 1000; n++) session.appendLabelChange(id(n), `label ${n}`);
    expect([session.getLabel(id(1000)), session.resolveEntry("label 7")]).toEqual(["label 1000", id(7)]);
    session.createBranchedSession(id(7));
    expect(session.getEntries().map(({ type }) => type)).toEqual(["message", "message", "label"]);
    expect(session.getLabel(id(7))).toBe("label 7");
  });

  it("get another one from each of a thousand moves", () => {
    session = SessionManager.open(path);
    for (let n = 0; n < 1000; n++) {
      session.branch(id(0));
      session.appendMessage(user(`${n}`));
    }
    session.branch(id(50_000));
    session.close();
    session = SessionManager.open(path, undefined, { readOnly: true });
    // The thousand labels of the test before, if it ran, are children of the leaf and not of the parent.
    expect([session.getChildren(id(0)).length, session.getLeafId()]).toEqual([COUNT - 1 + 1000, id(50_000)]);
  });
});
