/** Fewer, larger steps: handing one over costs more than searching a megabyte. */
import type { FileStep } from "./search-hit.js";

const MOST_HITS = 256;

interface GatherOptions {
  readonly forMs: number;
  /** Bytes of the file processed before. */
  readonly from: number;
}

/**
 * The same hits, problems and progress, gathered for `forMs` or until there are many hits or a problem. The last
 * gathered step is returned, including one with `rest`.
 */
export function* gatherSteps(
  steps: Iterable<FileStep>,
  { forMs, from }: GatherOptions,
): Generator<FileStep, FileStep, undefined> {
  let gathered: FileStep = { hits: [], done: from };
  let since = performance.now();
  for (const step of steps) {
    gathered = gathered.hits.length === 0 ? step : { ...step, hits: gathered.hits.concat(step.hits) };
    // If another thread continues, nothing follows; the returned step indicates that.
    if (gathered.rest !== undefined) break;
    // A step carries at most one problem, so nothing is added to a step with one.
    const full = gathered.hits.length >= MOST_HITS || gathered.problem !== undefined;
    if (!full && performance.now() - since < forMs) continue;
    yield gathered;
    gathered = { hits: [], done: step.done };
    since = performance.now();
  }
  return gathered;
}
