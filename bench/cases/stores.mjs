import { samples } from "../measure/samples.mjs";
import { formatBytes, formatCount } from "../report/format.mjs";

const door = (/** @type {string} */ room) => new URL(`../../dist/${room}/index.js`, import.meta.url).href;
const STORE = door("store");

/** Sessions x entries in PostgreSQL, by `--sizes`. */
const FILLED = { "100k": [100, 1000], "1M": [1000, 1000], "10M": [10_000, 1000] };
const LONG = { "1M": [10, 100_000], "10M": [100, 100_000] };

/** Stores where copies of sessions meet. @type {import("./case.mjs").Case} */
export const stores = {
  name: "stores",
  says: "a store in PostgreSQL beside bare SQL, syncs of 1,000 unchanged sessions, followers, bytes beside LangGraph",
  data: [],
  run: (bench) => {
    for (const driver of ["folder", "git", "postgres"]) unchanged(bench, driver);
    bytes(bench);
    const { quick, sizes } = bench.options;
    const size = quick ? "100k" : (["10M", "1M", "100k"].find((one) => sizes.includes(one)) ?? "100k");
    // The default is what a run of all cases has time for.
    const wanted = size === "1M" && sizes.length > 1 ? "100k" : size;
    database(bench, FILLED[/** @type {keyof typeof FILLED} */ (wanted)] ?? [100, 1000]);
    const long = LONG[/** @type {keyof typeof LONG} */ (wanted)];
    if (long !== undefined) database(bench, long);
  },
};

/** @param {import("../bench.mjs").Bench} bench @param {string} driver */
function unchanged(bench, driver) {
  const sessions = bench.options.quick ? 100 : 1000;
  const input = { door: STORE, folder: bench.scratch(), driver, sessions, rounds: 5 };
  const what = `sync with ${driver}, nothing changed`;
  const [done] = bench.measure({
    case: "stores",
    data: `${formatCount(sessions)} sessions`,
    jobs: [{ who: "bough", what, task: "stores-sync", input, expect: "unchanged", once: true }],
  });
  if (done === undefined) return;
  const trips = done.extra("trips").median;
  done.row.note = driver === "folder" ? "files only" : `${trips} round trip${trips === 1 ? "" : "s"}`;
  if (sessions !== 1000) return;
  bench.judge(`stores-sync-${driver}`, done.time.median);
  if (driver !== "folder") bench.judge(`stores-trips-${driver}`, trips);
}

/** @param {import("../bench.mjs").Bench} bench */
function bytes(bench) {
  const messages = bench.options.quick ? 100 : 1000;
  const input = { door: STORE, folder: bench.scratch(), messages };
  const [done] = bench.measure({
    case: "stores",
    data: `${formatCount(messages)} messages`,
    jobs: [{ who: "bough", what: "bytes in PostgreSQL", task: "stores-bytes", input, expect: messages, once: true }],
  });
  if (done === undefined) return;
  const size = (/** @type {string} */ name) => done.extra(name).median;
  delete done.row.time;
  delete done.row.peak;
  const other = size("langGraphBytes");
  done.row.note = [
    `lines ${formatBytes(size("lineBytes"))}, table ${formatBytes(size("rowBytes"))}`,
    `with all indexes ${formatBytes(size("boughBytes"))}`,
    Number.isNaN(other) ? "LangGraph's saver: could not be installed" : `LangGraph's saver ${formatBytes(other)}`,
  ].join("; ");
  if (messages === 1000 && !Number.isNaN(other)) bench.judge("stores-bytes", size("boughBytes") / other);
}

/** What is measured, beside what, and the budget for it. */
const PAIRS = [
  { what: "open a path", own: "path", bare: "barePath", budget: "stores-path" },
  { what: "push a batch of 50", own: "push", bare: "barePush", budget: "stores-push" },
  { what: "search a rare word", own: "rareSearch", bare: "rareBare", budget: "stores-search" },
  { what: "search a frequent word", own: "frequentSearch", bare: "frequentBare", budget: "stores-search" },
  { what: "search two words", own: "twoSearch", bare: "twoBare", budget: "stores-search" },
  { what: "search a part of a word", own: "partSearch", bare: "partBare", budget: "stores-search" },
];

/** @param {import("../bench.mjs").Bench} bench @param {readonly number[]} size */
function database(bench, [sessions = 0, entries = 0]) {
  const data = `${formatCount(sessions)} x ${formatCount(entries)}`;
  // A path of 100,000 entries takes seconds, for bare SQL too.
  const rounds = bench.options.quick ? 5 : entries > 10_000 ? 3 : 21;
  const input = { door: STORE, sessions, entries, rounds };
  const [done] = bench.measure({
    case: "stores",
    data,
    jobs: [{ who: "limit", what: "fill PostgreSQL", task: "stores-postgres", input, expect: "measured", once: true }],
  });
  if (done === undefined) return;
  const ms = (/** @type {string} */ name) => done.extra(name).median;
  done.row.note = `${formatBytes(ms("bytes"))} with indexes`;
  const ratios = new Map();
  for (const { what, own, bare, budget } of PAIRS) {
    bench.rows.push({ case: "stores", data, who: "limit", what: `${what}: bare SQL`, time: samples([ms(bare)]) });
    const ratio = ms(own) / ms(bare);
    const note = own.endsWith("Search")
      ? `the hits alone ${ms(own.replace("Search", "Hits")).toFixed(1)} ms`
      : undefined;
    const row = { case: "stores", data, who: "bough", what, time: samples([ms(own)]), ratio, against: "bare SQL" };
    bench.rows.push(note === undefined ? row : { ...row, note });
    ratios.set(budget, Math.max(ratio, ratios.get(budget) ?? 0));
  }
  bench.rows.push({ case: "stores", data, who: "bough", what: "list all sessions", time: samples([ms("list")]) });
  const follow = { case: "stores", data, who: "bough", what: "push until a follower has it" };
  const most = `at most ${ms("followMost").toFixed(0)} ms`;
  bench.rows.push({ ...follow, time: samples([ms("follow")]), note: most });
  if (bench.options.quick || entries !== 1000) return;
  for (const [budget, ratio] of ratios) bench.judge(budget, ratio);
  bench.judge(
    "stores-search-ms",
    Math.max(...PAIRS.filter(({ own }) => own.endsWith("Search")).map(({ own }) => ms(own))),
  );
  bench.judge("stores-follow", ms("followMost"));
}
