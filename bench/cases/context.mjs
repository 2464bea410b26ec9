import { formatCount } from "../report/format.mjs";
import { forEach, parseEveryLine } from "./case.mjs";

const COMPACTED = ["1k", "10k", "100k", "1M"].map((size) => `linear-small-${size}-compacted`);
const WHOLE = ["linear-small-1k", "linear-small-10k", "linear-small-100k", "linear-real-1k", "linear-real-10k"];

/** What the model sees at the leaf. @type {import("./case.mjs").Case} */
export const context = {
  name: "context",
  says: "buildSessionContext() at the leaf, with a compaction near it (must not grow with the file) and without",
  data: [...COMPACTED, "linear-real-2gb", ...WHOLE],
  run: (bench) => {
    /** @type {Map<string, import("../bench.mjs").Outcome>} */
    const found = new Map();
    for (const data of bench.data([...COMPACTED, "linear-real-2gb"])) {
      const outcome = measureContext(bench, data);
      if (outcome !== undefined) found.set(data.name, outcome);
    }
    for (const data of bench.data(WHOLE)) measureContext(bench, data);
    judgeGrowth(bench, found);
  },
};

/**
 * @param {import("../bench.mjs").Bench} bench
 * @param {import("../generate/data-set.mjs").DataSet} data
 * @returns {import("../bench.mjs").Outcome | undefined} this library's
 */
function measureContext(bench, data) {
  const { name, path, bytes, entries, recipe } = data;
  // Two entries at the top set model and thinking level. Real conversations may end inside a tool call, which adds a
  // result to the context, so only small ones have a known length.
  const known = recipe.text === "small" && !recipe.compacted ? { expect: entries - 2 } : {};
  const jobs = forEach(bench, { what: "context, first", task: "context", input: { path }, ...known });
  // Without a compaction the model sees every message, so reading all of them is the limit.
  const limits = recipe.compacted ? [] : [parseEveryLine(data)];
  const outcomes = bench.measure({ case: "context", data: name, jobs: [...limits, ...jobs], bytes });
  const limit = recipe.compacted ? undefined : outcomes[0];
  /** @type {import("../bench.mjs").Outcome | undefined} */
  let ours;
  for (const outcome of outcomes.slice(limits.length)) {
    if (outcome === undefined) continue;
    const { who } = outcome.row;
    bench.compare(outcome, limit);
    outcome.row.note = `${formatCount(Number(outcome.check))} messages`;
    bench.rows.push({ case: "context", data: name, who, what: "context, again", time: outcome.extra("again") });
    if (who === "bough") ours = outcome;
  }
  return ours;
}

/**
 * @param {import("../bench.mjs").Bench} bench
 * @param {ReadonlyMap<string, import("../bench.mjs").Outcome>} found
 */
function judgeGrowth(bench, found) {
  const [small, large] = [COMPACTED[0], COMPACTED.at(-1)].map((name) => found.get(name ?? ""));
  for (const outcome of found.values()) {
    if (small === undefined || outcome === small || outcome.row.data.endsWith("2gb")) continue;
    bench.compare(outcome, small);
    outcome.row.against = "the same at 1k";
    if (outcome.check !== small.check) bench.faults.push(`context: ${outcome.row.data}: other messages than at 1k`);
  }
  if (small === undefined || large === undefined) return;
  bench.judge("context", large.row.ratio);
  bench.judge("context-again", large.extra("again").median / small.extra("again").median);
}
