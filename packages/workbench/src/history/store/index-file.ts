/**
 * The index of one session, in a file of its own:
 *
 *     chunk chunk ...   texts of rows, joined by NUL, deflated
 *     table             the rows, as deflated JSON
 *     filter filter ... word filters: one for the facts, then one per chunk
 *     header            JSON: what it was made from, the facts, and offsets of the parts
 *     length, magic     the length of the header, and a marker
 *
 * Readable by the owner only, since it contains the text of the session. It can be deleted at any time and is rebuilt.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { WholeFile } from "@bough/session/log/index.js";
import { isRecord } from "@bough/session/text/index.js";
import type { SessionFacts } from "../facts/facts.js";
import type { EntryRow } from "../facts/read-session.js";
import { factsText } from "../facts/turn-text.js";
import { makeFilter } from "../words/word-filter.js";

/** Increase when the file layout, or the way facts are found, changes. */
const VERSION = 3;
const MAGIC = "BOUGHHIX";
/** Characters of text per chunk. */
const CHUNK = 1 << 18;
const BETWEEN = "\0";

interface Extent {
  readonly at: number;
  readonly length: number;
}

interface ChunkPlace extends Extent {
  readonly firstRow: number;
  readonly rows: number;
  readonly filter: number;
}

export interface IndexMaker {
  readonly key: string;
  readonly stamp: string;
  readonly tail: string;
  /** The session ID that its own program uses. */
  readonly id: string;
}

interface IndexHeader extends IndexMaker {
  readonly version: number;
  readonly facts: SessionFacts;
  readonly factsFilter: number;
  readonly chunks: readonly ChunkPlace[];
  readonly table: Extent;
  readonly filters: Extent;
}

export interface IndexChunk extends ChunkPlace {
  readonly words: Uint8Array;
}

/** The part that is kept in memory. */
export interface LoadedIndex extends Omit<IndexHeader, "chunks" | "filters" | "factsFilter" | "version"> {
  readonly file: string;
  readonly chunks: readonly IndexChunk[];
  readonly factsWords: Uint8Array;
}

/** Writes an index: first the texts of rows, in order, then everything else. */
export class IndexWriter {
  readonly #file: WholeFile;
  readonly #path: string;
  readonly #chunks: ChunkPlace[] = [];
  readonly #filters: Uint8Array[] = [];
  #texts: string[] = [];
  #length = 0;
  #rows = 0;
  #at = 0;

  constructor(path: string) {
    this.#path = path;
    this.#file = new WholeFile(path, { existing: "replace", durable: false });
  }

