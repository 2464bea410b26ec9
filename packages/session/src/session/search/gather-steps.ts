/** Fewer and larger steps: handing one on costs more than searching a megabyte. */
import type { FileStep } from "./search-hit.js";

const MOST_HITS = 256;

interface GatherOptions {
  readonly forMs: number;
  /** Bytes of the file that were done before. */
  readonly from: number;
}

/**
 * The same hits, problems and progress, gathered for `forMs` or until there are many hits or a problem. What was
 * gathered last is returned, also a step with `rest`.
 */
export function* gatherSteps(
  steps: Iterable<FileStep>,
  { forMs, from }: GatherOptions,
): Generator<FileStep, FileStep, undefined> {
  let gathered: FileStep = { hits: [], done: from };
  let since = performance.now();
  for (const step of steps) {
    gathered = gathered.hits.length === 0 ? step : { ...step, hits: gathered.hits.concat(step.hits) };
    // If another thread continues, nothing follows; the returned step says so.
    if (gathered.rest !== undefined) break;
    // A step carries one problem at most, so one with a problem is not gathered further.
    const full = gathered.hits.length >= MOST_HITS || gathered.problem !== undefined;
    if (!full && performance.now() - since < forMs) continue;
    yield gathered;
    gathered = { hits: [], done: step.done };
    since = performance.now();
  }
  return gathered;
}
