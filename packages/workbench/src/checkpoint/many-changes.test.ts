/** Sessions that claim to have changed more files than any step does. */
import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import {
  type CustomEntry,
  type EntryId,
  FILES_TYPE,
  type FileDelta,
  type FileState,
  Kind,
} from "@bough/session/entry/index.js";
import { type FilesRecord, MOST_CHANGES } from "@bough/session/entry/internal.js";
import { SessionManager } from "@bough/session/session/index.js";
import { commonAncestor, type FileStep, fileTargets } from "@bough/session/tree/index.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sampledRuns } from "../../../../test/support/sampled.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { filesBetween, filesToDisk } from "./diff-files.js";
import { filesPlace } from "./files-place.test-support.js";
import { planRestore } from "./plan-restore.js";
import { hasFileRecords, stepsBetween } from "./steps-between.js";
import { namedHashes } from "./store/collect-garbage.js";

function changesNamed(start: string, count: number): readonly FileDelta[] {
  return Array.from({ length: count }, (_, n) => ({ path: `${start}${n}`, before: null, after: null }));
}

function stateOf(n: number): FileState {
  return { hash: n.toString(16).padStart(64, "0"), mode: "644", size: n };
}

/** Only the number matters: the items are never looked at. */
const TOO_MANY = Array.from({ length: MOST_CHANGES + 1 }, () => 0);

describe("a record of more changes than any step makes", () => {
  test("is not read, and one sentence says so; the conversation is intact, and the record stays in the file", async () => {
    const place = await filesPlace();
    const first = place.say("first");
    const record = { v: 1, by: "tool", tool: "bash", changes: TOO_MANY };
    const entry = place.session.appendCustomEntry(FILES_TYPE, record);
    place.say("second");
    const message = `Entry ${entry} records changes of more than 1,000,000 files`;
    const refused = { code: "too-many-changes", message };
    await expect(place.files.recordOutside()).rejects.toMatchObject(refused);
    await expect(place.files.plan(first)).rejects.toMatchObject(refused);
    const source = place.session.getSource();
    const { store, root } = place;
    await expect(filesToDisk(source, source.leaf, { store, root })).rejects.toMatchObject(refused);
    const between = await filesBetween(source, { from: place.numberOf(first), to: source.leaf }, { store });
    expect(between).toMatchObject({ changes: [], unread: [entry] });
    expect(hasFileRecords(source)).toBe(true);
    place.session.close();
    const again = SessionManager.open(place.session.getSessionFile() as string);
    expect(again.getBranch().map(({ type }) => type)).toEqual(["message", "custom", "message"]);
    again.close();
  });

  test("is refused too if the list is a stored content", async () => {
    const place = await filesPlace();
    place.say("first");
    const changesIn = await place.store.put(Buffer.from(JSON.stringify(TOO_MANY)));
    place.session.appendCustomEntry(FILES_TYPE, { v: 1, by: "tool", tool: "bash", changes: [], changesIn });
    await expect(place.files.plan(null)).rejects.toMatchObject({
      code: "too-many-changes",
      message: "This session has a record of changes of more than 1,000,000 files",
    });
  });
});

