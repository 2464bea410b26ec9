/**
 * The worker's side of `WorkerSearcher`: claims files and searches them in its own thread.
 *
 * The build bundles it and its imports into one CommonJS file (scripts/build/search-worker.mjs), so that it starts in
 * half the time; it cannot use top-level await.
 */
import { parentPort, workerData } from "node:worker_threads";
import { FileClaims } from "./file-claims.js";
import { gatherSteps } from "./gather-steps.js";
import { type CompiledFinder, createByteFinder, useCompiledFinder } from "./match/find-bytes.js";
import { LineFilter } from "./match/line-filter.js";
import type { OrderedStep } from "./ordered-steps.js";
import { scanFile } from "./scan-file.js";
import type { FileSearcher } from "./search-file.js";
import type { FileStep } from "./search-hit.js";
import type { SearchPlan } from "./search-plan.js";
import { WINDOW } from "./windows.js";

export interface WorkerStart {
  readonly plan: SearchPlan;
  readonly paths: readonly string[];
  readonly claims: Int32Array;
  /** The identity under which this worker claims files. */
  readonly who: number;
}

/**
 * First message: the module that another thread compiled and optimized; starts the search. Later: a reply was read, so
 * there is room.
 */
export type WorkerRequest = { readonly finder: CompiledFinder | undefined } | "room";
/** `done`: this worker claims no more files, and this is its last reply. */
export interface WorkerReply {
  readonly steps: readonly OrderedStep[];
  readonly done: boolean;
}

/** Unread replies in flight: enough to keep busy, few enough to stay small. */
const MOST_REPLIES = 8;
/** A reply wakes another thread, which costs more than searching a megabyte, so results without hits wait this long. */
const GATHER_MS = 20;
/** This many files are left to the other thread; more only while they are less than one in this many. */
const MOST_LEFT = 3;
const SCANNED_PER_LEFT = 4;

const port = parentPort;
if (port === null) throw new Error("bug: search-worker runs in a worker only");
const { plan, paths, claims: shared, who } = workerData as WorkerStart;
const claims = new FileClaims(shared);
let filter: LineFilter | undefined;
let searcher: FileSearcher | undefined;
let scanned = 0;
let left = 0;
let waiting: OrderedStep[] = [];
let waitingSince = performance.now();
let replies = 0;
let roomMade: (() => void) | undefined;

port.on("message", (request: WorkerRequest) => {
  if (request !== "room") {
    void work(request.finder);
    return;
  }
  replies -= 1;
  roomMade?.();
});

async function work(finder: CompiledFinder | undefined): Promise<void> {
  if (finder !== undefined) useCompiledFinder(finder);
  filter = new LineFilter(plan.runs, createByteFinder(WINDOW));
  for (let file = claims.take(who); file >= 0; file = claims.take(who)) await search(file);
  await reply({ done: true });
  port?.close();
}

async function search(file: number): Promise<void> {
  const path = paths[file] as string;
  if (searcher === undefined && isWorthwhile()) searcher = new (await import("./search-file.js")).FileSearcher(plan);
  const steps = gatherSteps(searcher?.search(path) ?? scanFile(path, filter as LineFilter), {
    forMs: GATHER_MS,
    from: 0,
  });
  for (let next = steps.next(); ; next = steps.next()) {
    const last = next.done === true;
    if (last) count(next.value);
    await send({ file, step: next.value, last });
    if (last) return;
  }
}

/**
 * The code that makes hits takes long to load and longer to become fast, so files with hits are left to the other
 * thread, unless that must stay free, or until too many are left.
 */
function isWorthwhile(): boolean {
  return plan.care === "patterns" || (left >= MOST_LEFT && left * SCANNED_PER_LEFT > scanned);
}

function count(last: FileStep): void {
  scanned += 1;
  if (last.rest !== undefined) left += 1;
}

/** Sends a step, or holds it briefly to send several at once. */
async function send(step: OrderedStep): Promise<void> {
  waiting.push(step);
  const { hits, problem, rest } = step.step;
  const urgent = hits.length > 0 || problem !== undefined || rest !== undefined;
  if (urgent || performance.now() - waitingSince >= GATHER_MS) await reply({ done: false });
}

/** Sends the waiting steps; resolves when there is room for another reply. */
async function reply({ done }: { readonly done: boolean }): Promise<void> {
  port?.postMessage({ steps: waiting, done } satisfies WorkerReply);
  waiting = [];
  waitingSince = performance.now();
  replies += 1;
  while (replies >= MOST_REPLIES) {
    await new Promise<void>((resolve) => {
      roomMade = resolve;
    });
  }
}
