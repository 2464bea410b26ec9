/** Random sequences of operations against a plain model: replaying the file gives what the session reported. */

import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assertSameContext } from "@bough/session/context/same-context.test-support.js";
import type { EntryId, SessionEntry } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import { assistant, toolCall, toolResult, user } from "../support/messages.js";
import { sampledRuns } from "../support/sampled.js";
import { expectedSnapshot, reachableIds, snapshotOf } from "../support/session-snapshot.js";
import { fastFolder } from "../support/temp-folder.js";
import { readableIds, seconds } from "../support/tree-notation.js";

const APPENDS = {
  user: (session: SessionManager, text: string) => session.appendMessage(user(text)),
  answer: (session: SessionManager, text: string) => session.appendMessage(assistant(text, toolCall(text))),
  result: (session: SessionManager, text: string) => session.appendMessage(toolResult(text)),
  model: (session: SessionManager, text: string) => session.appendModelChange("acme", text),
  thinking: (session: SessionManager, text: string) => session.appendThinkingLevelChange(text),
  mode: (session: SessionManager, text: string) => session.appendModeChange(text, { text }),
  note: (session: SessionManager, text: string) => session.appendCustomMessageEntry("note", text, true),
  state: (session: SessionManager, text: string) => session.appendCustomEntry("state", { text }),
  name: (session: SessionManager, text: string) => session.appendSessionInfo(text),
  usage: (session: SessionManager, text: string) =>
    session.appendUsage({
      kind: text,
      provider: "acme",
      model: "m",
      usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
    }),
} as const;

/** `who`: one of two managers on the same file. `at`: which entry, counted modulo how many there are. */
type Step = { readonly who: 0 | 1; readonly at: number } & (
  | { readonly act: "append"; readonly kind: keyof typeof APPENDS; readonly text: string }
  | { readonly act: "label"; readonly text: string }
  | {
      readonly act:
        | "move"
        | "reset"
        | "summary"
        | "compact"
        | "edit"
        | "fork"
        | "copy"
        | "reopen"
        | "refresh"
        | "record";
    }
);

const who = fc.constantFrom<0 | 1>(0, 0, 0, 1);
const at = fc.nat(1000);
const text = fc.string({ unit: "grapheme", maxLength: 6 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      who,
      at,
      text,
      act: fc.constant("append" as const),
      kind: fc.constantFrom(...(Object.keys(APPENDS) as (keyof typeof APPENDS)[])),
    }),
  },
  { weight: 1, arbitrary: fc.record({ who, at, text, act: fc.constant("label" as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      who,
      at,
      act: fc.constantFrom(
        "move",
        "move",
        "reset",
        "summary",
        "compact",
        "edit",
        "fork",
        "copy",
        "reopen",
        "refresh",
        "record",
      ),
    }),
  },
);

/** Steps after which the leaf may be elsewhere although nothing was appended: with two writers the last one decides. */
const MOVES: ReadonlySet<Step["act"]> = new Set(["move", "reset", "reopen"]);

/** One file, up to two managers on it, and what they were promised. */
class World {
  readonly #dir = fastFolder();
  readonly #options = { now: seconds(), newId: readableIds().next };
  readonly #file: string;
  readonly #managers: [SessionManager, SessionManager | undefined];
  /** Every entry as it was right after it was appended. */
  readonly #acknowledged = new Map<EntryId, SessionEntry>();
  #bytes = Buffer.alloc(0);

  constructor() {
    this.#managers = [SessionManager.create("/w", this.#dir, this.#options), undefined];
    this.#file = this.#managers[0].getSessionFile() as string;
    this.run({ who: 0, at: 0, act: "append", kind: "user", text: "first" });
  }

  run(step: Step): void {
    const session = this.#manager(step.who);
    const ids = session.getEntries().map(({ id }) => id);
    const target = ids[step.at % ids.length] as EntryId;
    const leafId = session.getLeafId();
    const added = this.#act(session, step, target);
    if (added !== undefined) {
      expect(session.getLeafId()).toBe(added);
      this.#acknowledged.set(added, session.getEntry(added) as SessionEntry);
    } else if (!MOVES.has(step.act)) expect(this.#manager(step.who).getLeafId()).toBe(leafId);
  }

  #act(session: SessionManager, step: Step, target: EntryId): EntryId | undefined {
    switch (step.act) {
      case "append":
        return APPENDS[step.kind](session, step.text);
      case "label":
        return session.appendLabelChange(target, step.text);
      case "summary":
        return session.branchWithSummary(step.at % 5 === 0 ? null : target, "left");
      case "compact": {
        const path = session.getBranch();
        return session.appendCompaction("short", path[step.at % Math.max(1, path.length)]?.id ?? target, 10);
      }
      case "edit":
        return session.appendContextEdit(target, step.at % 2 === 0 ? null : "edited");
      case "move":
        session.branch(target);
        break;
      case "reset":
        session.resetLeaf();
        break;
      case "record":
        session.recordPosition();
        break;
      case "refresh":
        session.refresh();
        break;
      case "fork":
        this.#fork(target);
        break;
      case "copy":
        this.#copy();
        break;
      case "reopen":
        this.#reopen(step.who);
        break;
    }
    return undefined;
  }