describe("many steps one after the other", () => {
  const NAMES = ["a", "b", "c"];
  const state = fc.option(fc.integer({ min: 1, max: 3 }).map(stateOf), { nil: null });
  const change = fc.record({ path: fc.constantFrom(...NAMES), before: state, after: state });
  const record = fc.record({
    by: fc.constantFrom<FilesRecord["by"]>("tool", "tool", "person", "restore"),
    changes: fc.uniqueArray(change, { selector: ({ path }) => path, minLength: 1 }),
    with: fc.option(fc.constant([{ session: "other" }]), { nil: undefined }),
    skipped: fc.uniqueArray(
      fc.record({ path: fc.constantFrom(...NAMES), why: fc.constantFrom("too-large", "special") }),
      {
        selector: ({ path }) => path,
      },
    ),
    // How far above the last entry this one is attached.
    above: fc.nat(3),
  });

  test("lead to the same files as each of them alone", async () => {
    const { store } = await filesPlace();
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 12 }), fc.nat(), fc.nat(), async (records, a, b) => {
        const session = SessionManager.inMemory("/");
        const ids: EntryId[] = [];
        for (const { above, with: others, ...data } of records) {
          const parent = ids[ids.length - 1 - above];
          if (parent === undefined) session.resetLeaf();
          else session.branch(parent);
          const more = others === undefined ? {} : { with: others };
          ids.push(session.appendCustomEntry(FILES_TYPE, { v: 1, tool: "bash", ...data, ...more }));
        }
        const source = session.getSource();
        const [from, to] = [(a % (ids.length + 1)) - 1, (b % (ids.length + 1)) - 1];
        const numberOf = (at: number) => (at < 0 ? -1 : source.tree.ids.findText(ids[at] as EntryId));
        const shared = commonAncestor(source.tree, numberOf(from), numberOf(to));
        const one = (number: number): FileStep => {
          const { data } = source.entryAt(number) as CustomEntry;
          return { entryId: source.tree.ids.textOf(number), ...(data as Omit<FileStep, "entryId">) };
        };
        const alone = (start: number): FileStep[] => {
          const steps: FileStep[] = [];
          for (let at = start; at >= 0 && at !== shared; at = source.tree.parentOf(at)) {
            if (source.tree.kindOf(at) === Kind.custom) steps.push(one(at));
          }
          return steps;
        };
        const up = alone(numberOf(from));
        const down = alone(numberOf(to)).reverse();
        const way = await stepsBetween(source, { from: numberOf(from), to: numberOf(to) }, store);
        expect(fileTargets(way)).toEqual(fileTargets({ up, down }));
        const skipped = new Map(
          [...up.toReversed(), ...down].flatMap((step) => step.skipped ?? []).map((s) => [s.path, s]),
        );
        const between = await filesBetween(source, { from: numberOf(from), to: numberOf(to) }, { store });
        expect(new Map(between.skipped.map((s) => [s.path, s]))).toEqual(skipped);
      }),
      { numRuns: sampledRuns({ all: 5_000, some: 200 }) },
    );
  });

  test("are as few in memory as the files they name", async () => {
    const { store } = await filesPlace();
    const session = SessionManager.inMemory("/");
    for (let n = 0; n < 2_000; n++) {
      const changes = [{ path: `f${n % 3}`, before: stateOf(n), after: stateOf(n + 3) }];
      session.appendCustomEntry(FILES_TYPE, { v: 1, by: "tool", tool: "bash", changes });
    }
    const source = session.getSource();
    const { up } = await stepsBetween(source, { from: source.leaf, to: -1 }, store);
    expect(up.map(({ changes }) => changes.map(({ path }) => path).sort())).toEqual([["f0", "f1", "f2"]]);
  });
});

test.runIf(process.env.BOUGH_RUNS === "all")(
  "more records than a session gets by working are refused in one sentence",
  async () => {
    const root = tempFolder();
    const file = join(tempFolder(), "s.jsonl");
    const time = "2026-01-15T12:00:00.000Z";
    const out = openSync(file, "w");
    writeSync(out, `${JSON.stringify({ type: "session", version: 3, id: "claims", timestamp: time, cwd: root })}\n`);
    const nameOf = (n: number) => n.toString(16).padStart(12, "0");
    const data = { v: 1, by: "tool", tool: "bash", changes: [{ path: "f", before: null, after: stateOf(1) }] };
    for (let n = 0, lines = ""; n <= 500_000; n++) {
      const parentId = n === 0 ? null : nameOf(n - 1);
      lines += `${JSON.stringify({ type: "custom", id: nameOf(n), parentId, timestamp: time, customType: FILES_TYPE, data })}\n`;
      if (n % 10_000 !== 0) continue;
      writeSync(out, lines);
      lines = "";
    }
    closeSync(out);
    const session = SessionManager.open(file, undefined, { readOnly: true });
    const source = session.getSource();
    const { store } = await filesPlace();
    const message = "This session records changes of files in more than 500,000 entries";
    const refused = { code: "too-many-changes", message };
    await expect(filesToDisk(source, source.leaf, { store, root })).rejects.toMatchObject(refused);
    await expect(planRestore(source, { from: source.leaf, to: -1, root, store })).rejects.toMatchObject(refused);
    expect(source.tree.count).toBe(500_001);
    await expect(namedHashes([file], store)).rejects.toMatchObject({ message: message.replace("This session", file) });
    session.close();
  },
);

test.runIf(process.env.BOUGH_RUNS === "all")(
  "many records that name too many files together are refused in one sentence",
  async () => {
    const root = tempFolder();
    const file = join(tempFolder(), "s.jsonl");
    const time = "2026-01-15T12:00:00.000Z";
    const lines: Record<string, unknown>[] = [
      { type: "session", version: 3, id: "claims", timestamp: time, cwd: root },
    ];
    for (let n = 0; n < 5; n++) {
      const data = { v: 1, by: "tool", tool: "bash", changes: changesNamed(`d${n}/`, MOST_CHANGES / 4) };
      const place = { id: `00000000000${n}`, parentId: n === 0 ? null : `00000000000${n - 1}`, timestamp: time };
      lines.push({ type: "custom", ...place, customType: FILES_TYPE, data });
    }
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const session = SessionManager.open(file, undefined, { readOnly: true });
    const source = session.getSource();
    const { store } = await filesPlace();
    await expect(filesToDisk(source, source.leaf, { store, root })).rejects.toMatchObject({
      code: "too-many-changes",
      message: "This session records changes of more than 1,000,000 files",
    });
    session.close();
  },
);
