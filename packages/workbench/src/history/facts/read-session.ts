/** Reads an open session for the index: its facts, and a row with text for every entry with content. */
import { treePathSource } from "@bough/session/context/index.js";
import { roleIn, type SessionEntry } from "@bough/session/entry/index.js";
import { inSlices, WorkTurns } from "@bough/session/log/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { HIDDEN, marksFromLeaf, SHOWN, searchedText } from "@bough/session/session/internal.js";
import { withoutControls } from "@bough/session/text/index.js";
import { isConversation } from "@bough/session/tree/index.js";
import { branchName } from "@bough/session/view/internal.js";
import { cutWords } from "./cut-words.js";
import type { Place, SessionFacts, TurnFacts } from "./facts.js";
import { outcomesOf } from "./outcome.js";
import { SessionScan } from "./session-scan.js";
import type { TurnDraft } from "./turn-draft.js";

/** An entry in the index. */
export interface EntryRow {
  readonly id: string;
  /** Row of the nearest entry above that has one, or -1. */
  readonly above: number;
  /** The role, or the entry type if it is not a message. */
  readonly who: string;
  /** Milliseconds. */
  readonly time: number;
  /** Number of the turn, or -1. */
  readonly turn: number;
  readonly place: Place;
}

export interface ReadSession {
  readonly facts: SessionFacts;
  readonly rows: readonly EntryRow[];
}

export interface ReadSessionOptions {
  /** Called with the text of each row, in order, while the session is read. */
  readonly onText: (text: string) => void;
  readonly signal?: AbortSignal;
}

/** The middle of a longer text is not indexed. */
const LONGEST_TEXT = 1 << 20;
const MOST_RECORDED = 5_000;

/** Yields regularly. Reads entries one at a time and does not keep them. */
export async function readSession(session: SessionManager, options: ReadSessionOptions): Promise<ReadSession> {
  const source = session.getSource();
  const { tree } = source;
  const { count } = tree;
  const scan = new SessionScan(source);
  const rowOf = new Int32Array(count).fill(-1);
  const rows: { -readonly [Key in keyof EntryRow]: EntryRow[Key] }[] = [];
  const numbers: number[] = [];
  const work = new WorkTurns();
  for (let n = 0; n < count; n++) {
    const entry = source.entryAt(n);
    scan.take(n, entry);
    const above = tree.parentOf(n);
    const rowAbove = above < 0 ? -1 : (rowOf[above] as number);
    const text = bounded(searchedText(entry, ""));
    if (text === "" && !isConversation(tree.kindOf(n))) rowOf[n] = rowAbove;
    else {
      rowOf[n] = rows.length;
      numbers.push(targetOf(entry, n, (id) => tree.ids.findText(id)));
      const time = Date.parse(entry.timestamp) || 0;
      const turn = scan.turnOf[n] as number;
      rows.push({ id: entry.id, above: rowAbove, who: roleIn(entry) ?? entry.type, time, turn, place: "left" });
      options.onText(text);
    }
    if (work.isDue) {
      options.signal?.throwIfAborted();
      await work.yieldNow();
    }
  }
  const path = { ...treePathSource(tree, source.leaf, (n) => source.entryAt(n)), count };
  const places = await inSlices(marksFromLeaf(path), work);
  const placeOf = (n: number): Place => (places[n] === SHOWN ? "active" : places[n] === HIDDEN ? "compacted" : "left");
  for (const [at, row] of rows.entries()) row.place = placeOf(numbers[at] as number);
  scan.finish((n) => places[n] !== 0);
  return { facts: factsOf(session, scan, placeOf), rows };
}

/** The entry whose place counts: for a label, the entry it labels. */
function targetOf(entry: SessionEntry, n: number, numberOf: (id: string) => number): number {
  if (entry.type !== "label") return n;
  const target = typeof entry.targetId === "string" ? numberOf(entry.targetId) : -1;
  return target < 0 ? n : target;
}

function bounded(text: string): string {
  const whole =
    text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT * 0.75)}\n…\n${text.slice(-LONGEST_TEXT / 4)}`;
  return withoutControls(whole);
}

function factsOf(session: SessionManager, scan: SessionScan, placeAt: (n: number) => Place): SessionFacts {
  const source = session.getSource();
  const placeOf = ({ last, subagentOf }: TurnDraft): Place => placeAt(subagentOf ?? last);
  const outcomes = outcomesOf(scan.turns, placeOf);
  const turns = scan.turns.map((draft, t) =>
    turnFacts(draft, { place: placeOf(draft), outcome: outcomes[t] ?? "kept" }),
  );
  const numbers = [...new Set(turns.map(({ branch }) => branch))];
  return {
    name: session.getSessionName(),
    cwd: session.getCwd(),
    created: Date.parse(session.getHeader().timestamp) || 0,
    entries: source.tree.count,
    turns,
    branches: numbers.map((number) => ({ number, name: cutWords(branchName(source, number), 80) })),
    summaries: scan.summaries,
    recorded: [...scan.recorded].slice(0, MOST_RECORDED),
    renamed: scan.renamed.slice(0, MOST_RECORDED),
    recordedElsewhere: scan.recordedElsewhere || scan.recorded.size > MOST_RECORDED,
  };
}

function turnFacts(draft: TurnDraft, end: Pick<TurnFacts, "place" | "outcome">): TurnFacts {
  const { id, branch, time, prompt, answer, leftBy, merged, check, stopped, summary, restoredPaths } = draft;
  const isLeft = end.place === "left";
  return {
    ...{ id, branch, time, ...end, prompt, answer },
    changed: [...draft.changed],
    read: [...draft.read],
    errors: draft.errors,
    labels: draft.labels,
    ...(isLeft && leftBy !== undefined ? { leftBy } : {}),
    ...(merged ? { merged } : {}),
    ...(check === undefined ? {} : { check }),
    ...(stopped === undefined ? {} : { stopped }),
    ...(restoredPaths.size === 0 ? {} : { restored: restoredPaths.size }),
    ...(isLeft && summary !== undefined ? { summary } : {}),
    ...(draft.isOpen ? { open: true } : {}),
    ...(draft.subagentOf === undefined ? {} : { subagent: true }),
  };
}
