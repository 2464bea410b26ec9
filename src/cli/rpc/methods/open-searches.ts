/** Searches that have more to give: a client asks for the next page with the cursor of the one before. */
import type { SearchHit, SearchProgress } from "../../../session/index.js";
import { CliError } from "../../cli-error.js";

export type Hits = AsyncGenerator<SearchHit, SearchProgress, undefined>;

interface OpenSearch {
  readonly hits: Hits;
  readonly controller: AbortController;
  /** Read, but not sent yet. */
  ahead: SearchHit | undefined;
}

export interface SearchPage {
  readonly hits: SearchHit[];
  readonly cursor: string | null;
  /** Known when the search is done. */
  readonly progress: SearchProgress | null;
}

/** As many stay open; the one that was not asked for longest makes room. */
const MOST_OPEN = 8;

export class OpenSearches {
  readonly #open = new Map<string, OpenSearch>();
  #count = 0;

  /** The first page of a search. */
  start(search: (signal: AbortSignal) => Hits, limit: number): Promise<SearchPage> {
    const controller = new AbortController();
    return this.#page({ hits: search(controller.signal), controller, ahead: undefined }, limit);
  }

  /** The page after the one that had this cursor. A cursor is good for one page. */
  next(cursor: string, limit: number): Promise<SearchPage> {
    const search = this.#open.get(cursor);
    if (search === undefined) {
      throw new CliError("bad-params", `No search is open with the cursor ${cursor}`, {
        data: { cursor },
        hint: "A cursor is good for one page, and for a search that was not stopped. Search again.",
      });
    }
    this.#open.delete(cursor);
    return this.#page(search, limit);
  }

  /** Ends them all. */
  stop(): void {
    for (const cursor of [...this.#open.keys()]) this.#drop(cursor);
  }

  #drop(cursor: string): void {
    const search = this.#open.get(cursor);
    this.#open.delete(cursor);
    search?.controller.abort();
    // Ends workers and closes files; that it was stopped is what was wanted.
    search?.hits.return(undefined as never).catch(() => {});
  }

  async #page(search: OpenSearch, limit: number): Promise<SearchPage> {
    const hits: SearchHit[] = search.ahead === undefined ? [] : [search.ahead];
    search.ahead = undefined;
    for (;;) {
      const step = await search.hits.next();
      if (step.done === true) return { hits, cursor: null, progress: step.value };
      if (hits.length >= limit) {
        search.ahead = step.value;
        return { hits, cursor: this.#keep(search), progress: null };
      }
      hits.push(step.value);
    }
  }

  #keep(search: OpenSearch): string {
    this.#count += 1;
    const cursor = `search-${this.#count}`;
    this.#open.set(cursor, search);
    const [oldest] = this.#open.keys();
    if (this.#open.size > MOST_OPEN && oldest !== undefined) this.#drop(oldest);
    return cursor;
  }
}
