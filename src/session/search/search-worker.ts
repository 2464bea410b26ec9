/** The other side of `WorkerSearcher`: searches files in a thread of its own. */
import { parentPort, workerData } from "node:worker_threads";
import { type CompiledFinder, createByteFinder, useCompiledFinder } from "./find-bytes.js";
import { gatherSteps } from "./gather-steps.js";
import { LineFilter } from "./line-filter.js";
import type { Query } from "./query.js";
import { scanFile } from "./scan-file.js";
import type { FileSearcher } from "./search-file.js";
import type { FileStep, SearchPlan } from "./search-hit.js";
import { WINDOWS } from "./windows.js";

export interface WorkerStart {
  readonly plan: SearchPlan;
  /** Of the plan, taken apart. */
  readonly query: Query;
  /** What another thread compiled, and made fast while it ran. */
  readonly finder: CompiledFinder | undefined;
}

/** `search`: a file to search, after those asked for before. `room`: a step was taken in. */
export type WorkerRequest =
  | { readonly kind: "search"; readonly job: number; readonly path: string }
  | { readonly kind: "room" };
/** `step` with `last`: the file is done. */
export type WorkerReply =
  | { readonly kind: "ready" }
  | { readonly kind: "step"; readonly job: number; readonly step: FileStep; readonly last: boolean };

/** Replies on their way that nobody has taken in yet: enough to keep busy, few enough to stay small. */
const MOST_REPLIES = 8;
/** How long a worker gathers steps: a reply wakes another thread. */
const GATHER_MS = 20;
/** So many files are left to the other thread, and then more only while they are fewer than one of this many. */
const MOST_LEFT = 3;
const SCANNED_PER_LEFT = 4;

const port = parentPort;
if (port === null) throw new Error("bug: search-worker runs in a worker only");
const { plan, query, finder } = workerData as WorkerStart;
if (finder !== undefined) useCompiledFinder(WINDOWS.small, finder);
const filter = new LineFilter(query, createByteFinder(WINDOWS.small));
let searcher: FileSearcher | undefined;
let scanned = 0;
let left = 0;
let replies = 0;
let roomMade: (() => void) | undefined;
let jobs: Promise<void> = Promise.resolve();

port.on("message", (request: WorkerRequest) => {
  if (request.kind === "search") jobs = jobs.then(() => search(request.job, request.path));
  else {
    replies -= 1;
    roomMade?.();
  }
});

async function search(job: number, path: string): Promise<void> {
  if (searcher === undefined && isWorthwhile()) searcher = new (await import("./search-file.js")).FileSearcher(plan);
  const steps = gatherSteps(searcher?.search(path) ?? scanFile(path, filter), GATHER_MS);
  for (let next = steps.next(); ; next = steps.next()) {
    const last = next.done === true;
    if (last) count(next.value);
    await reply({ kind: "step", job, step: next.value, last });
    if (last) return;
  }
}

/**
 * Whether to search files to their end here. What makes hits takes long to load and longer to become fast, so files with
 * hits are left to the other thread while they are few; unless that has to stay free.
 */
function isWorthwhile(): boolean {
  return plan.care === "patterns" || (left >= MOST_LEFT && left * SCANNED_PER_LEFT > scanned);
}

function count(last: FileStep): void {
  scanned += 1;
  if (last.rest !== undefined) left += 1;
}

/** Sends a reply; resolves when there is room for another. */
async function reply(message: WorkerReply): Promise<void> {
  port?.postMessage(message);
  replies += 1;
  while (replies >= MOST_REPLIES) {
    await new Promise<void>((resolve) => {
      roomMade = resolve;
    });
  }
}

port.postMessage({ kind: "ready" } satisfies WorkerReply);
