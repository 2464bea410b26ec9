import { formatBytes } from "../report/format.mjs";
import { forEach, parseEveryLine } from "./case.mjs";

const REAL = "linear-real-100k";
const SMALL = "linear-small-1M";

/** Cold open: a fresh process opens a session for the first time. @type {import("./case.mjs").Case} */
export const open = {
  name: "open",
  says: "cold open in a fresh process, for reading only and for writing",
  data: [
    ...["linear-real-1k", "linear-real-10k", REAL],
    ...["linear-small-1k", "linear-small-10k", "linear-small-100k", SMALL],
    ...["bushy-small-1k", "bushy-small-10k", "bushy-real-100k", "bushy-small-1M"],
    ...["siblings-small-10k", "siblings-small-100k", "deep-small-10k", "deep-small-200k", "linear-real-2gb"],
  ],
  run: (bench) => {
    for (const data of bench.data(open.data)) measureOpen(bench, data);
  },
};

/**
 * @param {import("../bench.mjs").Bench} bench
 * @param {import("../generate/data-set.mjs").DataSet} data
 */
function measureOpen(bench, data) {
  const { name, path, entries, bytes, leafId } = data;
  const huge = name.endsWith("2gb");
  const label = `${name} (${formatBytes(bytes)})`;
  /** @type {import("../bench.mjs").Job[]} */
  const jobs = [
    { who: "limit", what: "read the bytes", task: "raw-read", input: { path }, expect: bytes },
    { who: "limit", what: "read and find newlines", task: "raw-newlines", input: { path }, expect: entries + 1 },
    ...forEach(bench, { what: "open, read-only", task: "open", input: { path, mode: "read-only" }, expect: leafId }),
    ...bench.implementations.map(({ name: who, engine }) => ({
      who,
      what: "open, for writing",
      task: "open",
      // Another implementation may rewrite the file it opens.
      input: { engine, path: who === "bough" ? path : bench.copy(data), mode: "writing" },
      expect: leafId,
    })),
    ...(huge ? [] : [parseEveryLine(data)]),
  ];
  const outcomes = bench.measure({ case: "open", data: label, jobs, bytes });
  const named = (/** @type {string} */ who, /** @type {string} */ what) =>
    outcomes.find((outcome) => outcome?.row.who === who && outcome.row.what === what);
  const newlines = named("limit", "read and find newlines");
  const parsed = named("limit", "JSON.parse of every line");
  const readOnly = named("bough", "open, read-only");
  for (const outcome of outcomes) if (outcome !== newlines) bench.compare(outcome, newlines);
  if (huge)
    bench.rows.push({
      case: "open",
      data: label,
      who: "limit",
      what: "JSON.parse of every line",
      note: "skipped: too big to hold",
    });
  if (readOnly === undefined) return;
  if (name === REAL) {
    bench.judge("open-real", readOnly.row.ratio);
    bench.judge("open-faster", parsed && parsed.time.median / readOnly.time.median);
    bench.judge("open-lighter", parsed && parsed.peak / readOnly.peak);
  }
  if (name === SMALL) bench.judge("open-small", readOnly.row.ratio);
}
