/** Two that search files for a caller that waits: in this thread, and in another. */
import { existsSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { compiledFinder } from "./find-bytes.js";
import { gatherSteps } from "./gather-steps.js";
import { parseQuery } from "./query.js";
import { FileSearcher } from "./search-file.js";
import type { FileStep, SearchPlan } from "./search-hit.js";
import type { WorkerReply, WorkerRequest, WorkerStart } from "./search-worker.js";
import { WINDOWS } from "./windows.js";

export interface Searcher {
  /** False when it can take no more files. */
  readonly alive: boolean;
  search(path: string): AsyncGenerator<FileStep, void, undefined>;
}

/** How long this thread searches before other work gets a turn. */
const TURN_MS = 4;

/** Searches in this thread, in short turns. Several searches may be asked for at once: it does one after another. */
export class LocalSearcher implements Searcher {
  readonly alive = true;
  readonly #files: FileSearcher;
  /** Resolves when the search asked for last is over. */
  #free: Promise<void> = Promise.resolve();

  constructor(plan: SearchPlan) {
    this.#files = new FileSearcher(plan);
  }

  async *search(path: string, from = 0): AsyncGenerator<FileStep, void, undefined> {
    const before = this.#free;
    let release = (): void => {};
    this.#free = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    try {
      for await (const step of this.#turns(path, from)) yield step;
    } finally {
      release();
    }
  }

  async *#turns(path: string, from: number): AsyncGenerator<FileStep, void, undefined> {
    const steps = gatherSteps(this.#files.search(path, from), TURN_MS);
    for (let next = steps.next(); ; next = steps.next()) {
      yield next.value;
      await setImmediate();
      if (next.done) return;
    }
  }
}

const WORKER = new URL("./search-worker.js", import.meta.url);

/** Whether there is a file to start a worker from: not where the sources run as they are, or in one bundle. */
export function canStartWorkers(): boolean {
  return WORKER.protocol === "file:" && existsSync(fileURLToPath(WORKER));
}

/** Searches in a thread of its own. Several searches may run at once: it does them one after another, oldest first. */
export class WorkerSearcher implements Searcher {
  readonly #worker: Worker;
  /** Replies that nobody has read yet, by job. */
  readonly #replies = new Map<number, StepReply[]>();
  #jobs = 0;
  #isReady = false;
  #failure: Error | undefined;
  #waiting: (() => void)[] = [];

  constructor(plan: SearchPlan) {
    // The options of this process are not for a worker: with `--eval`, say, none would start.
    const query = parseQuery(plan.query, plan);
    const workerData: WorkerStart = { plan, query, finder: compiledFinder(WINDOWS.small) };
    this.#worker = new Worker(WORKER, { workerData, execArgv: [] });
    this.#worker.on("message", (reply: WorkerReply) => {
      if (reply.kind === "ready") this.#isReady = true;
      else this.#replies.get(reply.job)?.push(reply);
      this.#changed();
    });
    const fail = (error: Error): void => {
      this.#failure ??= error;
      this.#changed();
    };
    this.#worker.on("error", fail);
    this.#worker.on("exit", () => fail(new Error("The search worker ended")));
  }

  get alive(): boolean {
    return this.#failure === undefined;
  }

  /** Whether it has started; false where it could not. */
  async ready(): Promise<boolean> {
    while (!this.#isReady && this.alive) await this.#change();
    return this.#isReady;
  }

  async *search(path: string): AsyncGenerator<FileStep, void, undefined> {
    const replies: StepReply[] = [];
    const job = this.#jobs++;
    this.#replies.set(job, replies);
    this.#send({ kind: "search", job, path });
    let done = 0;
    for (let last = false; !last; ) {
      while (replies.length === 0 && this.alive) await this.#change();
      const reply = replies.shift();
      if (reply === undefined) {
        const message = `The search worker failed: ${this.#failure?.message}`;
        yield { hits: [], done, problem: { path, code: "read-failed", message } };
        return;
      }
      ({ last } = reply);
      ({ done } = reply.step);
      yield reply.step;
      this.#send({ kind: "room" });
    }
    this.#replies.delete(job);
  }

  /** Stops it wherever it is, also inside of a pattern that takes forever. Its descriptors are closed with it. */
  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #send(request: WorkerRequest): void {
    this.#worker.postMessage(request);
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #changed(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}

type StepReply = Extract<WorkerReply, { readonly kind: "step" }>;
