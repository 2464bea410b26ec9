/** The union of a copy of a session with lines from elsewhere. Pure: returns what to append, in order, and oddities. */
import { withField, withParent } from "@bough/session/entry/internal.js";
import { isRecord } from "@bough/session/text/index.js";
import type { Replica, StoredLine } from "../store.js";
import { type EntryFacts, lineFacts, lineHash, SYNCED_FROM, staysHere } from "../stored-line.js";

/** What `unite` needs to know about the copy. */
export interface KnownLines {
  /** The line with this ID, if there is one. */
  lineOf(id: string): Uint8Array | undefined;
  /** The ID that this copy gave to an entry of that replica because the entry's own ID was taken. */
  renamed(replicaId: string, id: string): string | undefined;
}

export interface NewLine {
  readonly id: string;
  readonly parentId: string | null;
  readonly bytes: Uint8Array;
  readonly facts: EntryFacts;
  readonly replica: Replica;
}

/** An ID that belongs to different entries here and there. Both are kept; the one that arrived gets a new ID. */
export interface TakenId {
  readonly id: string;
  readonly newId: string;
  readonly replica: Replica;
}

export interface United {
  /** Lines to append. A parent that is among them comes before its children. */
  readonly lines: readonly NewLine[];
  readonly header: StoredLine | undefined;
  readonly taken: readonly TakenId[];
  /** The number of unreadable lines. */
  readonly damaged: number;
}

/**
 * Skips lines that the copy has, whatever their number and order, so that uniting twice changes nothing.
 *
 *     here   a ─ b ─ c        there  a ─ b' ─ d        (b and b' have the same ID)
 *     after  a ─ b ─ c
 *            └── n ─ d        n is b' with an ID derived from its bytes, so every copy gives it the same one
 */
export function unite(incoming: Iterable<StoredLine>, known: KnownLines): United {
  const fresh = new Map<string, NewLine>();
  const renames = new Map<string, string>();
  const taken: TakenId[] = [];
  let header: StoredLine | undefined;
  let damaged = 0;

  for (const line of incoming) {
    const facts = lineFacts(line.bytes);
    if (facts === undefined) {
      damaged++;
      continue;
    }
    if (facts.kind === "header") {
      header ??= line;
      continue;
    }
    if (staysHere(facts)) continue;
    const { replica } = line;
    const newIdOf = (id: string) => renames.get(`${replica.id} ${id}`) ?? known.renamed(replica.id, id);
    const here = known.lineOf(facts.id) ?? fresh.get(facts.id)?.bytes;
    const same = here !== undefined && isSame(here, line.bytes);
    if (same || isHere(known, newIdOf(facts.id), line.bytes)) continue;
    const free =
      here === undefined ? undefined : freeId(line.bytes, { lineOf: (id) => known.lineOf(id) ?? fresh.get(id)?.bytes });
    if (free?.isHere === true) {
      renames.set(`${replica.id} ${facts.id}`, free.id);
      continue;
    }
    const parent = facts.parentId === null ? undefined : newIdOf(facts.parentId);
    const id = free?.id ?? facts.id;
    if (free !== undefined) {
      renames.set(`${replica.id} ${facts.id}`, id);
      taken.push({ id: facts.id, newId: id, replica });
    }
    const parentId = parent ?? facts.parentId;
    const bytes = id === facts.id && parent === undefined ? line.bytes : rewritten(line, { facts, id, parentId });
    fresh.set(id, { id, parentId, bytes, facts, replica });
  }
  return { lines: parentsFirst(fresh), header, taken, damaged };
}

function isHere(known: KnownLines, id: string | undefined, bytes: Uint8Array): boolean {
  const line = id === undefined ? undefined : known.lineOf(id);
  return line !== undefined && isSame(line, bytes);
}

/** Whether the bytes are equal, or the line here was rewritten from those bytes. */
function isSame(here: Uint8Array, there: Uint8Array): boolean {
  if (Buffer.compare(here, there) === 0) return true;
  const origin = lineFacts(here)?.record[SYNCED_FROM];
  return isRecord(origin) && origin.hash === lineHash(there);
}

const ID_LENGTH = 12;

/** An ID derived from the bytes, and whether the copy already has the line with it: several replicas may send it. */
function freeId(
  bytes: Uint8Array,
  known: Pick<KnownLines, "lineOf">,
): { readonly id: string; readonly isHere: boolean } {
  const hash = lineHash(bytes);
  for (let length = ID_LENGTH; ; length++) {
    const id = hash.slice(0, length);
    const line = known.lineOf(id);
    const isHere = line !== undefined && isSame(line, bytes);
    if (line === undefined || isHere || length >= hash.length) return { id, isHere };
  }
}

interface Rewrite {
  readonly facts: EntryFacts;
  readonly id: string;
  readonly parentId: string | null;
}

function rewritten({ bytes, replica }: StoredLine, { facts, id, parentId }: Rewrite): Uint8Array {
  const origin = { id: facts.id, replica: replica.id, hash: lineHash(bytes) };
  const text = withParent(withField(Buffer.from(bytes).toString("utf8"), "id", JSON.stringify(id)), parentId);
  return Buffer.from(withField(text, SYNCED_FROM, JSON.stringify(origin)));
}

/** Walks up to the topmost new line and writes downwards from there; lines of a cycle are written too. */
function parentsFirst(fresh: ReadonlyMap<string, NewLine>): NewLine[] {
  const done = new Set<string>();
  const sorted: NewLine[] = [];
  for (const start of fresh.values()) {
    const chain: NewLine[] = [];
    for (let line: NewLine | undefined = start; line !== undefined && !done.has(line.id); ) {
      done.add(line.id);
      chain.push(line);
      line = line.parentId === null ? undefined : fresh.get(line.parentId);
    }
    for (let line = chain.pop(); line !== undefined; line = chain.pop()) sorted.push(line);
  }
  return sorted;
}
