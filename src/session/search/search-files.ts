/** Shares the files of a search among threads. */
import { availableParallelism } from "node:os";
import { SessionError } from "../../entry/index.js";
import { type OrderedStep, OrderedSteps } from "./ordered-steps.js";
import type { SearchPlan } from "./search-hit.js";
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
/** Beside workers this thread searches files up to this size: none that would block it for long. */
const QUICK_BYTES = 1 << 24;
const MOST_WORKERS = 8;
/** Files a worker is given at once, so that it has work while this thread is busy. */
const WORKER_LANES = 4;
/** Files this thread is given at once: one to search while the others are read. */
const LOCAL_LANES = 3;

/**
 * The steps of all files, in the order of the files. Large searches run in workers; where none can be started, and for
 * small ones, in this thread in short turns. However it ends, no worker and no descriptor stays behind.
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
  readonly #workers: WorkerSearcher[] = [];
  /** What each searcher is doing. Never rejects. */
  readonly #tasks: Promise<void>[] = [];
  /** Numbers of the files that nobody has taken yet. */
  readonly #open: number[];
  /** Workers that run or may still start. */
  #hopeful = 0;
  #dismissed = false;

  constructor(work: SearchWork) {
    this.#work = work;
    this.steps = new OrderedSteps(work.files.length);
    this.#open = [...work.files.keys()];
  }

  start(): void {
    const { files, plan } = this.#work;
    const bytes = files.reduce((sum, file) => sum + file.size, 0);
    const wanted = canStartWorkers() ? workersFor(plan, bytes) : 0;
    this.#hopeful = Math.min(wanted, files.length);
    for (let i = this.#hopeful; i > 0; i--) this.#tasks.push(this.#driveWorker(new WorkerSearcher(plan)));
    if (this.#hopeful === 0) this.#tasks.push(this.#driveHere(() => true));
    else if (plan.care === "words") this.#tasks.push(this.#driveHere((file) => file.size <= QUICK_BYTES));
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
      await Promise.all(Array.from({ length: WORKER_LANES }, () => this.#drive(worker, () => true)));
    }
    this.#hopeful -= 1;
    // None could be started, or the last one failed: what is left is done here.
    if (this.#hopeful > 0 || this.#open.length === 0 || this.#dismissed) return;
    await this.#driveHere(() => true);
  }

  async #driveHere(takes: (file: SearchFile) => boolean): Promise<void> {
    const { files, plan } = this.#work;
    const lanes = Array.from({ length: Math.min(LOCAL_LANES, files.length) }, () => new LocalSearcher(plan));
    await Promise.all(lanes.map((lane) => this.#drive(lane, takes)));
  }

  /** Searches file after file until none is left that it takes. */
  async #drive(searcher: Searcher, takes: (file: SearchFile) => boolean): Promise<void> {
    const { files } = this.#work;
    try {
      while (searcher.alive && !this.#dismissed) {
        const place = this.#open.findIndex((number) => takes(files[number] as SearchFile));
        if (place < 0) return;
        const [number] = this.#open.splice(place, 1) as [number];
        const file = files[number] as SearchFile;
        for await (const step of searcher.search(file.path)) {
          if (!(await this.steps.put({ file: number, step, last: false }))) return;
        }
        await this.steps.put({ file: number, step: { hits: [], done: file.size }, last: true });
      }
    } catch (error) {
      this.steps.fail(error);
    }
  }
}

/**
 * A search for words needs this thread and one that reads; workers are for the other processors. While patterns run
 * this thread stays free.
 */
function workersFor({ care }: SearchPlan, bytes: number): number {
  if (care === "patterns") return Math.min(availableParallelism(), MOST_WORKERS);
  return bytes < WORTHY_BYTES ? 0 : Math.min(Math.max(0, availableParallelism() - 2), MOST_WORKERS);
}
