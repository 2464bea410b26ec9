/** Background commands: lists them, writes their output to files, stops one or all. */
import { defined } from "@bough/session/text/index.js";
import { failureSentence } from "../tool-failure.js";
import { OutputKeeper } from "./output-keeper.js";
import { groupIsAlive, type ProcessEnd, runProcess, stopGroup } from "./run-process.js";

export interface Job {
  /** Starts at 1; never reused. */
  readonly id: number;
  readonly command: string;
  readonly startedAt: number;
  readonly state: "running" | "ended" | "stopped";
  /** How it ended: "exit code 1", "SIGTERM", or why it did not run. */
  readonly outcome?: string;
  /** File with everything it printed. Absent for processes that a command left running: their output is discarded. */
  readonly outputPath?: string;
}

/** A background command, and where its output goes. */
export interface StartJobOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Time between SIGTERM and SIGKILL for the process group. */
  readonly killGraceMs: number;
  /** Called with the process group once it runs. */
  readonly onGroup?: ((group: number) => void) | undefined;
  /** The command to display. */
  readonly command: string;
  readonly folder: string;
  readonly name: string;
  /** Called once when it has ended, for whatever reason. What it returns is added to the output. */
  readonly onEnd?: () => string | undefined;
}

interface KeptJob {
  job: Job;
  readonly stop: () => Promise<void>;
  readonly isAlive?: () => boolean;
}

const MAX_FILE_BYTES = 512 * 1024 * 1024;
const KEPT_BYTES = 4000;
/** The longest possible timer: Node.js fires longer ones at once. */
const NO_LIMIT_MS = 2 ** 31 - 1;
/** Only this many ended jobs are kept; the oldest are dropped. */
const MOST_ENDED = 50;

/** Background commands, for the `jobs` option of an agent and of the `bash` tool. */
export class Jobs {
  readonly #jobs = new Map<number, KeptJob>();
  readonly #onEnd: ((job: Job) => void) | undefined;
  readonly #now: () => number;
  #lastId = 0;

  constructor({ onEnd, now = Date.now }: { readonly onEnd?: (job: Job) => void; readonly now?: () => number } = {}) {
    this.#onEnd = onEnd;
    this.#now = now;
  }

  /** Oldest first. */
  get list(): readonly Job[] {
    for (const [id, { job, isAlive }] of this.#jobs) {
      if (job.state === "running" && isAlive?.() === false) this.#end(id, { state: "ended" });
    }
    return [...this.#jobs.values()].map(({ job }) => job);
  }

  /** Starts a command and returns at once. All its output goes to a private file. */
  start({ command, folder, name, onEnd, ...process }: StartJobOptions): Job {
    const ending = new AbortController();
    const keeper = new OutputKeeper({
      folder,
      name,
      keepBytes: KEPT_BYTES,
      fileAfterBytes: -1,
      maxFileBytes: MAX_FILE_BYTES,
    });
    // An empty chunk creates the file, so that its path is known.
    keeper.add(Buffer.alloc(0));
    const running = runProcess({
      ...process,
      signal: ending.signal,
      timeoutMs: NO_LIMIT_MS,
      onData: (chunk) => keeper.add(chunk),
    });
    const id = this.#add(command, {
      outputPath: keeper.path,
      stop: async () => {
        ending.abort();
        await running.catch(() => undefined);
      },
    });
    const finish = (outcome: string) => {
      keeper.add(Buffer.from(`${onEnd?.() ?? ""}\n[${outcome}]\n`));
      keeper.close();
      this.#end(id, { state: ending.signal.aborted ? "stopped" : "ended", outcome });
    };
    running.then(
      (end) => finish(ending.signal.aborted ? "stopped" : outcomeOf(end)),
      (error: unknown) => finish(failureSentence(error)),
    );
    return this.#job(id);
  }

  /** Lists a process group that a command left running. */
  adopt(command: string, group: number): Job {
    return this.#job(this.#add(command, { stop: () => stopGroup(group), isAlive: () => groupIsAlive(group) }));
  }

  /** Resolves once it has ended. False if no such job is running. */
  async stop(id: number): Promise<boolean> {
    const kept = this.#jobs.get(id);
    if (kept === undefined || this.list.find((job) => job.id === id)?.state !== "running") return false;
    await kept.stop();
    this.#end(id, { state: "stopped" });
    return true;
  }

  async stopAll(): Promise<void> {
    const running = this.list.filter(({ state }) => state === "running");
    await Promise.all(running.map(({ id }) => this.stop(id)));
  }

  #add(command: string, { outputPath, ...kept }: Omit<KeptJob, "job"> & { readonly outputPath?: string }): number {
    this.#lastId += 1;
    const id = this.#lastId;
    const job: Job = { id, command, startedAt: this.#now(), state: "running", ...defined({ outputPath }) };
    this.#jobs.set(id, { ...kept, job });
    const ended = [...this.#jobs.values()].filter(({ job: { state } }) => state !== "running");
    for (const old of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) this.#jobs.delete(old.job.id);
    return id;
  }

  #job(id: number): Job {
    const kept = this.#jobs.get(id);
    if (kept === undefined) throw new Error("bug: unknown job");
    return kept.job;
  }

  #end(id: number, how: Pick<Job, "state" | "outcome">): void {
    const kept = this.#jobs.get(id);
    if (kept === undefined || kept.job.state !== "running") return;
    kept.job = { ...kept.job, ...how };
    this.#onEnd?.(kept.job);
  }
}

function outcomeOf({ exitCode, signal }: ProcessEnd): string {
  return signal === null ? `exit code ${exitCode}` : signal;
}