  add(text: string): void {
    this.#texts.push(text);
    this.#length += text.length + 1;
    if (this.#length >= CHUNK) this.#endChunk();
  }

  finish(
    made: IndexMaker,
    { facts, rows }: { readonly facts: SessionFacts; readonly rows: readonly EntryRow[] },
  ): void {
    if (this.#texts.length > 0) this.#endChunk();
    const table = this.#write(deflateRawSync(JSON.stringify(columnsOf(rows)), { level: 1 }));
    const texts = factsText(facts);
    const factsFilter = makeFilter(
      texts,
      texts.reduce((sum, text) => sum + text.length, 0),
    );
    const filters = this.#write(Buffer.concat([factsFilter, ...this.#filters]));
    const header: IndexHeader = {
      version: VERSION,
      ...made,
      facts,
      factsFilter: factsFilter.length,
      chunks: this.#chunks,
      table,
      filters,
    };
    const { length } = this.#write(Buffer.from(JSON.stringify(header)));
    const trailer = Buffer.alloc(4 + MAGIC.length);
    trailer.writeUInt32LE(length);
    trailer.write(MAGIC, 4, "latin1");
    this.#file.write(trailer);
    this.#file.moveIntoPlace();
  }

  /** Call in any case, even after a failure. */
  close(): void {
    this.#file.close();
  }

  get path(): string {
    return this.#path;
  }

  #endChunk(): void {
    const filter = makeFilter(this.#texts, this.#length);
    this.#filters.push(filter);
    const extent = this.#write(deflateRawSync(Buffer.from(this.#texts.join(BETWEEN)), { level: 1 }));
    this.#chunks.push({ ...extent, firstRow: this.#rows, rows: this.#texts.length, filter: filter.length });
    this.#rows += this.#texts.length;
    this.#texts = [];
    this.#length = 0;
  }

  #write(bytes: Uint8Array): Extent {
    const extent = { at: this.#at, length: bytes.length };
    this.#file.write(bytes);
    this.#at += bytes.length;
    return extent;
  }
}

const LONGEST_HEADER = 1 << 28;

/** Undefined for a file that is missing, incomplete, or of another version. */
export function loadIndex(file: string): LoadedIndex | undefined {
  try {
    return withFile(file, (descriptor) => {
      const { size } = fstatSync(descriptor);
      const end = read(descriptor, { at: size - 4 - MAGIC.length, length: 4 + MAGIC.length });
      if (end.toString("latin1", 4) !== MAGIC) return undefined;
      const length = end.readUInt32LE();
      if (length > LONGEST_HEADER) return undefined;
      const at = size - end.length - length;
      const header: unknown = JSON.parse(read(descriptor, { at, length }).toString("utf8"));
      if (!isRecord(header) || header.version !== VERSION) return undefined;
      const { chunks, filters, factsFilter, version: _version, ...rest } = header as unknown as IndexHeader;
      const words = read(descriptor, filters);
      let next = factsFilter;
      const withWords = chunks.map((chunk): IndexChunk => {
        next += chunk.filter;
        return { ...chunk, words: words.subarray(next - chunk.filter, next) };
      });
      return { ...rest, file, chunks: withWords, factsWords: words.subarray(0, factsFilter) };
    });
  } catch {
    // Whatever is wrong with it, the index is rebuilt.
    return undefined;
  }
}

/** The texts of a chunk, one per row. Throws if the file was changed. */
export function readChunk({ file }: LoadedIndex, chunk: IndexChunk): readonly string[] {
  const texts = withFile(file, (descriptor) => inflated(descriptor, chunk)).split(BETWEEN);
  if (texts.length !== chunk.rows) throw new Error(`The index is damaged: ${file}`);
  return texts;
}

export function readTable({ file, table }: LoadedIndex): readonly EntryRow[] {
  return rowsOf(JSON.parse(withFile(file, (descriptor) => inflated(descriptor, table))) as Columns);
}

function inflated(descriptor: number, extent: Extent): string {
  return inflateRawSync(read(descriptor, extent)).toString("utf8");
}

function read(descriptor: number, { at, length }: Extent): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  if (readSync(descriptor, bytes, 0, length, at) !== length) throw new Error("The index is damaged");
  return bytes;
}

function withFile<Result>(file: string, use: (descriptor: number) => Result): Result {
  const descriptor = openSync(file, "r");
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Rows stored by column, which is smaller and faster to parse. */
interface Columns {
  readonly names: readonly string[];
  readonly ids: readonly string[];
  readonly above: readonly number[];
  readonly who: readonly number[];
  readonly times: readonly number[];
  readonly turns: readonly number[];
  readonly places: string;
}

const PLACES = { active: "a", left: "l", compacted: "c" } as const;
const PLACE_OF = { a: "active", l: "left", c: "compacted" } as const;

function columnsOf(rows: readonly EntryRow[]): Columns {
  const names = [...new Set(rows.map(({ who }) => who))];
  const numbers = new Map(names.map((name, at) => [name, at]));
  return {
    names,
    ids: rows.map(({ id }) => id),
    above: rows.map(({ above }) => above),
    who: rows.map(({ who }) => numbers.get(who) as number),
    times: rows.map(({ time }) => time),
    turns: rows.map(({ turn }) => turn),
    places: rows.map(({ place }) => PLACES[place]).join(""),
  };
}

function rowsOf({ names, ids, above, who, times, turns, places }: Columns): EntryRow[] {
  return ids.map((id, at) => ({
    id,
    above: above[at] as number,
    who: names[who[at] as number] ?? "",
    time: times[at] as number,
    turn: turns[at] as number,
    place: PLACE_OF[places[at] as "a" | "l" | "c"],
  }));
}
