/** One stream of hits from Bough's own sessions and from other agents', own first. */
import { type SearchOptions, type SearchProgress, searchSessions } from "@bough/session/session/index.js";
import type { ForeignPlace } from "../foreign-place.js";
import { opensInPlace } from "../open-foreign.js";
import { type FoundHit, HitSearch } from "./hit-search.js";
import { ForeignSearch, foreignHit } from "./search-foreign.js";

export interface SearchPlaces {
  /** Folders and files of Bough's own; none is searched where this is absent. */
  readonly own?: Pick<SearchOptions, "dir" | "files">;
  /** Asked for when the own ones are done: finding them takes a while, and the first hits should not wait for it. */
  readonly foreign: () => Promise<readonly ForeignPlace[]>;
}

/**
 * As `searchSessions`, with other agents' sessions after Bough's own. What was imported is reported once, with its
 * address here. The return value is the last progress, of both together.
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
