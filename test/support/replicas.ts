/** Three machines that work and sync in any order, over any driver. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mergeTurns, pickEntry } from "@bough/agent/agent/merge/merge.test-support.js";
import { POSITION_TYPE } from "@bough/session/entry/index.js";
import { type SessionEntry, SessionManager, verifySession } from "@bough/session/session/index.js";
import type { Replica, Store } from "@bough/workbench/store/store.js";
import { lineFacts, staysHere } from "@bough/workbench/store/stored-line.js";
import { syncSession } from "@bough/workbench/store/sync/sync-session.js";
import { SyncStates } from "@bough/workbench/store/sync/sync-state.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { afterTest } from "./after-test.js";

const folders: string[] = [];
function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "bough-replicas-"));
  if (folders.push(made) === 1) afterTest(removeFolders);
  return made;
}

let sessions = 0;

export interface ReplicasUnderTest {
  /** A new store, or one that is used again: each run has its own session. Each machine has its own connection to it. */
  newStore(): Promise<(replica: Replica, home: string) => Promise<Store>>;
  readonly runs: number;
  /** How many more runs with clocks that are years apart. */
  readonly runsYearsApart: number;
  /** False if pushes of different machines have no order that can be told within a few milliseconds. Default: true. */
  readonly hasOrder?: boolean;
  /** How much happens in a run: drivers that start processes take longer. Default 25. */
  readonly mostActs?: number;
}

type Clock = () => Date;

/** One machine: its own home, its own file, its own connection. */
class Machine {
  readonly file: string;
  readonly #states: SyncStates;
  readonly #store: Store;
  readonly #now: Clock;
  readonly #sessionId: string;

  constructor(name: string, store: Store, { now, sessionId }: { now: Clock; sessionId: string }) {
    const home = folder();
    this.file = join(home, `${name}.jsonl`);
    this.#states = new SyncStates(home, "store");
    this.#store = store;
    this.#now = now;
    this.#sessionId = sessionId;
  }

  begin(): void {
    const session = SessionManager.create("/project", folder(), {
      newSessionId: () => this.#sessionId,
      now: () => this.#now(),
    });
    session.setSessionFile(this.file);
    session.close();
  }

