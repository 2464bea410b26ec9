/**
 * One run: collects rows and budget values, knows which data and sizes are wanted, and starts the measurements.
 *
 * @typedef {import("./report/print.mjs").Row} Row
 * @typedef {{
 *   who: string, what: string, task: string, input: Record<string, unknown>,
 *   expect?: number | string, once?: boolean, minutes?: number,
 * }} Job  `minutes`: after so many it is stopped
 * @typedef {{
 *   time: import("./measure/samples.mjs").Samples, peak: number,
 *   extra: (name: string) => import("./measure/samples.mjs").Samples, check: unknown, row: Row,
 * }} Outcome  `peak` is the median, beyond an empty Node process
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { dataSet, kindOf, sizeOf } from "./generate/catalogue.mjs";
import { DATA } from "./generate/data-set.mjs";
import { emptyProcessPeak, runChild, runChildOnce } from "./measure/run-child.mjs";
import { median, samples } from "./measure/samples.mjs";
import { BUDGETS, budgetsOf, verdict } from "./report/budgets.mjs";

const SCRATCH = join(DATA, "scratch");
/** With `--once`, data sets end after so many entries. */
const ENTRIES_ONCE = 300;

export class Bench {
  /** @type {Row[]} */
  rows = [];
  /** Things that make the figures worthless: wrong answers and crashes. @type {string[]} */
  faults = [];
  /** @type {Map<string, { value?: number, note?: string }>} */
  #values = new Map();
  #scratch = join(SCRATCH, String(process.pid));
  #scratchCount = 0;
  #emptyPeak = 0;

  /** @param {{ options: import("./options.mjs").Options, implementations: readonly import("./implementations.mjs").Implementation[] }} given */
  constructor({ options, implementations }) {
    this.options = options;
    this.implementations = implementations;
    if (!options.once) this.#emptyPeak = emptyProcessPeak();
    if (!options.keep) removeAbandonedScratch();
  }

  /** @param {string} words */
  progress = (words) => {
    process.stderr.write(`${words}\n`);
  };

  /** The wanted ones of these data sets, each created when its turn comes. @param {readonly string[]} names */
  *data(names) {
    const wanted = names.filter((name) => this.options.sizes.includes(sizeOf(name)));
    if (!this.options.once) {
      for (const name of wanted) yield dataSet(name, this.progress);
      return;
    }
    // Cut, those that only differ in size are the same: the last stands for all.
    const ofEachKind = new Map(wanted.map((name) => [kindOf(name), name]));
    for (const name of ofEachKind.values()) yield dataSet(name, this.progress, ENTRIES_ONCE);
  }

  /**
   * Runs every job in a fresh process, several times and in turns, so that a slow moment of the machine hits all of
   * them; adds a row for each and returns them in order. A job that fails or answers wrongly has no outcome.
   *
   * @param {{ case: string, data: string, jobs: readonly Job[], bytes?: number, repeats?: number }} plan
   * @returns {(Outcome | undefined)[]}
   */
  measure({ case: name, data, jobs, bytes = 0, repeats: wanted = 5 }) {
    if (this.options.once) return this.#measureOnce({ case: name, data, jobs });
    const repeats = this.options.quick ? 3 : bytes > 2 ** 29 ? 3 : wanted;
    /** @type {(import("./measure/run-child.mjs").Measured[] | string)[]} */
    const found = jobs.map(() => []);
    for (let repeat = 0; repeat < repeats; repeat++) {
      jobs.forEach((job, index) => {
        const list = found[index];
        if (list === undefined || typeof list === "string" || (job.once && repeat > 0)) return;
        this.progress(`${name}: ${data}: ${job.who}, ${job.what} (${repeat + 1} of ${job.once ? 1 : repeats})`);
        const failure = this.#runJob(job, list);
        if (failure !== undefined) found[index] = failure;
      });
    }
    return jobs.map((job, index) =>
      this.#outcome({ case: name, data, who: job.who, what: job.what }, found[index] ?? []),
    );
  }

