/** Two that search files for a caller that waits: in this thread, and in another. */
import { existsSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { WINDOW } from "./candidate-lines.js";
import { compiledFinder } from "./find-bytes.js";
import { FileSearcher } from "./search-file.js";
import type { FileStep, SearchPlan } from "./search-hit.js";
import type { WorkerReply, WorkerRequest, WorkerStart } from "./search-worker.js";

export interface Searcher {
  /** False when it can take no more files. */
  readonly alive: boolean;
  search(path: string): AsyncGenerator<FileStep, void, undefined>;
}

/** Searches in this thread; other work gets a turn after every step. */
export class LocalSearcher implements Searcher {
  readonly alive = true;
  readonly #files: FileSearcher;

  constructor(plan: SearchPlan) {
    this.#files = new FileSearcher(plan);
  }

  async *search(path: string): AsyncGenerator<FileStep, void, undefined> {
    for (const step of this.#files.search(path)) {
      yield step;
      await setImmediate();
    }
  }
}

const WORKER = new URL("./search-worker.js", import.meta.url);

/** Whether there is a file to start a worker from: not where the sources run as they are, or in one bundle. */
export function canStartWorkers(): boolean {
  return WORKER.protocol === "file:" && existsSync(fileURLToPath(WORKER));
}

/** Searches in a thread of its own, one file at a time. */
export class WorkerSearcher implements Searcher {
  readonly #worker: Worker;
  readonly #replies: WorkerReply[] = [];
  #failure: Error | undefined;
  #replied: (() => void) | undefined;

  constructor(plan: SearchPlan) {
    // The options of this process are not for a worker: with `--eval`, say, none would start.
    const workerData: WorkerStart = { plan, finder: compiledFinder(WINDOW) };
    this.#worker = new Worker(WORKER, { workerData, execArgv: [] });
    this.#worker.on("message", (reply: WorkerReply) => {
      this.#replies.push(reply);
      this.#replied?.();
    });
    const fail = (error: Error): void => {
      this.#failure ??= error;
      this.#replied?.();
    };
    this.#worker.on("error", fail);
    this.#worker.on("exit", () => fail(new Error("The search worker ended")));
  }

  get alive(): boolean {
    return this.#failure === undefined;
  }

  /** Whether it has started; false where it could not. */
  async ready(): Promise<boolean> {
    return (await this.#nextReply())?.kind === "ready";
  }

  async *search(path: string): AsyncGenerator<FileStep, void, undefined> {
    this.#send({ kind: "search", path });
    let done = 0;
    for (;;) {
      const reply = await this.#nextReply();
      if (reply === undefined) {
        const message = `The search worker failed: ${this.#failure?.message}`;
        yield { hits: [], done, problem: { path, code: "read-failed", message } };
        return;
      }
      if (reply.kind === "ready") continue;
      done = reply.step.done;
      yield reply.step;
      if (reply.last) return;
      this.#send({ kind: "room" });
    }
  }

  /** Stops it wherever it is, also inside of a pattern that takes forever. Its descriptors are closed with it. */
  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #send(request: WorkerRequest): void {
    this.#worker.postMessage(request);
  }

  /** The next reply; undefined when none will come. */
  async #nextReply(): Promise<WorkerReply | undefined> {
    while (this.#replies.length === 0 && this.alive) {
      await new Promise<void>((resolve) => {
        this.#replied = resolve;
      });
    }
    return this.#replies.shift();
  }
}
