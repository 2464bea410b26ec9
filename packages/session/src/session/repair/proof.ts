/**
 * Proves that a new file holds every readable entry of the original: compares each entry's bytes (or, if its ID or
 * parent changed, all its other fields) with what is read back.
 */
import { hash } from "node:crypto";
import { type EntryId, parseRecord } from "../../entry/index.js";
import { rawFields } from "../../entry/internal.js";

interface ExpectedPlace {
  readonly id: EntryId;
  readonly parentId: EntryId | null;
}

/** First pass every entry in order to `expect…`, then every entry of the new file in the same order to `show`. */
export class Proof {
  /** 48 bits of a digest for each entry. */
  readonly #digests: number[] = [];
  readonly #places = new Map<number, ExpectedPlace>();
  #shown = 0;
  #found = 0;

  /** Expects the entry back byte for byte. */
  expectSame(line: Buffer): void {
    this.#digests.push(digestOf(line));
  }

  /** Expects the entry back with this ID and parent, and every other field byte for byte. */
  expectMoved(line: Buffer, place: ExpectedPlace): void {
    this.#places.set(this.#digests.length, place);
    this.#digests.push(digestOf(contentOf(line)));
  }

  show(line: Buffer): void {
    const at = this.#shown++;
    const place = this.#places.get(at);
    const digest = digestOf(place === undefined ? line : contentOf(line));
    if (digest === this.#digests[at] && (place === undefined || hasPlace(line, place))) this.#found += 1;
  }

  get readable(): number {
    return this.#digests.length;
  }

  get found(): number {
    return this.#found;
  }

  /** Entries of the new file seen so far. */
  get shown(): number {
    return this.#shown;
  }
}

function digestOf(bytes: Buffer | string): number {
  return Number.parseInt(hash("sha256", bytes, "hex").slice(0, 12), 16);
}

/** The fields of a line other than its ID and parent, one character per byte. */
function contentOf(line: Buffer): string {
  const text = line.toString("latin1");
  const content: string[] = [];
  for (const { key, start, end } of rawFields(text) ?? []) {
    if (key !== "id" && key !== "parentId") content.push(text.slice(start, end));
  }
  return content.join("\n");
}

function hasPlace(line: Buffer, place: ExpectedPlace): boolean {
  const record = parseRecord(line.toString("utf8"));
  return record.kind === "entry" && record.entry.id === place.id && record.entry.parentId === place.parentId;
}
