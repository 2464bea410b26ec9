/** One stream of hits from Bough's own sessions and from other agents', own first. */
import type { AgentName, ForeignSession } from "../../../interop/index.js";
import { type SearchHit, type SearchOptions, type SearchProgress, searchSessions } from "../../../session/index.js";
import type { ForeignPlace } from "../../foreign-session.js";

/** `agent` is set where the session is another agent's. */
export type FoundHit = SearchHit & { readonly agent?: AgentName };

export interface SearchPlaces {
  /** Folders and files of Bough's own; none is searched where this is absent. */
  readonly own?: Pick<SearchOptions, "dir" | "files">;
  /** Asked for when the own ones are done: finding them takes a while, and the first hits should not wait for it. */
  readonly foreign?: () => Promise<readonly ForeignPlace[]>;
}

const NOTHING: SearchProgress = { filesDone: 0, filesTotal: 0, bytesDone: 0, bytesTotal: 0, problems: [] };

/**
 * As `searchSessions`, with sessions of other agents behind the own ones. What was imported is told once, with its
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
    search.finish(yield* search.taken(hits, (hit) => hit));
  }
  if (foreign === undefined || search.isFull()) return search.progress;
  const places = await foreign();
  const [{ ForeignSearch, foreignHit }, { foreignSessionId }] = await Promise.all([
    import("./search-foreign.js"),
    import("../../../interop/index.js"),
  ]);
  search.importedId = ({ agent, id }) => foreignSessionId(agent, id);
  const asTheyAre = new Map(places.filter(opensAsItIs).map((place) => [place.foreign.path, place]));
  const others = places.filter((place) => !opensAsItIs(place));
  if (asTheyAre.size > 0) {
    const files = [...asTheyAre.keys()];
    const onProgress = (now: SearchProgress) => search.onProgress(now);
    const hits = searchSessions(query, { ...options, limit: Number.POSITIVE_INFINITY, files, onProgress });
    search.finish(yield* search.taken(hits, (hit) => foreignHit(hit, asTheyAre.get(hit.path) as ForeignPlace)));
    if (search.isFull()) return search.progress;
  }
  search.finish(yield* new ForeignSearch(search, others).hits(others));
  return search.progress;
}

/** Files of pi are searched where they are. */
function opensAsItIs({ foreign }: ForeignPlace): boolean {
  return foreign.agent === "pi";
}

/** What the parts of one search share: how many hits there are, which ones, and how far all of it is. */
export class HitSearch {
  readonly query: string;
  readonly options: Omit<SearchOptions, "dir" | "files">;
  importedId: (source: Pick<ForeignSession, "agent" | "id">) => string = ({ id }) => id;
  #before = NOTHING;
  #part = NOTHING;
  #hits = 0;
  /** Addresses of own hits. The ids of an import are made of the source's, so they tell what is there twice. */
  readonly #seen = new Set<string>();

  constructor(query: string, options: Omit<SearchOptions, "dir" | "files">) {
    this.query = query;
    this.options = options;
  }

  get progress(): SearchProgress {
    return together(this.#before, this.#part);
  }

  isFull(): boolean {
    return this.#hits >= (this.options.limit ?? Number.POSITIVE_INFINITY);
  }

  /** How far the part that is running is. */
  onProgress(part: SearchProgress): void {
    this.#part = part;
    this.options.onProgress?.(this.progress);
  }

  /** The part that was running is over; undefined where it was cut short. */
  finish(part: SearchProgress | undefined): void {
    this.#before = together(this.#before, part ?? this.#part);
    this.#part = NOTHING;
  }

  /**
   * The hits of a part as far as they are wanted; what an import here told already is left out. Returns undefined where
   * there are enough.
   */
  async *taken(
    hits: AsyncGenerator<SearchHit, SearchProgress, undefined>,
    change: (hit: SearchHit) => FoundHit,
  ): AsyncGenerator<FoundHit, SearchProgress | undefined, undefined> {
    try {
      while (!this.isFull()) {
        const step = await hits.next();
        if (step.done === true) return step.value;
        const hit = change(step.value);
        const { agent, sessionId: id, entryId } = hit;
        if (agent === undefined) this.#seen.add(`${id}#${entryId}`);
        else if (this.#seen.has(`${this.importedId({ agent, id })}#${entryId}`)) continue;
        this.#hits += 1;
        yield hit;
      }
      return undefined;
    } finally {
      // The value is never seen: whoever ends it early wants none.
      await hits.return(NOTHING);
    }
  }
}

function together(a: SearchProgress, b: SearchProgress): SearchProgress {
  return {
    filesDone: a.filesDone + b.filesDone,
    filesTotal: a.filesTotal + b.filesTotal,
    bytesDone: a.bytesDone + b.bytesDone,
    bytesTotal: a.bytesTotal + b.bytesTotal,
    problems: [...a.problems, ...b.problems],
  };
}
