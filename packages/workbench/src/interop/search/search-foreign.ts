/** Search in other agents' sessions: those that may hold the words are converted, a few at a time, and searched. */
import { utimesSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import {
  type SearchHit,
  type SearchProblem,
  type SearchProgress,
  searchSessions,
} from "@bough/session/session/index.js";
import { createMayContain, type MayContain } from "@bough/session/session/internal.js";
import { defined, errorText } from "@bough/session/text/index.js";
import type { ForeignPlace } from "../foreign-place.js";
import { type OpenedForeign, openSource } from "../open-foreign.js";
import { checkReadable } from "../source-problem.js";
import type { FoundHit, HitSearch } from "./hit-search.js";

/** The first source is searched alone, so that its hits are there at once; then more of them share a search. */
const MOST_TOGETHER = 16;
/** Bytes of sources; what they are converted to is on the disk meanwhile. */
const MOST_BYTES = 1 << 26;

interface Converted {
  readonly place: ForeignPlace;
  readonly opened: OpenedForeign;
}

/** In the order of the places. What cannot be read is a problem in the progress and stops nothing. */
export class ForeignSearch {
  readonly #search: HitSearch;
  readonly #mayContain: MayContain;
  readonly #open: typeof openSource;
  readonly #problems: SearchProblem[] = [];
  #progress: SearchProgress;

  /** `open` converts a source. */
  constructor(search: HitSearch, places: readonly ForeignPlace[], open = openSource) {
    this.#search = search;
    this.#open = open;
    this.#mayContain = createMayContain(search.query, search.options);
    const bytesTotal = [...sizes(places).values()].reduce((sum, size) => sum + size, 0);
    this.#progress = { filesDone: 0, filesTotal: places.length, bytesDone: 0, bytesTotal, problems: [] };
  }

  async *hits(places: readonly ForeignPlace[]): AsyncGenerator<FoundHit, SearchProgress, undefined> {
    const sizeOf = sizes(places);
    let together = 1;
    let bytes = 0;
    const converted: Converted[] = [];
    try {
      for (const place of places) {
        const opened = await this.#convert(place);
        if (opened !== undefined) converted.push({ place, opened });
        bytes += opened === undefined ? 0 : place.foreign.size;
        if (converted.length >= together || bytes >= MOST_BYTES) {
          yield* this.#searchIn(converted.splice(0));
          if (this.#search.isFull()) return this.#soFar();
          together = Math.min(together * 2, MOST_TOGETHER);
          bytes = 0;
        }
        this.#advance(sizeOf.get(place) ?? 0);
      }
      if (converted.length > 0) yield* this.#searchIn(converted.splice(0));
      return this.#soFar();
    } finally {
      for (const { opened } of converted) opened.close();
    }
  }

  /** Undefined if the source holds no match, or cannot be read. */
  async #convert({ foreign }: ForeignPlace): Promise<OpenedForeign | undefined> {
    const { signal } = this.#search.options;
    const texts = foreign.title === undefined ? [] : [foreign.title];
    try {
      // So that Ctrl+C is handled between many small files.
      await setImmediate();
      signal?.throwIfAborted();
      checkReadable(foreign);
      if (!(await this.#mayContain({ files: foreign.files, texts, signal }))) return undefined;
      const opened = await this.#open(foreign, { originals: "leave-out", signal });
      // A search begins with what is newest: that of the source counts, not of the conversion.
      utimesSync(opened.file, foreign.modified, foreign.modified);
      return opened;
    } catch (error) {
      if (signal?.aborted === true) throw error;
      const message = errorText(error);
      this.#problems.push({ path: foreign.path, code: "read-failed", message });
      return undefined;
    }
  }

  async *#searchIn(converted: readonly Converted[]): AsyncGenerator<FoundHit, void, undefined> {
    const byFile = new Map(converted.map(({ place, opened }) => [opened.file, place]));
    try {
      const { query, options } = this.#search;
      const { onProgress: _whole, limit: _limit, ...how } = options;
      const done = yield* this.#search.limited(searchSessions(query, { ...how, files: [...byFile.keys()] }), (hit) =>
        foreignHit(hit, byFile.get(hit.path) as ForeignPlace),
      );
      for (const problem of done?.problems ?? []) {
        this.#problems.push({ ...problem, path: byFile.get(problem.path)?.foreign.path ?? problem.path });
      }
    } finally {
      for (const { opened } of converted) opened.close();
    }
  }

  #advance(size: number): void {
    const { filesDone, bytesDone } = this.#progress;
    this.#progress = { ...this.#soFar(), filesDone: filesDone + 1, bytesDone: bytesDone + size };
    this.#search.onProgress(this.#progress);
  }

  #soFar(): SearchProgress {
    return { ...this.#progress, problems: [...this.#problems] };
  }
}

/** A hit as the other agent's person would look for it: its id, its path, and an address that `show` takes. */
export function foreignHit(hit: SearchHit, { foreign, reference }: ForeignPlace): FoundHit {
  const { agent, id, path, title } = foreign;
  const sessionName = hit.sessionName ?? title;
  const { entryId } = hit;
  const address = `${reference}#${entryId}`;
  return { ...hit, agent, path, sessionId: id, ...defined({ sessionName }), address };
}

/** The sessions of one database are as large as it, together. */
function sizes(places: readonly ForeignPlace[]): Map<ForeignPlace, number> {
  const counted = new Set<string>();
  const bytes = new Map<ForeignPlace, number>();
  for (const place of places) {
    const { path, size } = place.foreign;
    bytes.set(place, counted.has(path) ? 0 : size);
    counted.add(path);
  }
  return bytes;
}
