/**
 * Diffs that an export embeds in its file records, so that they are scanned and masked like everything else. They are
 * computed once, kept in the private folder of the export, and read again on each pass.
 */
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { EntryId, SessionEntry } from "@bough/session/entry/index.js";
import { WorkTurns } from "@bough/session/log/index.js";
import { isRecord, jsonObject } from "@bough/session/text/index.js";

/** The range of a secret in a text. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
}

/** Finds secrets in a text the way the export does, without overlaps. */
export type SecretsIn = (text: string) => Promise<readonly SecretSpan[]>;

/** The file changes of a step, truncated for an export. */
export interface StepDiffs {
  readonly diffs: readonly StepDiff[];
  /** Number of files that are not listed. */
  readonly moreFiles: number;
}

export interface StepDiff {
  /** "M src/a.ts  +3 -1". */
  readonly title: string;
  /** Hunks; empty if there are none to show. */
  readonly diff: string;
  /** Number of lines cut off. */
  readonly moreLines: number;
}

/**
 * Returns the diffs to add to a file record; undefined for any other entry. They are scanned and masked afterwards, so
 * they must not contain a part of a secret that could not be recognized without the rest.
 */
export type FileDiffsOf = (entry: SessionEntry, secretsIn: SecretsIn) => Promise<StepDiffs | undefined>;

export class CarriedDiffs {
  readonly #file: number;
  readonly #places = new Map<EntryId, { readonly offset: number; readonly length: number }>();
  #size = 0;

  /** The folder must be private; the caller removes it. */
  private constructor(folder: string) {
    this.#file = openSync(join(folder, "diffs"), "wx+", 0o600);
  }

  static async make(
    entries: Iterable<SessionEntry>,
    {
      folder,
      diffsOf,
      secretsIn,
      signal,
    }: {
      readonly folder: string;
      readonly diffsOf: FileDiffsOf;
      readonly secretsIn: SecretsIn;
      readonly signal: AbortSignal;
    },
  ): Promise<CarriedDiffs> {
    const carried = new CarriedDiffs(folder);
    const turns = new WorkTurns();
    try {
      for (const entry of entries) {
        signal.throwIfAborted();
        if (turns.isDue) await turns.yieldNow();
        // Only custom entries are file records; asking about every entry would be slow.
        if (entry.type !== "custom") continue;
        const found = await diffsOf(entry, secretsIn);
        if (found !== undefined) carried.#put(entry.id, Buffer.from(JSON.stringify(found)));
      }
    } catch (error) {
      carried.close();
      throw error;
    }
    return carried;
  }

  #put(id: EntryId, bytes: Buffer): void {
    for (let sent = 0; sent < bytes.length; )
      sent += writeSync(this.#file, bytes, sent, bytes.length - sent, this.#size + sent);
    this.#places.set(id, { offset: this.#size, length: bytes.length });
    this.#size += bytes.length;
  }

  /** A copy of the entry with its diffs added; the entry itself if it has none. */
  apply(entry: SessionEntry): SessionEntry {
    const place = this.#places.get(entry.id);
    if (place === undefined || entry.type !== "custom" || !isRecord(entry.data)) return entry;
    const bytes = Buffer.alloc(place.length);
    for (let read = 0; read < bytes.length; ) {
      const got = readSync(this.#file, bytes, read, bytes.length - read, place.offset + read);
      if (got === 0) return entry;
      read += got;
    }
    return { ...entry, data: { ...entry.data, ...jsonObject(bytes.toString()) } };
  }

  close(): void {
    closeSync(this.#file);
  }
}
