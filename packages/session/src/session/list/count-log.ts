/**
 * Everything a list counts in one session, from its bytes; few lines are parsed. The cost is part of it because the
 * entries state it; no prices are looked up.
 */
import { Kind, Role } from "../../entry/index.js";
import type { LineVisitor, Log, LogState, ScanEnd, ScannedLine } from "../../log/index.js";
import { branchCount } from "../../tree/index.js";
import { SessionStore } from "../session-store.js";
import { type SessionCost, UsageSum } from "./line-usage.js";

export interface SessionCounts {
  readonly name: string | undefined;
  readonly messageCount: number;
  /** User prompts, on all branches. */
  readonly turnCount: number;
  readonly branchCount: number;
  /** Of all branches, including summaries and all other recorded usage. */
  readonly cost: SessionCost;
}

const NO_HEADER = { type: "session", id: "", timestamp: "", cwd: "" } as const;
const BRACE = 0x7d;

/** Reads the whole log, in one pass if it is in order. Leaves it open. */
export function countLog(log: Log): SessionCounts {
  const usage = new UsageSum();
  const tapped = new TappedLog(log, (line) => {
    if (line.last === BRACE) takeLine(usage, log, line);
  });
  // The header is only for writing a new session; this store only reads.
  const store = new SessionStore(tapped, { header: NO_HEADER, now: () => new Date(0), cacheBytes: 0 });
  const { tree } = store;
  let messageCount = 0;
  let turnCount = 0;
  for (let n = 0; n < tree.count; n++) {
    if (tree.kindOf(n) !== Kind.message) continue;
    messageCount += 1;
    if (tree.roleOf(n) === Role.user) turnCount += 1;
  }
  // Without problems, every line is an entry and every entry is one line.
  const { cost } = store.index.problems.length === 0 ? usage : usageOfEntries(store);
  return { name: store.name(), messageCount, turnCount, branchCount: branchCount(tree), cost };
}

function takeLine(usage: UsageSum, log: Log, line: ScannedLine): void {
  const isWhole = line.length === line.end - line.start;
  if (isWhole) usage.take(line.bytes, line.start, line.end);
  else usage.take(log.readAt(line.offset, line.length), 0, line.length);
}

function usageOfEntries(store: SessionStore): UsageSum {
  const usage = new UsageSum();
  for (let n = 0; n < store.tree.count; n++) {
    if (store.tree.kindOf(n) === Kind.unreadable) continue;
    const bytes = store.rawAt(n);
    usage.take(bytes, 0, bytes.length);
  }
  return usage;
}

/** A log that also passes its lines to an observer during the first scan, so that one pass serves both. */
class TappedLog implements Log {
  readonly #log: Log;
  readonly #tap: LineVisitor;
  #isDone = false;

  constructor(log: Log, tap: LineVisitor) {
    this.#log = log;
    this.#tap = tap;
  }

  /** In the first scan, the tap sees each line before `visit` does. */
  scan(from: number, visit: LineVisitor): ScanEnd {
    if (this.#isDone) return this.#log.scan(from, visit);
    this.#isDone = true;
    return this.#log.scan(from, (line) => {
      this.#tap(line);
      visit(line);
    });
  }

  get writable(): boolean {
    return this.#log.writable;
  }

  get certain(): number {
    return this.#log.certain;
  }

  get end(): number {
    return this.#log.end;
  }

  size(): number {
    return this.#log.size();
  }

  prepare(): LogState {
    return this.#log.prepare();
  }

  prepareToWrite(): LogState {
    return this.#log.prepareToWrite();
  }

  write(line: Uint8Array): number {
    return this.#log.write(line);
  }

  accept(end: ScanEnd): void {
    this.#log.accept(end);
  }

  readAt(offset: number, length: number): Buffer {
    return this.#log.readAt(offset, length);
  }

  sync(): void {
    this.#log.sync();
  }

  syncInBackground(): Promise<void> {
    return this.#log.syncInBackground();
  }

  close(): void {
    this.#log.close();
  }
}
