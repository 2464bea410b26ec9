/** The other side of `WorkerSearcher`: searches files in a thread of its own. */
import { parentPort, workerData } from "node:worker_threads";
import { WINDOW } from "./candidate-lines.js";
import { type CompiledFinder, useCompiledFinder } from "./find-bytes.js";
import { FileSearcher } from "./search-file.js";
import type { FileStep, SearchPlan } from "./search-hit.js";

export interface WorkerStart {
  readonly plan: SearchPlan;
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
/** A reply wakes another thread, which costs more than searching a megabyte: steps are gathered for so long. */
const GATHER_MS = 20;
const GATHER_HITS = 256;

const port = parentPort;
if (port === null) throw new Error("bug: search-worker runs in a worker only");
const { plan, finder } = workerData as WorkerStart;
if (finder !== undefined) useCompiledFinder(WINDOW, finder);
const searcher = new FileSearcher(plan);
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
  let gathered: FileStep = { hits: [], done: 0 };
  let since = performance.now();
  for (const step of searcher.search(path)) {
    gathered = { ...step, hits: gathered.hits.concat(step.hits) };
    const now = performance.now();
    // A step carries one problem at most, so one with a problem is not gathered further.
    const full = gathered.hits.length >= GATHER_HITS || gathered.problem !== undefined;
    if (!full && now - since < GATHER_MS) continue;
    await reply({ kind: "step", job, step: gathered, last: false });
    gathered = { hits: [], done: step.done };
    since = now;
  }
  await reply({ kind: "step", job, step: gathered, last: true });
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
