/** Shares the files of a search among threads. */
import { availableParallelism } from "node:os";
import { SessionError } from "../../entry/index.js";
import { type OrderedStep, OrderedSteps } from "./ordered-steps.js";
import type { FileStep, SearchPlan } from "./search-hit.js";
import { canStartWorkers, LocalSearcher, type Searcher, WorkerSearcher } from "./searchers.js";

export interface SearchFile {
  readonly path: string;
  readonly size: number;
}

export interface SearchWork {
  readonly files: readonly SearchFile[];
  readonly plan: SearchPlan;
  readonly signal: AbortSignal | undefined;
}

/** With fewer bytes than this a worker would take longer to start than the search takes. */
const WORTHY_BYTES = 1 << 28;
const MOST_WORKERS = 8;
/** Files a worker is given at once, so that it has work while this thread is busy. */
const WORKER_LANES = 3;

/**
 * The steps of all files, in the order of the files. This thread searches in short turns, and for large searches workers
 * beside it; patterns run in workers only, where one can be started. However it ends, no worker and no descriptor stays
 * behind.
 */
export async function* searchFiles(work: SearchWork): AsyncGenerator<OrderedStep, void, undefined> {
  const crew = new Crew(work);
  const abort = (): void => crew.abort();
  work.signal?.addEventListener("abort", abort, { once: true });
  try {
    if (work.signal?.aborted) crew.abort();
    else crew.start();
    yield* crew.steps.read();
  } finally {
    work.signal?.removeEventListener("abort", abort);
    await crew.dismiss();
  }
}

class Crew {
  readonly steps: OrderedSteps;
  readonly #work: SearchWork;
  readonly #here: LocalSearcher;
  readonly #workers: WorkerSearcher[] = [];
  /** What each searcher is doing. Never rejects. */
  readonly #tasks: Promise<void>[] = [];
  /** Number of the first file that nobody has taken yet. */
  #next = 0;
  /** Workers that run or may still start. */
  #hopeful = 0;
  #dismissed = false;

  constructor(work: SearchWork) {
    this.#work = work;
    this.#here = new LocalSearcher(work.plan);
    this.steps = new OrderedSteps(work.files.length);
  }

  start(): void {
    const { files, plan } = this.#work;
    const bytes = files.reduce((sum, file) => sum + file.size, 0);
    const wanted = canStartWorkers() ? workersFor(plan, bytes) : 0;
    this.#hopeful = Math.min(wanted, files.length);
    for (let i = this.#hopeful; i > 0; i--) this.#tasks.push(this.#driveWorker(new WorkerSearcher(plan)));
    if (this.#hopeful === 0 || plan.care === "words") this.#tasks.push(this.#drive(this.#here));
  }

  abort(): void {
    this.steps.fail(new SessionError("aborted", "The search was stopped"));
    void this.dismiss();
  }

  /** Stops everything; resolves when it has stopped. */
  async dismiss(): Promise<void> {
    this.#dismissed = true;
    this.steps.close();
    await Promise.all(this.#workers.map((worker) => worker.stop()));
    await Promise.all(this.#tasks);
  }

  async #driveWorker(worker: WorkerSearcher): Promise<void> {
    this.#workers.push(worker);
    if (await worker.ready()) {
      await Promise.all(Array.from({ length: WORKER_LANES }, () => this.#drive(worker)));
    }
    this.#hopeful -= 1;
    // None could be started, or the last one failed: what is left is done here.
    if (this.#hopeful > 0 || this.#next === this.#work.files.length || this.#dismissed) return;
    await this.#drive(this.#here);
  }

  /** Searches file after file until none is left. */
  async #drive(searcher: Searcher): Promise<void> {
    const { files } = this.#work;
    try {
      while (searcher.alive && !this.#dismissed && this.#next < files.length) {
        const number = this.#next++;
        const file = files[number] as SearchFile;
        for await (const step of this.#stepsOf(file, searcher)) {
          if (!(await this.steps.put({ file: number, step, last: false }))) return;
        }
        await this.steps.put({ file: number, step: { hits: [], done: file.size }, last: true });
      }
    } catch (error) {
      this.steps.fail(error);
    }
  }

  /** What a worker leaves is done here. */
  async *#stepsOf({ path }: SearchFile, searcher: Searcher): AsyncGenerator<FileStep, void, undefined> {
    let rest: FileStep["rest"];
    for await (const step of searcher.search(path)) {
      ({ rest } = step);
      yield step;
    }
    if (rest !== undefined) yield* this.#here.search(path, rest.from);
  }
}

/** While words are searched this thread works beside the workers; while patterns run it stays free. */
function workersFor({ care }: SearchPlan, bytes: number): number {
  if (care === "patterns") return Math.min(availableParallelism(), MOST_WORKERS);
  return bytes < WORTHY_BYTES ? 0 : Math.min(availableParallelism() - 1, MOST_WORKERS);
}
