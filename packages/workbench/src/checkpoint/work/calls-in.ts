/** The calls described in a journal. */
import type { EntryId } from "@bough/session/entry/index.js";
import type { ProcessIdentity } from "@bough/session/log/index.js";
import { isJump, type Moment } from "./clock.js";
import type { AnnouncedChange, CallKind, JournalLine, SeenLines } from "./journal-line.js";

export interface JournalCall {
  readonly id: string;
  readonly tool: string;
  readonly kind: CallKind;
  readonly leaf: EntryId | null;
  readonly command?: string;
  /** The person ran it, not the model. */
  readonly byPerson: boolean;
  /** The time from which it may have changed something. */
  readonly from: Moment;
  /** Undefined while the call is running. */
  readonly to?: Moment;
  readonly groups: readonly ProcessIdentity[];
  /** Its changes are in the session. */
  readonly isRecorded: boolean;
  /** The clock was changed while the call ran, so its times are meaningless. */
  readonly isJumped: boolean;
  /** The number of the line that closed it. */
  readonly closedBy?: number;
}

export interface Announced extends AnnouncedChange {
  /** The line number of the announcement. */
  readonly number: number;
}

export interface JournalContent {
  readonly calls: readonly JournalCall[];
  readonly announced: readonly Announced[];
  readonly isEnded: boolean;
  /** The number of the line after the last one which says that everything is recorded. */
  readonly recordedUntil: number;
  /** How much of other journals was known at the last scan before a call. */
  readonly seen: SeenLines;
  /** How many lines the journal has. */
  readonly count: number;
}

export function callsIn(lines: readonly JournalLine[]): JournalContent {
  const calls = new Map<string, JournalCall>();
  const announced: Announced[] = [];
  let isEnded = false;
  let recordedUntil = 0;
  let seen: SeenLines = {};
  let last: Moment | undefined;
  const change = (id: string, how: (call: JournalCall) => JournalCall) => {
    const call = calls.get(id);
    if (call !== undefined) calls.set(id, how(call));
  };
  for (const [number, line] of lines.entries()) {
    if (last !== undefined && isJump(last, line)) {
      for (const { id, to } of calls.values())
        if (to === undefined) change(id, (call) => ({ ...call, isJumped: true }));
    }
    last = line;
    if (line.line === "open") {
      const { id, tool, kind, leaf, command, byPerson = false } = line;
      seen = line.seen ?? {};
      calls.set(id, {
        id,
        tool,
        kind,
        leaf,
        byPerson,
        command,
        from: line,
        groups: [],
        isRecorded: false,
        isJumped: false,
      });
    } else if (line.line === "allowed") change(line.id, (call) => ({ ...call, from: line }));
    else if (line.line === "group") change(line.id, (call) => ({ ...call, groups: [...call.groups, line.process] }));
    else if (line.line === "close") change(line.id, (call) => ({ ...call, to: line, closedBy: number }));
    else if (line.line === "void") calls.delete(line.id);
    else if (line.line === "will") announced.push({ path: line.path, state: line.state, at: line.at, number });
    else if (line.line === "recorded") {
      recordedUntil = number + 1;
      for (const { id, to } of calls.values())
        if (to !== undefined) change(id, (call) => ({ ...call, isRecorded: true }));
    } else isEnded = true;
  }
  return { calls: [...calls.values()], announced, isEnded, recordedUntil, seen, count: lines.length };
}
