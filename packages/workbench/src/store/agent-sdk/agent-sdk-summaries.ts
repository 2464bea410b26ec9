/** Summaries of transcripts for the Claude Agent SDK's lists, kept up to date by its own fold function. */
import type { PulledLines, Store } from "../store.js";
import { type AgentSdkEntry, type AgentSdkKey, entryIn, storedId, uuidOf } from "./agent-sdk-line.js";

/** The SDK's `SessionSummaryEntry`; `data` is opaque. */
export interface AgentSdkSummary {
  sessionId: string;
  mtime: number;
  data: Record<string, unknown>;
}

/** The SDK's `foldSessionSummary`. */
export type FoldSessionSummary = (
  before: AgentSdkSummary | undefined,
  key: AgentSdkKey,
  entries: AgentSdkEntry[],
  options?: { mtime?: number },
) => AgentSdkSummary;

interface Folded {
  readonly cursor: string | undefined;
  readonly summary: AgentSdkSummary | undefined;
  readonly uuids: Set<string>;
}

/** Reads only the lines of a transcript that it has not read before. */
export class AgentSdkSummaries {
  readonly #store: Store;
  readonly #fold: FoldSessionSummary;
  readonly #folded = new Map<string, Folded>();

  constructor(store: Store, fold: FoldSessionSummary) {
    this.#store = store;
    this.#fold = fold;
  }

  /** Call this for a deleted transcript: it may be started again. */
  forget(id: string): void {
    this.#folded.delete(id);
  }

  async of(
    key: AgentSdkKey,
    { mtime, cursor }: { mtime: number; cursor: string },
  ): Promise<AgentSdkSummary | undefined> {
    const id = storedId(key);
    const known = this.#folded.get(id) ?? { cursor: undefined, summary: undefined, uuids: new Set() };
    if (known.cursor === cursor) return known.summary;
    const fresh: { at: number; entry: AgentSdkEntry }[] = [];
    let end = known.cursor;
    for await (const piece of this.#store.pull(id, known.cursor)) {
      fresh.push(...entriesIn(piece, known.uuids));
      end = piece.cursor;
    }
    fresh.sort((a, b) => a.at - b.at);
    const entries = fresh.map(({ entry }) => entry);
    const summary = entries.length === 0 ? known.summary : this.#fold(known.summary, key, entries, { mtime });
    this.#folded.set(id, { cursor: end, summary, uuids: known.uuids });
    return summary === undefined ? undefined : { ...summary, mtime };
  }
}

/** Entries with IDs not seen before; adds their IDs to `uuids`. */
function entriesIn({ lines }: PulledLines, uuids: Set<string>) {
  return lines.flatMap(({ bytes }) => {
    const one = entryIn(bytes);
    const uuid = one === undefined ? undefined : uuidOf(one.entry);
    if (one === undefined || (uuid !== undefined && uuids.has(uuid))) return [];
    if (uuid !== undefined) uuids.add(uuid);
    return [one];
  });
}
