/** What the parts of one search share: how many hits there are, which ones, and how far all of it is. */

import type { SearchHit, SearchOptions, SearchProgress } from "@bough/session/session/index.js";
import type { AgentName } from "../contract.js";
import { foreignSessionId } from "../foreign-entry.js";

/** `agent` is set where the session is another agent's. */
export type FoundHit = SearchHit & { readonly agent?: AgentName };

const NOTHING: SearchProgress = { filesDone: 0, filesTotal: 0, bytesDone: 0, bytesTotal: 0, problems: [] };

export class HitSearch {
  readonly query: string;
  readonly options: Omit<SearchOptions, "dir" | "files">;
  #before = NOTHING;
  #part = NOTHING;
  #hits = 0;
  /** Addresses of own hits. The ids of an import are made from the source's, so they tell what is there twice. */
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

  /** The part that was running is over; undefined if it was cut short. */
  finish(part: SearchProgress | undefined): void {
    this.#before = together(this.#before, part ?? this.#part);
    this.#part = NOTHING;
  }

  /**
   * The hits of a part as far as they are wanted; what an import here told already is omitted. Returns undefined where
   * there are enough.
   */
  async *limited(
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
        else if (this.#seen.has(`${foreignSessionId(agent, id)}#${entryId}`)) continue;
        this.#hits += 1;
        yield hit;
      }
      return undefined;
    } finally {
      // The value is never seen: a caller that ends it early wants none.
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
