/** Two that search files for a caller that waits: in this thread, and in another. */
import { existsSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { compiledFinder } from "./find-bytes.js";
import { gatherSteps } from "./gather-steps.js";
import type { OrderedStep } from "./ordered-steps.js";
import { parseQuery } from "./query.js";
import { FileSearcher } from "./search-file.js";
import type { FileStep, SearchPlan } from "./search-hit.js";
import type { WorkerReply, WorkerRequest, WorkerStart } from "./search-worker.js";

/** How long this thread searches before other work gets a turn. */
const TURN_MS = 4;

/** Searches in this thread, in short turns, one file after another. */
export class LocalSearcher {
  readonly #files: FileSearcher;

  constructor(plan: SearchPlan) {
    this.#files = new FileSearcher(plan);
  }

  async *search(path: string, from = 0): AsyncGenerator<FileStep, void, undefined> {
    const steps = gatherSteps(this.#files.search(path, from), { forMs: TURN_MS, from });
    try {
      for (let next = steps.next(); ; next = steps.next()) {
        yield next.value;
        await setImmediate();
        if (next.done) return;
      }
    } finally {
      // Closes the file where the caller stops early.
      steps.return({ hits: [], done: 0 });
    }
  }
}

const WORKER = new URL("./search-worker.js", import.meta.url);

/** Whether there is a file to start a worker from: not where the sources run as they are, or in one bundle. */
export function canStartWorkers(): boolean {
  return WORKER.protocol === "file:" && existsSync(fileURLToPath(WORKER));
}

/** Searches the files that it takes, in a thread of its own. */
export class WorkerSearcher {
  readonly #worker: Worker;
  /** Replies that nobody has read yet. */
  readonly #replies: WorkerReply[] = [];
  #failure: Error | undefined;
  #changed = (): void => {};

  constructor(plan: SearchPlan, files: Pick<WorkerStart, "paths" | "claims" | "who">) {
    const query = parseQuery(plan.query, plan);
    const workerData: WorkerStart = { plan, query, finder: compiledFinder(), ...files };
    // The options of this process are not for a worker: with `--eval`, say, none would start.
    this.#worker = new Worker(WORKER, { workerData, execArgv: [] });
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

  /** The steps of its files, one file after another, until none is left. Returns why it failed, where it did. */
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

  /** Stops it wherever it is, also inside of a pattern that takes forever. Its descriptors are closed with it. */
  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
