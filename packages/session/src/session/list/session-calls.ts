/** The model calls of a session file and where they are in its tree, in one pass that parses few lines. */
import { Kind, type SessionHeader } from "../../entry/index.js";
import type { Log } from "../../log/index.js";
import type { TreeSource } from "../../tree/index.js";
import { openLog } from "../open/open-log.js";
import { SessionStore } from "../session-store.js";
import { callInLine, type StatedCall } from "./line-calls.js";
import { TappedLog, withWholeLine } from "./tapped-log.js";

/** A call, and the number of the entry that states it. */
export interface PlacedCall extends StatedCall {
  readonly n: number;
}

export interface SessionCalls {
  readonly header: SessionHeader;
  readonly source: TreeSource;
  /** In file order. */
  readonly calls: readonly PlacedCall[];
  /** Numbers of the entries that the conversations of sub-agents start at. */
  readonly subagents: readonly number[];
}

/** In the first bytes of a line, after its time. */
const SUBAGENT = /"customType":"(?:bough\.subagent|subagent\.prompt)"/;
const HEAD = 384;
const NO_HEADER = { type: "session", id: "", timestamp: "", cwd: "" } as const;
const BRACE = 0x7d;

/** Reads a session file and passes on what its entries state. Throws if it cannot be read. */
export function readSessionCalls<Result>(path: string, use: (calls: SessionCalls) => Result): Result {
  const { log } = openLog(path, { access: "read" });
  try {
    return use(callsOf(log));
  } finally {
    log.close();
  }
}

function callsOf(log: Log): SessionCalls {
  const found = new Map<number, StatedCall>();
  const marked = new Set<number>();
  const tapped = new TappedLog(log, (line) => {
    if (line.last !== BRACE) return;
    const { offset } = line;
    withWholeLine(log, line, (bytes, start, end) => {
      const call = callInLine(bytes, start, end);
      if (call !== undefined) found.set(offset, call);
      else if (SUBAGENT.test(bytes.toString("latin1", start, Math.min(end, start + HEAD)))) marked.add(offset);
    });
  });
  // The header is only for writing a new session; this store only reads.
  const store = new SessionStore(tapped, { header: NO_HEADER, now: () => new Date(0), cacheBytes: 0 });
  const { tree, header } = store;
  const calls: PlacedCall[] = [];
  const subagents: number[] = [];
  for (let n = 0; n < tree.count; n++) {
    if (tree.kindOf(n) === Kind.unreadable) continue;
    const call = found.get(tree.offsetOf(n));
    if (call !== undefined) calls.push({ ...call, n });
    else if (marked.has(tree.offsetOf(n))) subagents.push(n);
  }
  const source: TreeSource = {
    tree,
    leaf: tree.loadedLeaf,
    name: store.name(),
    entryAt: (n) => store.entryAt(n),
    labelOf: (n) => store.labels().get(tree.ids.textOf(n)),
  };
  return { header, source, calls, subagents };
}
