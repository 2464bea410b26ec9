/** State shared by the parts of one search: number of hits, which ones were found, and total progress. */

import type { SearchHit, SearchOptions, SearchProgress } from "@bough/session/session/index.js";
import type { AgentName } from "../contract.js";
import { foreignSessionId } from "../foreign-entry.js";

/** `agent` is set if the session is another agent's. */
export type FoundHit = SearchHit & { readonly agent?: AgentName };

const NOTHING: SearchProgress = { filesDone: 0, filesTotal: 0, bytesDone: 0, bytesTotal: 0, problems: [] };

export class HitSearch {
  readonly query: string;
  readonly options: Omit<SearchOptions, "dir" | "files">;
  #before = NOTHING;
  #part = NOTHING;
  #hits = 0;
  /**
   * Addresses of hits in Bough's own sessions. IDs of an import are derived from its source, so these reveal
   * duplicates.
   */
  readonly #seen = new Set<string>();

  constructor(query: string, options: Omit<SearchOptions, "dir" | "files">) {
    this.query = query;
    this.options = options;
  }

  get progress(): SearchProgress {
    return summed(this.#before, this.#part);
  }

  isFull(): boolean {
    return this.#hits >= (this.options.limit ?? Number.POSITIVE_INFINITY);
  }

  /** Updates the progress of the running part. */
  onProgress(part: SearchProgress): void {
    this.#part = part;
    this.options.onProgress?.(this.progress);
  }

  /** Ends the running part; `part` is its final progress, or undefined if it was cut short. */
  finish(part: SearchProgress | undefined): void {
    this.#before = summed(this.#before, part ?? this.#part);
    this.#part = NOTHING;
  }

  /**
   * The hits of a part up to the limit, without those already found in an import. Returns undefined if the limit is
   * reached.
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
      // The return value is never used.
      await hits.return(NOTHING);
    }
  }
}

function summed(a: SearchProgress, b: SearchProgress): SearchProgress {
  return {
    filesDone: a.filesDone + b.filesDone,
    filesTotal: a.filesTotal + b.filesTotal,
    bytesDone: a.bytesDone + b.bytesDone,
    bytesTotal: a.bytesTotal + b.bytesTotal,
    problems: [...a.problems, ...b.problems],
  };
}
