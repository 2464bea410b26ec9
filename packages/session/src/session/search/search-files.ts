/** Distributes the files of a search among threads. */
import { availableParallelism } from "node:os";
import { SessionError } from "../../entry/index.js";
import { FileClaims } from "./file-claims.js";
import { type OrderedStep, OrderedSteps } from "./ordered-steps.js";
import type { SearchPlan } from "./search-plan.js";
import { canStartWorkers, LocalSearcher, WorkerSearcher } from "./searchers.js";

interface SearchFile {
  readonly path: string;
  readonly size: number;
}

interface SearchWork {
  readonly files: readonly SearchFile[];
  readonly plan: SearchPlan;
  readonly signal: AbortSignal | undefined;
}

/** Below this size, a worker would take longer to start than the search takes. */
const WORTHY_BYTES = 1 << 28;
const MOST_WORKERS = 8;
/** Identify the threads that claim files. */
const THIS_THREAD = 1;
const FIRST_WORKER = 2;

/**
 * The steps of all files, in file order. This thread searches in short turns, with additional workers for large
 * searches; patterns run only in workers, if one can be started. However it ends, no worker and no descriptor is left
 * open.
 */
export async function* searchFiles(work: SearchWork): AsyncGenerator<OrderedStep, void, undefined> {
  const pool = new SearchPool(work);
  const abort = (): void => pool.abort();
  work.signal?.addEventListener("abort", abort, { once: true });
  try {
    if (work.signal?.aborted) pool.abort();
    else pool.start();
    yield* pool.steps.read();
  } finally {
    work.signal?.removeEventListener("abort", abort);
    await pool.stop();
  }
}

class SearchPool {
  readonly steps: OrderedSteps;
  readonly #work: SearchWork;
  readonly #claims: FileClaims;
  readonly #workers: WorkerSearcher[] = [];
  /** The searches in progress. They never reject. */
  readonly #tasks: Promise<void>[] = [];
  /** Workers that have not ended yet. */
  #running = 0;
  #stopped = false;

  constructor(work: SearchWork) {
    this.#work = work;
    this.steps = new OrderedSteps(work.files.length);
    this.#claims = new FileClaims(work.files.length);
  }

  start(): void {
    const { files, plan } = this.#work;
    const bytes = files.reduce((sum, file) => sum + file.size, 0);
    const wanted = canStartWorkers() ? workersFor(plan, bytes) : 0;
    this.#running = Math.min(wanted, files.length);
    for (let n = 0; n < this.#running; n++) this.#run(this.#searchInWorker(FIRST_WORKER + n));
    if (this.#running === 0 || plan.care === "words") this.#run(this.#searchHere());
  }

  abort(): void {
    this.steps.fail(new SessionError("aborted", "The search was stopped"));
    void this.stop();
  }

  /** Stops everything; resolves when it has stopped. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.steps.close();
    await Promise.all(this.#workers.map((worker) => worker.stop()));
    await Promise.all(this.#tasks);
  }

  #run(task: Promise<void>): void {
    this.#tasks.push(task.catch((error: unknown) => this.steps.fail(error)));
  }

  async #searchHere(): Promise<void> {
    const searcher = new LocalSearcher(this.#work.plan);
    while (!this.#stopped) {
      const file = this.#claims.take(THIS_THREAD);
      if (file < 0) return;
      await this.#finish(file, searcher, 0);
    }
  }

  async #searchInWorker(who: number): Promise<void> {
    const { files, plan } = this.#work;
    const paths = files.map((file) => file.path);
    const worker = new WorkerSearcher(plan, { paths, claims: this.#claims.shared, who });
    this.#workers.push(worker);
    const failure = await this.#takeFrom(worker, who);
    this.#running -= 1;
    // Ends while the others are still working, instead of afterwards.
    await worker.stop();
    if (failure === undefined || this.#running > 0 || this.#stopped) return;
    // None could be started, or the last one failed: the rest is searched in this thread.
    await this.#searchHere();
  }

  /** Collects what a worker finds and searches what it leaves. Returns its error if it failed. */
  async #takeFrom(worker: WorkerSearcher, who: number): Promise<Error | undefined> {
    const here = new LocalSearcher(this.#work.plan);
    const done = new Set<number>();
    const steps = worker.steps();
    for (let next = await steps.next(); ; next = await steps.next()) {
      if (next.done) {
        if (next.value !== undefined) await this.#report(next.value, { who, done });
        return next.value;
      }
      const { file, step, last } = next.value;
      const { rest } = step;
      if (!(await this.steps.put({ file, step, last: last && rest === undefined }))) return undefined;
      if (rest !== undefined) await this.#finish(file, here, rest.from);
      if (last) done.add(file);
    }
  }

  /** Searches a file in this thread, from a line to its end. */
  async #finish(file: number, searcher: LocalSearcher, from: number): Promise<void> {
    const { path, size } = this.#work.files[file] as SearchFile;
    for await (const step of searcher.search(path, from)) {
      if (!(await this.steps.put({ file, step, last: false }))) return;
    }
    await this.steps.put({ file, step: { hits: [], done: size }, last: true });
  }

  /** Reports the files that a failed worker had claimed as unsearched. */
  async #report(failure: Error, { who, done }: { readonly who: number; readonly done: ReadonlySet<number> }) {
    for (const file of this.#claims.takenBy(who)) {
      if (done.has(file)) continue;
      const { path, size } = this.#work.files[file] as SearchFile;
      const message = `The search worker failed: ${failure.message}`;
      const step = { hits: [], done: size, problem: { path, code: "read-failed", message } } as const;
      await this.steps.put({ file, step, last: true });
    }
  }
}

/** For words, this thread searches alongside the workers; for patterns, it stays free. */
function workersFor({ care }: SearchPlan, bytes: number): number {
  if (care === "patterns") return Math.min(availableParallelism(), MOST_WORKERS);
  return bytes < WORTHY_BYTES ? 0 : Math.min(availableParallelism() - 1, MOST_WORKERS);
}
