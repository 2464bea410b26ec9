/** Earlier prompts: those of this session first, then those of others, without duplicates. */
import { entryText } from "@bough/session/entry/index.js";
import { listAllSessions, listSessions, SessionManager } from "@bough/session/session/index.js";
import { firstWords, wordMatcher } from "@bough/session/text/index.js";
import { isPromptAt, type TreeSource } from "@bough/session/tree/index.js";

export type HistoryScope = "folder" | "all";

interface SentPrompt {
  readonly whole: string;
  /** Its text on one line, for lists. */
  readonly text: string;
  /** Milliseconds; NaN if the entry has no time. */
  readonly time: number;
}

interface HistoryPlaces {
  readonly session: Pick<SessionManager, "getSource" | "getSessionFile">;
  /** The folder of this project's sessions. */
  readonly dir: string;
}

/** Enough for browsing; older prompts are found by searching. */
const MOST_PROMPTS = 5000;
const MOST_SESSIONS = 300;

export class PromptHistory {
  readonly #places: HistoryPlaces;
  readonly #changed: () => void;
  readonly #stopping = new AbortController();
  readonly #seen = new Set<string>();
  readonly #prompts: SentPrompt[] = [];
  #found: SentPrompt[] = [];
  #fits = wordMatcher("");
  #isComplete = false;

  constructor(
    places: HistoryPlaces,
    { scope, changed }: { readonly scope: HistoryScope; readonly changed: () => void },
  ) {
    this.#places = places;
    this.#changed = changed;
    this.#take(places.session.getSource());
    void this.#gather(scope);
  }

  get total(): number {
    return this.#prompts.length;
  }

  /** Those that match so far. */
  get found(): readonly SentPrompt[] {
    return this.#found;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  search(words: string): void {
    this.#fits = wordMatcher(words);
    this.#found = this.#prompts.filter(({ whole }) => this.#fits(whole));
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #gather(scope: HistoryScope): Promise<void> {
    const { signal } = this.#stopping;
    const { dir, session } = this.#places;
    // Skip an unreadable folder or session; /resume reports why.
    const listed = await (scope === "folder"
      ? listSessions(dir)
      : listAllSessions(undefined, { onUnreadable: () => {} })
    ).catch(() => []);
    for (const { path } of listed.slice(0, MOST_SESSIONS)) {
      if (signal.aborted || this.#prompts.length >= MOST_PROMPTS) break;
      if (path === session.getSessionFile()) continue;
      const other = await SessionManager.openInSlices(path, undefined, { readOnly: true }).catch(() => undefined);
      if (other === undefined) continue;
      this.#take(other.getSource());
      other.close();
      if (!signal.aborted) this.#changed();
    }
    this.#isComplete = true;
    if (!signal.aborted) this.#changed();
  }

  /** Newest first, on any branch. */
  #take(source: TreeSource): void {
    for (let n = source.tree.count - 1; n >= 0 && this.#prompts.length < MOST_PROMPTS; n--) {
      if (!isPromptAt(source.tree, n)) continue;
      const entry = source.entryAt(n);
      const whole = entryText(entry).trim();
      if (whole === "" || this.#seen.has(whole)) continue;
      this.#seen.add(whole);
      const prompt = { whole, text: firstWords(whole), time: Date.parse(entry.timestamp) };
      this.#prompts.push(prompt);
      if (this.#fits(whole)) this.#found.push(prompt);
    }
  }
}
