/** Commands that run in the background: listed, their output in a file, stopped one by one or all at the end. */
import { defined } from "@bough/session/text/index.js";
import { failureSentence } from "../tool-failure.js";
import { OutputKeeper } from "./output-keeper.js";
import { groupIsAlive, type ProcessEnd, runProcess, stopGroup } from "./run-process.js";

export interface Job {
  /** Counted from 1; never given out twice. */
  readonly id: number;
  readonly command: string;
  readonly startedAt: number;
  readonly state: "running" | "ended" | "stopped";
  /** How it ended: "exit code 1", "SIGTERM", or why it did not run. */
  readonly outcome?: string;
  /** Everything it printed. Absent for what a command left running: its output is gone. */
  readonly outputPath?: string;
}

/** A command for the background, and where its output goes. */
export interface StartJobOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** How long the group has after SIGTERM before it gets SIGKILL. */
  readonly killGraceMs: number;
  /** Told the process group once it runs. */
  readonly onGroup?: ((group: number) => void) | undefined;
  /** As it is shown. */
  readonly command: string;
  readonly folder: string;
  readonly name: string;
  /** Called once when it has ended, however it ended. */
  readonly onEnd?: () => void;
}

interface KeptJob {
  job: Job;
  readonly stop: () => Promise<void>;
  readonly isAlive?: () => boolean;
}

const MAX_FILE_BYTES = 512 * 1024 * 1024;
const KEPT_BYTES = 4000;
/** A timer of the runtime that is longer fires at once. */
const NO_LIMIT_MS = 2 ** 31 - 1;
/** Ended ones beyond this are forgotten, oldest first. */
const MOST_ENDED = 50;

/** For the option `jobs` of an agent and of the tool `bash`. */
export class Jobs {
  readonly #jobs = new Map<number, KeptJob>();
  readonly #onEnd: ((job: Job) => void) | undefined;
  readonly #now: () => number;
  #given = 0;

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

  /** Starts a command and comes back at once. Its output goes to a private file from the first byte. */
  start({ command, folder, name, onEnd, ...process }: StartJobOptions): Job {
    const ending = new AbortController();
    const keeper = new OutputKeeper({
      folder,
      name,
      keepBytes: KEPT_BYTES,
      fileAfterBytes: -1,
      maxFileBytes: MAX_FILE_BYTES,
    });
    // An empty piece begins the file, so that its name is known.
    keeper.add(Buffer.alloc(0));
    const running = runProcess({
      ...process,
      signal: ending.signal,
      timeoutMs: NO_LIMIT_MS,
      onData: (chunk) => keeper.add(chunk),
    });
    const id = this.#add(command, {
      ...defined({ outputPath: keeper.path }),
      stop: async () => {
        ending.abort();
        await running.catch(() => undefined);
      },
    });
    const finish = (outcome: string) => {
      keeper.add(Buffer.from(`\n[${outcome}]\n`));
      keeper.close();
      onEnd?.();
      this.#end(id, { state: ending.signal.aborted ? "stopped" : "ended", outcome });
    };
    running.then(
      (end) => finish(ending.signal.aborted ? "stopped" : outcomeOf(end)),
      (error: unknown) => finish(failureSentence(error)),
    );
    return this.#job(id);
  }

  /** Something that a command left running in its process group. */
  adopt(command: string, group: number): Job {
    return this.#job(this.#add(command, { stop: () => stopGroup(group), isAlive: () => groupIsAlive(group) }));
  }

  /** Resolves once it is gone. False if no such job is running. */
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
    this.#given += 1;
    const id = this.#given;
    const job: Job = { id, command, startedAt: this.#now(), state: "running", ...defined({ outputPath }) };
    this.#jobs.set(id, { ...kept, job });
    const ended = [...this.#jobs.values()].filter(({ job: { state } }) => state !== "running");
    for (const old of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) this.#jobs.delete(old.job.id);
    return id;
  }

  #job(id: number): Job {
    const kept = this.#jobs.get(id);
    if (kept === undefined) throw new Error("bug: a job is gone before it was told");
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
