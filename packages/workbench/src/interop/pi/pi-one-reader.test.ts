/** A session file of pi or its forks is the same session whether opened in place or imported. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { FIXTURES, recordsIn, writeRecords } from "../../../../../test/support/interop-source.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { openForeign } from "../open-foreign.js";

const own = fileURLToPath(new URL("../../../../../test/fixtures/interop/pi", import.meta.url));
const roots = [
  own,
  ...["foreign/pi", "foreign/oh-my-pi", "real/pi", "real/pi-new"].map((name) => join(FIXTURES, name)),
];
const samples = roots
  .filter((root) => existsSync(root))
  .flatMap((root) => readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) => join(root, name)))
  .filter((path) => path.endsWith(".jsonl"));

type Links = readonly (readonly [message: string, after: string])[];

/** Every message, with the message before it. */
function linksOf(session: SessionManager): Links {
  const { tree } = session.getSource();
  const messageAt = (n: number) => {
    const entry = session.getEntry(tree.ids.textOf(n));
    return entry?.type === "message" ? JSON.stringify(entry.message) : undefined;
  };
  const all = Array.from({ length: tree.count }, (_, n) => messageAt(n));
  return all.flatMap((message, n) => {
    if (message === undefined) return [];
    let above = tree.parentOf(n);
    while (above >= 0 && all[above] === undefined) above = tree.parentOf(above);
    return [[message, above < 0 ? "" : (all[above] as string)] as const];
  });
}

async function bothWays(path: string): Promise<{ readonly inPlace: Links; readonly imported: Links }> {
  const session = SessionManager.open(path, undefined, { readOnly: true });
  const opened = await openForeign(path);
  try {
    expect(opened.session.buildSessionContext().messages).toEqual(session.buildSessionContext().messages);
    expect(opened.session.getProblems()).toEqual([]);
    return { inPlace: linksOf(session), imported: linksOf(opened.session) };
  } finally {
    session.close();
    opened.close();
  }
}

const copyOf = (path: string): string => {
  const copy = join(tempFolder(), "copy.jsonl");
  writeFileSync(copy, readFileSync(path));
  return copy;
};

describe("a session file of pi or its forks", () => {
  it.each(samples)("has the same contents in place and imported: %s", async (path) => {
    const { inPlace, imported } = await bothWays(copyOf(path));
    expect(imported.toSorted()).toEqual(inPlace.toSorted());
  });

  it.each(samples)("loses only the line that is cut: %s", async (path) => {
    const records = recordsIn(path);
    for (const share of [0.3, 0.5, 0.8]) {
      const at = Math.max(1, Math.floor(records.length * share));
      const line = records[at];
      if (line === undefined || at === records.length - 1) continue;
      const copy = join(tempFolder(), "copy.jsonl");
      writeRecords(copy, records.with(at, line.slice(0, Math.max(200, Math.floor(line.length / 2)))));
      const { inPlace, imported } = await bothWays(copy);
      expect(imported.toSorted()).toEqual(inPlace.toSorted());
    }
  });
});

const time = "2026-01-01T00:00:00.000Z";
const entry = (id: string, parentId: string | null) =>
  JSON.stringify({
    type: "message",
    id,
    parentId,
    timestamp: time,
    message: { role: "user", content: id, timestamp: 1 },
  });
const header = JSON.stringify({ type: "session", version: 3, id: "s", timestamp: time, cwd: "/p" });

async function imported(lines: readonly string[]): Promise<{ ids: string[]; reasons: (string | undefined)[] }> {
  const path = join(tempFolder(), "a.jsonl");
  writeRecords(path, lines);
  await bothWays(path);
  const { session, report, close } = await openForeign(path);
  const ids = session.getBranchIds().filter((id) => session.getEntry(id)?.type === "message");
  close();
  return { ids, reasons: report.counts.filter(({ type }) => type === "unreadable line").map(({ reason }) => reason) };
}

describe("damage in a session file of pi's", () => {
  it("a cut line keeps its place, so nothing before it is lost", async () => {
    const cut = entry("c", "b").slice(0, 90);
    expect(await imported([header, entry("a", null), entry("b", "a"), cut, entry("d", "c"), entry("e", "d")])).toEqual({
      ids: ["a", "b", "d", "e"],
      reasons: [undefined],
    });
  });

  it("records in one line, because a newline was lost, are all kept", async () => {
    const joined = `${entry("b", "a")}${entry("c", "b")}`;
    expect(await imported([header, entry("a", null), joined, entry("d", "c")])).toEqual({
      ids: ["a", "b", "c", "d"],
      reasons: ["several records in one line"],
    });
  });

  it("a parent that comes later is still the parent", async () => {
    const lines = [header, entry("a", null), entry("c", "b"), entry("b", "a"), entry("d", "c")];
    expect(await imported(lines)).toEqual({ ids: ["a", "b", "c", "d"], reasons: [] });
  });
});