  /**
   * Runs every job once, all in one process: what they answer counts, not how long they take.
   *
   * @param {{ case: string, data: string, jobs: readonly Job[] }} plan
   * @returns {(Outcome | undefined)[]}
   */
  #measureOnce({ case: name, data, jobs }) {
    this.progress(`${name}: ${data}: ${jobs.map(({ who, what }) => `${who}, ${what}`).join("; ")}`);
    const found = runChildOnce(jobs);
    return jobs.map((job, index) => {
      const one = found[index] ?? "no answer";
      const wrong = typeof one === "string" ? one : wrongAnswer(job, one);
      const row = { case: name, data, who: job.who, what: job.what };
      return this.#outcome(row, typeof one === "string" || wrong !== undefined ? (wrong ?? "") : [one]);
    });
  }

  /**
   * @param {Job} job
   * @param {import("./measure/run-child.mjs").Measured[]} list
   * @returns {string | undefined} what went wrong
   */
  #runJob(job, list) {
    try {
      const measured = runChild(job.task, job.input, job.minutes);
      list.push(measured);
      return wrongAnswer(job, measured);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /**
   * @param {Row} row
   * @param {import("./measure/run-child.mjs").Measured[] | string} found
   * @returns {Outcome | undefined}
   */
  #outcome(row, found) {
    this.rows.push(row);
    if (typeof found === "string") {
      row.note = found;
      // The other implementation may have limits of its own; they are reported but are not our fault.
      if (row.who !== "other") this.faults.push(`${row.case}: ${row.data}: ${row.what}: ${found}`);
      return undefined;
    }
    row.time = samples(found.map((measured) => measured.ms));
    row.peak = median(found.map((measured) => measured.peak)) - this.#emptyPeak;
    const extra = (/** @type {string} */ name) =>
      samples(found.map((measured) => measured.extra?.[name] ?? Number.NaN));
    return { time: row.time, peak: row.peak, extra, check: found[0]?.check, row };
  }

  /**
   * Notes how many times as long as a limit something took.
   *
   * @param {Outcome | undefined} outcome
   * @param {Outcome | undefined} limit
   * @returns {number | undefined}
   */
  compare(outcome, limit) {
    if (outcome === undefined || limit === undefined) return undefined;
    outcome.row.ratio = outcome.time.median / limit.time.median;
    outcome.row.against = limit.row.what;
    return outcome.row.ratio;
  }

  /**
   * @param {string} id
   * @param {number | undefined} value
   * @param {string} [note]
   */
  judge(id, value, note) {
    if (!BUDGETS.some((budget) => budget.id === id)) throw new Error(`bug: no budget is called ${id}`);
    this.#values.set(id, { ...(value === undefined ? {} : { value }), ...(note === undefined ? {} : { note }) });
  }

  /** The budgets of the chosen cases, including those that could not be measured. */
  judged() {
    return budgetsOf(this.options.only).map((budget) => {
      const found = this.#values.get(budget.id) ?? {};
      return { ...budget, ...found, verdict: verdict(budget, found.value) };
    });
  }

  /** An empty folder for this run only, on the data's file system. */
  scratch() {
    const dir = join(this.#scratch, String(this.#scratchCount++));
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    return dir;
  }

  /** A copy that may be written to. @param {import("./generate/data-set.mjs").DataSet} data */
  copy(data) {
    const target = join(this.scratch(), basename(data.path));
    copyFileSync(data.path, target);
    return target;
  }

  /** Removes this run's scratch folders. */
  tidy() {
    if (!this.options.keep) rmSync(this.#scratch, { recursive: true, force: true });
  }
}

/**
 * @param {Job} job
 * @param {import("./measure/run-child.mjs").Measured} measured
 * @returns {string | undefined}
 */
function wrongAnswer({ expect }, { check }) {
  return expect === undefined || check === expect ? undefined : `WRONG RESULT: ${check} instead of ${expect}`;
}

/** Removes copies left by runs that were stopped. */
function removeAbandonedScratch() {
  for (const name of existsSync(SCRATCH) ? readdirSync(SCRATCH) : []) {
    if (!isRunning(Number(name))) rmSync(join(SCRATCH, name), { recursive: true, force: true });
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
