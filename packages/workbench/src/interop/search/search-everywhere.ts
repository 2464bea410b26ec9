/** Searches Bough's own sessions, then other agents', as one stream of hits. */
import { type SearchOptions, type SearchProgress, searchSessions } from "@bough/session/session/index.js";
import type { ForeignPlace } from "../foreign-place.js";
import { opensInPlace } from "../open-foreign.js";
import { type FoundHit, HitSearch } from "./hit-search.js";
import { ForeignSearch, foreignHit } from "./search-foreign.js";

export interface SearchPlaces {
  /** Bough's own folders and files to search. Default: none. */
  readonly own?: Pick<SearchOptions, "dir" | "files">;
  /**
   * Called after Bough's own sessions are searched, since finding others takes a while and must not delay first hits.
   */
  readonly foreign: () => Promise<readonly ForeignPlace[]>;
}

/**
 * Like `searchSessions`, with other agents' sessions after Bough's own. A hit in both an import and its source is
 * returned once, with its address in the import. The return value is the final progress of both together.
 */
export async function* searchEverywhere(
  query: string,
  { own, foreign }: SearchPlaces,
  options: Omit<SearchOptions, "dir" | "files">,
): AsyncGenerator<FoundHit, SearchProgress, undefined> {
  const search = new HitSearch(query, options);
  if (own !== undefined) {
    const hits = searchSessions(query, { ...options, ...own, onProgress: (now) => search.onProgress(now) });
    search.finish(yield* search.limited(hits, (hit) => hit));
  }
  if (search.isFull()) return search.progress;
  const places = await foreign();
  const inPlace = new Map(
    places.filter(({ foreign: session }) => opensInPlace(session)).map((place) => [place.foreign.path, place]),
  );
  const others = places.filter(({ foreign: session }) => !opensInPlace(session));
  if (inPlace.size > 0) {
    const files = [...inPlace.keys()];
    const onProgress = (now: SearchProgress) => search.onProgress(now);
    const hits = searchSessions(query, { ...options, limit: Number.POSITIVE_INFINITY, files, onProgress });
    search.finish(yield* search.limited(hits, (hit) => foreignHit(hit, inPlace.get(hit.path) as ForeignPlace)));
    if (search.isFull()) return search.progress;
  }
  search.finish(yield* new ForeignSearch(search, others).hits(others));
  return search.progress;
}