  sync() {
    const now = () => this.#now();
    const sessionId = this.#sessionId;
    return syncSession({ store: this.#store, states: this.#states, sessionId, file: this.file, now });
  }

  /** Opens, works, closes. */
  async work(step: Step): Promise<void> {
    const session = SessionManager.open(this.file, undefined, { now: () => this.#now() });
    const from = (step.kind === "compact" ? session.getBranch() : session.getEntries()).filter(isConversation);
    const ids = from.map(({ id }) => id);
    const some = () => ids[step.pick % Math.max(ids.length, 1)];
    const target = some();
    if (step.kind === "append") session.appendMessage({ role: "user", content: step.text, timestamp: 1 });
    else if (step.kind === "label" && target !== undefined) session.appendLabelChange(target, step.text || "x");
    else if (step.kind === "name") session.appendSessionInfo(step.text);
    else if (step.kind === "compact" && target !== undefined) session.appendCompaction(step.text, target, 10);
    else if (step.kind === "move" && target !== undefined) {
      session.branch(target);
      session.recordPosition({ cause: "tree" });
    } else if (step.kind === "summary" && target !== undefined) session.branchWithSummary(target, step.text);
    else if (step.kind === "merge" && target !== undefined) await mergeTurns(session, target);
    else if (step.kind === "pick" && target !== undefined) await pickEntry(session, target);
    session.close();
  }

  position(): string | null {
    const session = SessionManager.open(this.file, undefined, { readOnly: true });
    const leaf = session.getLeafId();
    session.close();
    return leaf;
  }

  lines(): string[] {
    const lines = readFileSync(this.file, "utf8").split("\n").filter(Boolean);
    return lines
      .filter((line) => {
        const facts = lineFacts(Buffer.from(line));
        return facts?.kind === "entry" && !staysHere(facts);
      })
      .sort();
  }
}

type Step = { kind: string; pick: number; text: string };
const step = fc.record({
  kind: fc.constantFrom("append", "append", "append", "label", "name", "compact", "move", "summary", "merge", "pick"),
  pick: fc.nat(1000),
  text: fc.string({ maxLength: 8 }),
});
type Act = { who: number; what: Step | "sync" };
const act: fc.Arbitrary<Act> = fc.record({ who: fc.nat(2), what: fc.oneof(step, fc.constant("sync" as const)) });

/** Clocks that go on together, at most four seconds apart: what verify takes for one time. */
function closeClocks(): Clock[] {
  let time = Date.UTC(2026, 0, 1);
  return [0, 2_000, -2_000].map((off) => () => {
    time += 500;
    return new Date(time + off);
  });
}

function clocksYearsApart(): Clock[] {
  return [2020, 2023, 2026].map((year) => {
    let time = Date.UTC(year, 0, 1);
    return () => {
      time += 1000;
      return new Date(time);
    };
  });
}

export function describeReplicas(
  name: string,
  { newStore, runs, runsYearsApart, mostActs = 25, hasOrder = true }: ReplicasUnderTest,
): void {
  const anyActs = fc.array(act, { minLength: 3, maxLength: mostActs });
  /** Any acts in any order, then two rounds of syncs. */
  async function check(acts: readonly Act[], { clocks, notes }: { clocks: Clock[]; notes: readonly string[] }) {
    const open = await newStore();
    const sessionId = `5e551011-0000-4000-8000-${String(++sessions).padStart(12, "0")}`;
    const machines: Machine[] = [];
    for (const [n, clock] of clocks.entries()) {
      const store = await open({ id: `${n}`.repeat(16), name: `machine ${n}` }, folder());
      machines.push(new Machine(`m${n}`, store, { now: clock, sessionId }));
    }
    const first = machines[0] as Machine;
    first.begin();
    await first.work({ kind: "append", pick: 0, text: "start" });
    await first.sync();
    for (const one of machines.slice(1)) await one.sync();
    for (const { who, what } of acts) {
      const machine = machines[who] as Machine;
      const before = machine.position();
      if (what !== "sync") await machine.work(what);
      else {
        await machine.sync();
        expect(machine.position()).toBe(before);
      }
    }
    for (let round = 0; round < 2; round++) for (const one of machines) await one.sync();
    const [a, b, c] = machines.map((one) => one.lines());
    expect(b).toEqual(a);
    expect(c).toEqual(a);
    for (const one of machines) {
      const { findings } = await verifySession(one.file);
      expect(findings.filter(({ code }) => !notes.includes(code))).toEqual([]);
      expect(await one.sync()).toMatchObject({ pushed: 0, pulled: 0 });
    }
    removeFolders();
  }

  describe(`three replicas and a store: ${name}`, () => {
    it("a new one is where the last one left off, after several pushes of two", async () => {
      const open = await newStore();
      const sessionId = `5e551011-0000-4000-8000-${String(++sessions).padStart(12, "0")}`;
      const machines: Machine[] = [];
      for (const [n, now] of closeClocks().entries()) {
        const store = await open({ id: `${n}`.repeat(16), name: `machine ${n}` }, folder());
        machines.push(new Machine(`m${n}`, store, { now, sessionId }));
      }
      const [first, second, third] = machines as [Machine, Machine, Machine];
      first.begin();
      for (const text of ["one", "two", "three"]) {
        await first.work({ kind: "append", pick: 0, text });
        await first.sync();
      }
      await second.sync();
      expect(second.position()).toBe(first.position());
      for (const text of ["four", "five"]) {
        await second.work({ kind: "append", pick: 0, text });
        await second.sync();
      }
      await third.sync();
      if (hasOrder) expect(third.position()).toBe(second.position());
      expect(third.lines()).toEqual(second.lines());
    });

    it(
      "have the same entries in the end, byte for byte, no position moved by others, and verify finds nothing",
      () =>
        fc.assert(
          fc.asyncProperty(anyActs, (acts) => check(acts, { clocks: closeClocks(), notes: [] })),
          { numRuns: runs },
        ),
      120_000 + runs * 5_000,
    );

    // An entry below one of a machine whose clock is years ahead is older than its parent, and verify says so.
    it(
      "also if their clocks are years apart, which verify notes and nothing else",
      () =>
        fc.assert(
          fc.asyncProperty(anyActs, (acts) => check(acts, { clocks: clocksYearsApart(), notes: ["clock-backwards"] })),
          { numRuns: runsYearsApart },
        ),
      120_000 + runsYearsApart * 5_000,
    );
  });
}

/** What a person can point at: records of a position are drawn nowhere. */
function isConversation(entry: SessionEntry): boolean {
  return entry.type !== "custom" || entry.customType !== POSITION_TYPE;
}
