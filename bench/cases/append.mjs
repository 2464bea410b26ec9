import { join } from "node:path";
import { ROUNDS, WARM_UP_ROUNDS } from "../measure/tasks/append.mjs";
import { amount } from "../options.mjs";

/** Appends of a round. @type {(options: import("../options.mjs").Options) => number} */
export const perRound = (options) => amount(options, { full: 200, quick: 200, once: 1 });

/**
 * Appending messages, alternating with a bare write of the same line in one process.
 *
 * @type {import("./case.mjs").Case}
 */
export const append = {
  name: "append",
  says: "appending messages to a new and to a long session",
  data: ["linear-real-10k", "linear-real-100k"],
  run: (bench) => {
    const fresh = measureAppend(bench, { label: "new session, real messages", text: "real" });
    measureAppend(bench, { label: "new session, small messages", text: "small" });
    const long = [];
    for (const data of bench.data(append.data))
      long.push(measureAppend(bench, { label: data.name, text: "real", data }));
    // The budget is for real messages; the slowest session counts.
    const ratios = [fresh, ...long].filter((ratio) => ratio !== undefined);
    bench.judge("append", ratios.length === 0 ? undefined : Math.max(...ratios));
  },
};

/**
 * @param {import("../bench.mjs").Bench} bench
 * @param {{ label: string, text: "real" | "small", data?: import("../generate/data-set.mjs").DataSet, from?: readonly string[], case?: string }} plan
 * @returns {number | undefined} the ratio of this library
 */
export function measureAppend(bench, { label, text, data, from, case: name = "append" }) {
  const written = (WARM_UP_ROUNDS + ROUNDS) * perRound(bench.options);
  /** @type {number | undefined} */
  let ratio;
  for (const { name: who, engine } of bench.implementations) {
    const dir = bench.scratch();
    const input = {
      engine,
      dir,
      bare: join(dir, "bare.txt"),
      text,
      perRound: perRound(bench.options),
      ...(from ? { from } : {}),
      ...(data ? { path: bench.copy(data) } : {}),
    };
    const what = from ? "branch and append" : "append";
    const [outcome] = bench.measure({
      case: name,
      data: label,
      jobs: [{ who, what, task: "append", input, expect: written }],
    });
    if (outcome === undefined) continue;
    outcome.row.ratio = outcome.extra("ratio").median;
    outcome.row.against = "JSON.stringify and a bare write";
    if (who === "bough") ratio = outcome.row.ratio;
    bench.rows.push({
      case: name,
      data: label,
      who: "limit",
      what: "JSON.stringify and a bare write",
      time: outcome.extra("write"),
    });
  }
  return ratio;
}
