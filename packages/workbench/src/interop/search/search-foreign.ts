/** Searches other agents' sessions: converts those that may contain the words, a few at a time, and searches them. */
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

/** Sources per search. The first is searched alone to return its hits early; later searches take more at a time. */
const MOST_TOGETHER = 16;
/** Bytes of sources per search, since their conversions are on disk until it ends. */
const MOST_BYTES = 1 << 26;

interface Converted {
  readonly place: ForeignPlace;
  readonly opened: OpenedForeign;
}

/** Hits come in the order of the places. Unreadable sources are listed as problems in the progress. */
export class ForeignSearch {
  readonly #search: HitSearch;
  readonly #mayContain: MayContain;
  readonly #open: typeof openSource;
  readonly #problems: SearchProblem[] = [];
  #progress: SearchProgress;

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

  /** Undefined if the source cannot contain a match, or cannot be read. */
  async #convert({ foreign }: ForeignPlace): Promise<OpenedForeign | undefined> {
    const { signal } = this.#search.options;
    const texts = foreign.title === undefined ? [] : [foreign.title];
    try {
      // Handle Ctrl+C between many small files.
      await setImmediate();
      signal?.throwIfAborted();
      checkReadable(foreign);
      if (!(await this.#mayContain({ files: foreign.files, texts, signal }))) return undefined;
      const opened = await this.#open(foreign, { originals: "leave-out", signal });
      // A search starts with the newest file, so give the conversion the time of its source.
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

/** A hit with the ID and path of the original session, and an address that `show` accepts. */
export function foreignHit(hit: SearchHit, { foreign, reference }: ForeignPlace): FoundHit {
  const { agent, id, path, title } = foreign;
  const sessionName = hit.sessionName ?? title;
  const { entryId } = hit;
  const address = `${reference}#${entryId}`;
  return { ...hit, agent, path, sessionId: id, ...defined({ sessionName }), address };
}

/** Sizes of sources. The size of a database is counted only for the first of its sessions. */
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