  /** I1: everything that was in the file is still there, at the same offset. */
  checkGrowth(): void {
    const bytes = readFileSync(this.#file);
    expect(bytes.subarray(0, this.#bytes.length).equals(this.#bytes)).toBe(true);
    this.#bytes = bytes;
  }

  /** Replay equals memory, and both equal the plain model. */
  check(): void {
    for (const session of this.#managers) session?.refresh();
    const reopened = SessionManager.open(this.#file, undefined, { readOnly: true });
    const entries = reopened.getEntries();
    expect(snapshotOf(reopened)).toEqual(expectedSnapshot(entries));
    expect(reopened.getProblems()).toEqual([]);
    const found = new Map(entries.map((entry) => [entry.id, entry]));
    for (const [id, entry] of this.#acknowledged) expect(found.get(id)).toEqual(entry);
    for (const session of this.#managers) {
      if (session === undefined) continue;
      const leafId = session.getLeafId();
      expect({ ...snapshotOf(session), context: undefined }).toEqual({
        ...expectedSnapshot(entries),
        leafId,
        context: undefined,
      });
      expect(reachableIds(session).sort()).toEqual(entries.map(({ id }) => id).sort());
      if (leafId === null) reopened.resetLeaf();
      else reopened.branch(leafId);
      assertSameContext(session.buildSessionContext(), reopened.buildSessionContext());
    }
    reopened.close();
  }

  close(): void {
    for (const session of this.#managers) session?.close();
  }

  #manager(index: 0 | 1): SessionManager {
    const session = this.#managers[index] ?? SessionManager.open(this.#file, undefined, this.#options);
    this.#managers[index] = session;
    return session;
  }

  /** I3: with no other writer, a session reopens where it was. */
  #reopen(index: 0 | 1): void {
    const session = this.#manager(index);
    const leafId = session.getLeafId();
    const alone = this.#managers[1 - index] === undefined;
    session.close();
    const again = SessionManager.open(this.#file, undefined, this.#options);
    if (alone) expect(again.getLeafId()).toBe(leafId);
    this.#managers[index] = again;
  }

  /** Forks a copy of the file, because moving about in it leaves a record of the position. */
  #fork(target: EntryId): void {
    const source = join(this.#dir, "source.jsonl");
    copyFileSync(this.#file, source);
    const session = SessionManager.open(source, this.#dir, this.#options);
    session.branch(target);
    const context = session.buildSessionContext();
    const path = session.getBranch().filter(({ type }) => type !== "label");
    const labels = path.map(({ id }) => session.getLabel(id));
    const file = session.createBranchedSession(session.getLeafId() ?? target) as string;
    const copied = session.getEntries().filter(({ type }) => type !== "label" && type !== "custom");
    expect(copied.map(({ id }) => id)).toEqual(path.filter(({ type }) => type !== "custom").map(({ id }) => id));
    expect(path.map(({ id }) => session.getLabel(id))).toEqual(labels);
    expect(session.getHeader()).toMatchObject({ parentSession: source });
    assertSameContext(session.buildSessionContext(), context);
    const bytes = readFileSync(file);
    session.close();
    expect(readFileSync(file).equals(bytes)).toBe(true);
  }

  #copy(): void {
    const source = SessionManager.open(this.#file, undefined, { readOnly: true });
    const copy = SessionManager.forkFrom(this.#file, "/elsewhere", this.#dir, this.#options);
    expect(snapshotOf(copy)).toEqual(snapshotOf(source));
    expect(copy.getHeader()).toMatchObject({ cwd: "/elsewhere", parentSession: this.#file });
    source.close();
    copy.close();
  }
}

it("replays to what it said, whatever two managers do to one file", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 40, size: "max" }), (steps) => {
      const world = new World();
      try {
        for (const next of steps) {
          world.run(next);
          world.checkGrowth();
        }
        world.check();
      } finally {
        world.close();
      }
      world.checkGrowth();
    }),
    { numRuns: sampledRuns({ all: 300, some: 40 }) },
  );
});

it("is where it was after every reopening, when nobody else writes", () => {
  const alone = step.map((next): Step => ({ ...next, who: 0 }));
  fc.assert(
    fc.property(fc.array(alone, { minLength: 1, maxLength: 30, size: "max" }), (steps) => {
      const world = new World();
      try {
        for (const next of steps) {
          world.run(next);
          world.run({ who: 0, at: 0, act: "reopen" });
          world.checkGrowth();
        }
        world.check();
      } finally {
        world.close();
      }
    }),
    { numRuns: sampledRuns({ all: 100, some: 15 }) },
  );
});
