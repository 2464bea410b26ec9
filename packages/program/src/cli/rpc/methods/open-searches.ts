/** Searches with more results: a client requests the next page with the previous page's cursor. */
import { SessionError } from "@bough/session/entry/index.js";
import type { SearchHit, SearchProgress } from "@bough/session/session/index.js";
import { CliError } from "../../cli-error.js";
import { sizeOf } from "../line-limit.js";
import { PAGE_LIMIT } from "./answer-page.js";

export type Hits = AsyncGenerator<SearchHit, SearchProgress, undefined>;

interface OpenSearch {
  readonly hits: Hits;
  readonly controller: AbortController;
  /** Read but not sent yet. */
  ahead: SearchHit | undefined;
}

interface SearchPage {
  readonly hits: SearchHit[];
  readonly cursor: string | null;
  /** Known when the search is done. */
  readonly progress: SearchProgress | null;
}

/** At most this many stay open; the least recently used is closed first. */
const MOST_OPEN = 8;

export class OpenSearches {
  readonly #open = new Map<string, OpenSearch>();
  /** Those currently looking for a page. */
  readonly #running = new Set<OpenSearch>();
  #count = 0;

  /** The first page of a search. */
  start(search: (signal: AbortSignal) => Hits, limit: number): Promise<SearchPage> {
    const controller = new AbortController();
    return this.#page({ hits: search(controller.signal), controller, ahead: undefined }, limit);
  }

  /** The page after the one with this cursor. Each cursor works once. */
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

  /** Ends all searches. A page in progress is answered with `aborted`. */
  stop(): void {
    for (const { controller } of this.#running) controller.abort();
    for (const cursor of [...this.#open.keys()]) this.#drop(cursor);
  }

  #drop(cursor: string): void {
    const search = this.#open.get(cursor);
    this.#open.delete(cursor);
    search?.controller.abort();
    // Stops workers and closes files; the resulting error is expected.
    search?.hits.return(undefined as never).catch(() => {});
  }

  async #page(search: OpenSearch, limit: number): Promise<SearchPage> {
    const { signal } = search.controller;
    this.#running.add(search);
    try {
      const page = await this.#gather(search, limit);
      if (!signal.aborted) return page;
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#running.delete(search);
    }
    throw new SessionError("aborted", "The search was stopped");
  }

  async #gather(search: OpenSearch, limit: number): Promise<SearchPage> {
    const hits: SearchHit[] = search.ahead === undefined ? [] : [search.ahead];
    search.ahead = undefined;
    let size = sizeOf(hits);
    for (;;) {
      const step = await search.hits.next();
      if (step.done === true) return { hits, cursor: null, progress: step.value };
      size += sizeOf(step.value) + 1;
      if (hits.length >= limit || (size > PAGE_LIMIT && hits.length > 0)) {
        search.ahead = step.value;
        // One that was stopped in the meantime has no next page.
        if (search.controller.signal.aborted) void search.hits.return(undefined as never).catch(() => {});
        return { hits, cursor: search.controller.signal.aborted ? null : this.#keep(search), progress: null };
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
