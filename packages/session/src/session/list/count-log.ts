/**
 * Everything a list counts in one session, from its bytes; few lines are parsed. The cost is part of it because the
 * entries state it; no prices are looked up.
 */
import { Kind, Role } from "../../entry/index.js";
import type { Log } from "../../log/index.js";
import { branchCount } from "../../tree/index.js";
import { SessionStore } from "../session-store.js";
import { type SessionCost, UsageSum } from "./line-usage.js";
import { TappedLog, withWholeLine } from "./tapped-log.js";

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
    if (line.last !== BRACE) return;
    withWholeLine(log, line, (bytes, start, end) => usage.take(bytes, start, end));
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

function usageOfEntries(store: SessionStore): UsageSum {
  const usage = new UsageSum();
  for (let n = 0; n < store.tree.count; n++) {
    if (store.tree.kindOf(n) === Kind.unreadable) continue;
    const bytes = store.rawAt(n);
    usage.take(bytes, 0, bytes.length);
  }
  return usage;
}
