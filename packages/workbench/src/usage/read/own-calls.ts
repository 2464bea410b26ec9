/** The model calls of a session in Bough's format: by branch, and whether the session's path still has them. */
import { type CompactionEntry, Kind } from "@bough/session/entry/index.js";
import { readSessionCalls, type SessionCalls } from "@bough/session/session/internal.js";
import { firstWords } from "@bough/session/text/index.js";
import { branchIndexOf, type TreeIndex } from "@bough/session/tree/index.js";
import { branchName } from "@bough/session/view/internal.js";
import { type ModelCall, shortName, timeIn, usageCounts, usedSomething } from "../../interop/internal.js";

export interface OwnCalls {
  readonly calls: readonly ModelCall[];
  /** Branches with calls. */
  readonly branches: readonly (readonly [number: number, name: string])[];
}

const LONGEST_NAME = 80;

/** Throws if the file cannot be read. */
export function ownCalls(path: string): OwnCalls {
  return readSessionCalls(path, (session) => {
    const calls = placedCalls(session);
    const numbers = [...new Set(calls.map(({ branch }) => branch))].filter((branch) => branch > 0);
    const name = (branch: number) => firstWords(branchName(session.source, branch), LONGEST_NAME);
    return { calls, branches: numbers.map((branch) => [branch, name(branch)] as const) };
  });
}

function placedCalls(session: SessionCalls): ModelCall[] {
  const { tree } = session.source;
  const branches = branchIndexOf(tree);
  const places = new Places(session);
  const spared = new Spared(session);
  const calls: ModelCall[] = [];
  for (const stated of session.calls) {
    const { n, provider, model, responseId, importedFrom } = stated;
    const counts = usageCounts(stated.usage);
    if (!usedSomething(counts)) continue;
    calls.push({
      ...counts,
      time: timeIn(stated.timestamp),
      provider: shortName(provider, ""),
      model: shortName(model, "unknown"),
      responseId: typeof responseId === "string" && responseId !== "" ? responseId : undefined,
      recordId: tree.ids.textOf(n),
      importedFrom: typeof importedFrom === "string" ? importedFrom : undefined,
      branch: Math.max(0, branches.branchOf(n)),
      place: places.of(n),
      spared: stated.type === "message" ? spared.of(n, counts.input + counts.cacheRead + counts.cacheWrite) : 0,
    });
  }
  return calls;
}

const ON_PATH = 1;
const IN_SUBAGENT = 2;

class Places {
  readonly #marks: Uint8Array;

  constructor({ source: { tree, leaf }, subagents }: SessionCalls) {
    this.#marks = new Uint8Array(tree.count);
    for (let n = leaf; n >= 0; n = tree.parentOf(n)) this.#marks[n] = ON_PATH;
    for (const n of subagents) this.#marks[n] = IN_SUBAGENT;
    // Parents come before their children, except in damaged files.
    for (let n = 0; subagents.length > 0 && n < tree.count; n++) {
      const parent = tree.parentOf(n);
      if (parent >= 0 && this.#marks[parent] === IN_SUBAGENT) this.#marks[n] = IN_SUBAGENT;
    }
  }

  of(n: number): ModelCall["place"] {
    const mark = this.#marks[n];
    return mark === ON_PATH ? "path" : mark === IN_SUBAGENT ? "subagent" : "left";
  }
}

/** What compactions kept out of the prompts below them: the context before one, less the first prompt after it. */
class Spared {
  readonly #session: SessionCalls;
  /** The nearest compaction above each entry, or -1; built when there is one. */
  #above: Int32Array | undefined;
  readonly #known = new Map<number, number>();

  constructor(session: SessionCalls) {
    this.#session = session;
    const { tree } = session.source;
    if (tree.latestCompaction >= 0) this.#above = compactionsAbove(tree);
  }

  of(n: number, prompt: number): number {
    const compaction = this.#above?.[n] ?? -1;
    if (compaction < 0 || prompt === 0) return 0;
    const known = this.#known.get(compaction);
    if (known !== undefined) return known;
    const { tokensBefore } = this.#session.source.entryAt(compaction) as Partial<CompactionEntry>;
    const before = typeof tokensBefore === "number" && tokensBefore < 1e9 ? tokensBefore : 0;
    const spared = Math.max(0, Math.round(before - prompt));
    this.#known.set(compaction, spared);
    return spared;
  }
}

function compactionsAbove(tree: TreeIndex): Int32Array {
  const above = new Int32Array(tree.count).fill(-1);
  for (let n = 0; n < tree.count; n++) {
    const parent = tree.parentOf(n);
    if (tree.kindOf(n) === Kind.compaction) above[n] = n;
    else if (parent >= 0) above[n] = above[parent] as number;
  }
  return above;
}
