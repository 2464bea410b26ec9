/** Two searchers for an asynchronous caller: one in this thread, one in another. */
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { canStart } from "../../log/index.js";
import { gatherSteps } from "./gather-steps.js";
import { compiledFinder } from "./match/find-bytes.js";
import type { OrderedStep } from "./ordered-steps.js";
import { FileSearcher } from "./search-file.js";
import type { FileStep } from "./search-hit.js";
import type { SearchPlan } from "./search-plan.js";
import type { WorkerReply, WorkerRequest, WorkerStart } from "./search-worker.js";

/** How long this thread searches before it yields to other work. */
const TURN_MS = 4;

/** Searches in this thread, in short turns, one file after another. */
export class LocalSearcher {
  readonly #files: FileSearcher;

  constructor(plan: SearchPlan) {
    this.#files = new FileSearcher(plan);
  }

  search(path: string, from = 0): AsyncGenerator<FileStep, void, undefined> {
    return inTurns(this.#files.search(path, from), from);
  }
}

async function* inTurns(steps: Iterable<FileStep>, from: number): AsyncGenerator<FileStep, void, undefined> {
  const turns = gatherSteps(steps, { forMs: TURN_MS, from });
  try {
    for (let next = turns.next(); ; next = turns.next()) {
      yield next.value;
      await setImmediate();
      if (next.done) return;
    }
  } finally {
    // Closes the file if the caller stops early.
    turns.return({ hits: [], done: 0 });
  }
}

/** The path from any file of the build: all are in folders directly below dist/. */
const WORKER = new URL("../workers/search-worker.cjs", import.meta.url);

export function canStartWorkers(): boolean {
  return canStart(WORKER);
}

/** Searches the files that it claims, in its own thread. */
export class WorkerSearcher {
  readonly #worker: Worker;
  /** Unread replies. */
  readonly #replies: WorkerReply[] = [];
  #failure: Error | undefined;
  #changed = (): void => {};

  constructor(plan: SearchPlan, files: Omit<WorkerStart, "plan">) {
    const workerData: WorkerStart = { plan, ...files };
    // Does not inherit this process's options: with `--eval`, for example, no worker would start.
    this.#worker = new Worker(WORKER, { workerData, execArgv: [] });
    // Compiled while the thread starts.
    this.#worker.postMessage({ finder: compiledFinder() } satisfies WorkerRequest);
    this.#worker.on("message", (reply: WorkerReply) => {
      this.#replies.push(reply);
      this.#changed();
    });
    const fail = (error: Error): void => {
      this.#failure ??= error;
      this.#changed();
    };
    this.#worker.on("error", fail);
    this.#worker.on("exit", () => fail(new Error("The search worker ended")));
  }

  /** The steps of its files, one file after another, until none is left. Returns its error if it failed. */
  async *steps(): AsyncGenerator<OrderedStep, Error | undefined, undefined> {
    for (;;) {
      const reply = this.#replies.shift();
      if (reply !== undefined) {
        yield* reply.steps;
        if (reply.done) return undefined;
        this.#worker.postMessage("room" satisfies WorkerRequest);
      } else if (this.#failure !== undefined) return this.#failure;
      else
        await new Promise<void>((resolve) => {
          this.#changed = resolve;
        });
    }
  }

  /** Stops it wherever it is, even inside an endless pattern match. Its descriptors are closed with it. */
  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
