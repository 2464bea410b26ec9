/** A search over sessions: hits as they are found, the progress, and a way to stop it. */
import { type SearchHit, type SearchProgress, searchSessions } from "@bough/session/session/index.js";
import { errorText } from "@bough/session/text/index.js";

export type SearchScope = "session" | "folder" | "all";

interface SearchPlaces {
  /** The file of the open session; undefined in memory. */
  readonly file: string | undefined;
  readonly dir: string;
}

type SearchState =
  | { readonly kind: "searching" | "done" | "stopped" }
  /** More than anyone reads: the rest was not looked for. */
  | { readonly kind: "full" }
  | { readonly kind: "failed"; readonly reason: string };

/** No one reads more; more words find fewer. */
const MOST_HITS = 2000;

export class SearchRun {
  readonly #stopping = new AbortController();
  readonly #hits: SearchHit[] = [];
  readonly #changed: () => void;
  #state: SearchState = { kind: "searching" };
  #progress: SearchProgress | undefined;

  constructor(words: string, { scope, places, changed }: SearchRunOptions) {
    this.#changed = changed;
    void this.#run(words, where(scope, places));
  }

  get hits(): readonly SearchHit[] {
    return this.#hits;
  }

  get state(): SearchState {
    return this.#state;
  }

  get progress(): SearchProgress | undefined {
    return this.#progress;
  }

  /** True if it was running. */
  stop(): boolean {
    if (this.#state.kind !== "searching") return false;
    this.#state = { kind: "stopped" };
    this.#stopping.abort();
    this.#changed();
    return true;
  }

  async #run(words: string, places: Parameters<typeof searchSessions>[1]): Promise<void> {
    const { signal } = this.#stopping;
    try {
      const onProgress = (progress: SearchProgress): void => {
        this.#progress = progress;
        this.#changed();
      };
      for await (const hit of searchSessions(words, { ...places, signal, onProgress, limit: MOST_HITS })) {
        if (signal.aborted) return;
        this.#hits.push(hit);
        this.#changed();
      }
      if (!signal.aborted) this.#state = { kind: this.#hits.length >= MOST_HITS ? "full" : "done" };
    } catch (error) {
      // Stopped by the user: keep what was found.
      if (signal.aborted) return;
      this.#state = { kind: "failed", reason: errorText(error) };
    }
    this.#changed();
  }
}

interface SearchRunOptions {
  readonly scope: SearchScope;
  readonly places: SearchPlaces;
  readonly changed: () => void;
}

function where(scope: SearchScope, { file, dir }: SearchPlaces): Parameters<typeof searchSessions>[1] {
  if (scope === "session") return { files: file === undefined ? [] : [file] };
  return scope === "folder" ? { dir } : {};
}
