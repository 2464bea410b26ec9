/**
 * A case of the benchmark.
 *
 * @typedef {{
 *   name: string,
 *   says: string,
 *   data: readonly string[],
 *   folders?: (bench: import("../bench.mjs").Bench) => readonly import("../generate/data-set.mjs").DataFolder[],
 *   run: (bench: import("../bench.mjs").Bench) => void,
 * }} Case
 *
 * `data` and `folders` name what it reads, so that it can be generated ahead of the run.
 */

/**
 * The same job for every implementation.
 *
 * @param {import("../bench.mjs").Bench} bench
 * @param {Omit<import("../bench.mjs").Job, "who">} job
 * @returns {import("../bench.mjs").Job[]}
 */
export function forEach(bench, job) {
  return bench.implementations.map(({ name, engine }) => ({ ...job, who: name, input: { ...job.input, engine } }));
}

/** @param {import("../generate/data-set.mjs").DataSet} data @returns {import("../bench.mjs").Job} */
export function parseEveryLine({ path, entries }) {
  return { who: "limit", what: "JSON.parse of every line", task: "raw-parse", input: { path }, expect: entries + 1 };
}
