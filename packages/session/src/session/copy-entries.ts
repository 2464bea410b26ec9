/**
 * New session files made from the entries of another: the path of a fork, or all entries. Lines are copied as bytes.
 */
import { type CompactionEntry, type EntryId, Kind, SessionError, type SessionHeader } from "../entry/index.js";
import { withField, withParent } from "../entry/internal.js";
import { type WholeFileOptions, writeError, writeWhole, writeWholeInSlices } from "../log/index.js";
import { pathTo } from "../tree/index.js";
import type { SessionStore } from "./session-store.js";
import { entryLine, headerLine } from "./write/entry-line.js";

/** What creating lines needs from outside: time and IDs. */
interface LineContext {
  readonly now: () => Date;
  readonly newId: (isTaken: (id: EntryId) => boolean) => EntryId;
}

/**
 * The lines of a fork at entry `leaf`: its path without labels, positions and unreadable lines, then one label entry
 * for each label still set on it.
 *
 *     a ─ b ─ [label] ─ c        becomes        a ─ b ─ c ─ [label of b]
 *
 * A line whose parent and anchor stay the same is copied byte for byte; otherwise only that one value changes.
 */
export function* pathLines(store: SessionStore, leaf: number, context: LineContext): Generator<Buffer> {
  const path = pathTo(store.tree, leaf);
  const kept = new Set<EntryId>();
  let parentId: EntryId | null = null;
  for (let i = 0; i < path.length; i++) {
    const n = path[i] as number;
    if (!isCopied(store.tree.kindOf(n))) continue;
    const id = store.tree.ids.textOf(n);
    yield copiedLine(store, { n, parentId, path, at: i, kept });
    kept.add(id);
    parentId = id;
  }
  for (const [targetId, { label, timestamp }] of store.labels()) {
    if (!kept.has(targetId)) continue;
    const id = context.newId((candidate) => kept.has(candidate));
    yield Buffer.from(`${entryLine("label", { id, parentId, timestamp }, { targetId, label })}\n`);
    kept.add(id);
    parentId = id;
  }
}

/** Every readable entry of a session, in file order, each with its newline. */
export function* allLines(store: SessionStore): Generator<Buffer> {
  for (let n = 0; n < store.tree.count; n++) {
    if (store.entryAt(n).type === "unreadable") continue;
    yield Buffer.concat([store.rawAt(n), NEWLINE]);
  }
}

/** Writes a whole new session file: either complete, or not there at all. Throws a SessionError. */
export function writeSessionFile(path: string, header: SessionHeader, lines: Iterable<Buffer>): void {
  writeWhole(path, wholeLines(path, header, lines), wholeSession(path));
}

/** Like `writeSessionFile`, in slices that let other work run. */
export function writeSessionFileInSlices(path: string, header: SessionHeader, lines: Iterable<Buffer>): Promise<void> {
  return writeWholeInSlices(path, wholeLines(path, header, lines), wholeSession(path));
}

function wholeSession(path: string): WholeFileOptions {
  return { existing: "replace", durable: true, failure: (cause) => writeError(path, cause) };
}

function* wholeLines(path: string, header: SessionHeader, lines: Iterable<Buffer>): Generator<string | Buffer> {
  yield `${headerLine(header)}\n`;
  try {
    yield* lines;
  } catch (error) {
    throw error instanceof SessionError ? error : writeError(path, error);
  }
}

const NEWLINE = Buffer.from("\n");

interface CopyPlace {
  readonly n: number;
  readonly parentId: EntryId | null;
  readonly path: Int32Array;
  readonly at: number;
  /** Ids copied so far. */
  readonly kept: ReadonlySet<EntryId>;
}

function isCopied(kind: Kind): boolean {
  return kind !== Kind.label && kind !== Kind.position && kind !== Kind.unreadable;
}

function copiedLine(store: SessionStore, place: CopyPlace): Buffer {
  const { n, parentId } = place;
  const { tree } = store;
  const parent = tree.parentOf(n);
  const sameParent = parent < 0 ? parentId === null : tree.ids.textOf(parent) === parentId;
  const anchor = tree.kindOf(n) === Kind.compaction ? newAnchor(store, place) : undefined;
  if (sameParent && anchor === undefined && tree.missingParentOf(n) === undefined) {
    return Buffer.concat([store.rawAt(n), NEWLINE]);
  }
  // One character per byte preserves bytes that are not UTF-8.
  let text = store.rawAt(n).toString("latin1");
  if (!sameParent || tree.missingParentOf(n) !== undefined) text = withParent(text, asBytes(parentId));
  if (anchor !== undefined) text = withField(text, "firstKeptEntryId", JSON.stringify(asBytes(anchor)));
  return Buffer.from(`${text}\n`, "latin1");
}

function asBytes<Text extends string | null>(text: Text): Text {
  return (text === null ? null : Buffer.from(text, "utf8").toString("latin1")) as Text;
}

/** If the line of a compaction's anchor is not copied: the next one on the path that is. */
function newAnchor(store: SessionStore, place: CopyPlace): EntryId | undefined {
  const { tree } = store;
  const anchor = (store.entryAt(place.n) as CompactionEntry).firstKeptEntryId;
  if (typeof anchor !== "string" || place.kept.has(anchor)) return undefined;
  const number = tree.ids.findText(anchor);
  let i = 0;
  while (i < place.at && place.path[i] !== number) i++;
  // An anchor that is not above the compaction kept nothing, and keeps nothing in the fork.
  if (i === place.at) return undefined;
  while (i < place.at && !isCopied(tree.kindOf(place.path[i] as number))) i++;
  return tree.ids.textOf(place.path[i] as number);
}
