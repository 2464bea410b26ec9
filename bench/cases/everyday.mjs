import { formatCount } from "../report/format.mjs";
import { forEach, parseEveryLine } from "./case.mjs";

const EVERYDAY = "linear-real-1k";
const WRITTEN = 50;
/** Single runs of a few milliseconds in fresh processes vary a lot. */
const REPEATS = 15;

const STEPS = /** @type {const} */ ([
  ["open", "open"],
  ["context", "context, first"],
  ["openContext", "open and context, first"],
  ["fromStart", "the same, from the start of the process"],
  ["appends", "20 appends"],
  ["again", "context again"],
  ["afterAppend", "context again after one append"],
]);

/** An everyday session: 1,000 entries of 3 MB, never compacted. @type {import("./case.mjs").Case} */
export const everyday = {
  name: "everyday",
  says: "open a session of 1,000 uncompacted entries (3 MB), build its context, append 20 messages",
  data: [EVERYDAY],
  run: (bench) => {
    for (const data of bench.data(everyday.data)) {
      const { bough, other } = measureDay(bench, { name: "everyday", data, repeats: REPEATS });
      bench.judge("everyday", bough && other && bough.time.median / other.time.median);
      const beside = (/** @type {string} */ step) =>
        bough && other && bough.extra(step).median / other.extra(step).median;
      bench.judge("everyday-open", beside("openContext"));
      bench.judge("everyday-start", beside("fromStart"));
      bench.judge("context-after-append", bough?.extra("afterAppend").median);
    }
  },
};

/** The same steps with long sessions that were never compacted. @type {import("./case.mjs").Case} */
export const uncompacted = {
  name: "uncompacted",
  says: "the same with 10,000 and 100,000 uncompacted entries: the context first and again",
  data: ["linear-small-10k", "linear-real-10k", "linear-small-100k"],
  run: (bench) => {
    const ratios = [];
    for (const data of bench.data(uncompacted.data)) {
      const { bough } = measureDay(bench, { name: "uncompacted", data, repeats: 5 });
      if (bough) ratios.push(bough.extra("afterAppend").median / bough.extra("context").median);
    }
    bench.judge("uncompacted-again", ratios.length === 0 ? undefined : Math.max(...ratios));
  },
};

/**
 * @param {import("../bench.mjs").Bench} bench
 * @param {{ name: string, data: import("../generate/data-set.mjs").DataSet, repeats: number }} plan
 * @returns {{ bough?: import("../bench.mjs").Outcome | undefined, other?: import("../bench.mjs").Outcome | undefined }}
 */
function measureDay(bench, { name, data, repeats }) {
  const { path, bytes } = data;
  const what = "open, context, 20 appends";
  const jobs = forEach(bench, { what, task: "everyday", input: { path, dir: bench.scratch() }, expect: WRITTEN });
  const limit = { ...parseEveryLine(data), what: "read, JSON.parse of every line" };
  const outcomes = bench.measure({ case: name, data: data.name, jobs: [...jobs, limit], bytes, repeats });
  const parsed = outcomes.pop();
  for (const outcome of outcomes) {
    if (outcome === undefined) continue;
    bench.compare(outcome, parsed);
    outcome.row.note = `${formatCount(outcome.extra("shown").median)} messages`;
    const { who } = outcome.row;
    for (const [step, words] of STEPS) {
      bench.rows.push({ case: name, data: data.name, who, what: words, time: outcome.extra(step) });
    }
  }
  const of = (/** @type {string} */ who) => outcomes.find((outcome) => outcome?.row.who === who);
  return { bough: of("bough"), other: of("other") };
}
