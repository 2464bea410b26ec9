import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { samples } from "../measure/samples.mjs";
import { amount } from "../options.mjs";
import { formatBytes, formatCount } from "../report/format.mjs";

const door = (/** @type {string} */ room) => new URL(`../../dist/${room}/index.js`, import.meta.url).href;
const STORE = door("store");

/** Sessions x entries in PostgreSQL, by `--sizes`. */
const FILLED = { "100k": [100, 1000], "1M": [1000, 1000], "10M": [10_000, 1000] };
const LONG = { "1M": [10, 100_000], "10M": [100, 100_000] };
/** With `--once`: enough for every text of the pool. */
const ONCE = [2, 1000];

/** The final size of an entry with all indexes, and the extra space needed while indexes are built. */
const BYTES_PER_ENTRY = 1_050;
const BYTES_BESIDE = 4 * 2 ** 30;
/** Filling takes longest: on an idle machine, a million entries take two minutes. */
const MINUTES_PER_MILLION = 12;

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
    // A run of all cases uses the default size, to save time.
    const wanted = size === "1M" && sizes.length > 1 ? "100k" : size;
    const shapes = bench.options.once
      ? [ONCE]
      : [FILLED[/** @type {keyof typeof FILLED} */ (wanted)], LONG[/** @type {keyof typeof LONG} */ (wanted)]];
    /** @type {Map<string, number>} */
    const worst = new Map();
    for (const shape of shapes) if (shape !== undefined) database(bench, shape, worst);
    if (!quick) for (const [budget, value] of worst) bench.judge(budget, value);
  },
};

/** @param {import("../bench.mjs").Bench} bench @param {string} driver */
function unchanged(bench, driver) {
  const sessions = amount(bench.options, { full: 1000, quick: 100, once: 3 });
  const rounds = bench.options.once ? 1 : 5;
  const input = { door: STORE, folder: bench.scratch(), driver, sessions, rounds };
  const what = `sync with ${driver}, nothing changed`;
  const [done] = bench.measure({
    case: "stores",
    data: `${formatCount(sessions)} sessions`,
    jobs: [{ who: "bough", what, task: "stores-sync", input, expect: "unchanged", once: true }],
  });
  if (done === undefined) return;
  const trips = done.extra("trips").median;
  done.row.note = driver === "folder" ? "files only" : `${trips} round trip${trips === 1 ? "" : "s"}`;
  const [push, pull] = [done.extra("first").median, done.extra("pull").median];
  const row = { case: "stores", data: `${formatCount(sessions)} sessions`, who: "bough" };
  bench.rows.push({ ...row, what: `pull from ${driver}`, time: samples([pull]) });
  const ratio = { ratio: push / pull, against: "pull" };
  bench.rows.push({ ...row, what: `push to ${driver}`, time: samples([push]), ...ratio });
  if (sessions === 1000) bench.judge(`stores-first-${driver}`, push / pull);
  if (sessions !== 1000) return;
  bench.judge(`stores-sync-${driver}`, done.time.median);
  if (driver !== "folder") bench.judge(`stores-trips-${driver}`, trips);
}

/** @param {import("../bench.mjs").Bench} bench */
function bytes(bench) {
  const messages = amount(bench.options, { full: 1000, quick: 100, once: 20 });
  // Installing the other one takes longer than everything else.
  const input = { door: STORE, folder: bench.scratch(), messages, beside: !bench.options.once };
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
    Number.isNaN(other) ? "LangGraph's saver: not installed" : `LangGraph's saver ${formatBytes(other)}`,
  ].join("; ");
  if (messages === 1000 && !Number.isNaN(other)) bench.judge("stores-bytes", size("boughBytes") / other);
}

/** What is measured, what it is compared with, and its budget. */
const PAIRS = [
  { what: "open a path", own: "path", bare: "barePath", budget: "stores-path" },
  { what: "push a batch of 50", own: "push", bare: "barePush", budget: "stores-push" },
  { what: "search a rare word", own: "rareSearch", bare: "rareBare", budget: "stores-search" },
  { what: "search an uncommon word", own: "uncommonSearch", bare: "uncommonBare", budget: "stores-search" },
  { what: "search a frequent word", own: "frequentSearch", bare: "frequentBare", budget: "stores-search" },
  { what: "search two words", own: "twoSearch", bare: "twoBare", budget: "stores-search" },
  { what: "search a part of a word", own: "partSearch", bare: "partBare", budget: "stores-search" },
];

/**
 * @param {import("../bench.mjs").Bench} bench
 * @param {readonly number[]} size
 * @param {Map<string, number>} worst  of each budget so far
 */
function database(bench, [sessions = 0, entries = 0], worst) {
  const data = `${formatCount(sessions)} x ${formatCount(entries)}`;
  // A path of 100,000 entries takes seconds, even with bare SQL.
  const rounds = amount(bench.options, { full: entries > 10_000 ? 4 : 21, quick: 5, once: 1 });
  const count = sessions * entries;
  const needed = count * BYTES_PER_ENTRY + BYTES_BESIDE;
  const { bavail, bsize } = statfsSync(tmpdir());
  bench.progress(
    `stores: ${data} needs up to ${formatBytes(needed)} in ${tmpdir()}, where ${formatBytes(bavail * bsize)} are free`,
  );
  if (bavail * bsize < needed) {
    bench.faults.push(`stores: ${data}: not enough space in ${tmpdir()}`);
    return;
  }
  const keep = bench.options.keep ? join(tmpdir(), `bough-bench-postgres-${sessions}x${entries}`) : undefined;
  const rareEvery = bench.options.once ? 100 : 50_000;
  const input = { door: STORE, sessions, entries, rareEvery, rounds, keep };
  const minutes = Math.max(15, (count / 1e6) * MINUTES_PER_MILLION);
  const job = { who: "limit", what: "fill PostgreSQL", task: "stores-postgres", input, expect: "measured", once: true };
  const [done] = bench.measure({ case: "stores", data, jobs: [{ ...job, minutes }] });
  if (done === undefined) return;
  const ms = (/** @type {string} */ name) => done.extra(name).median;
  done.row.note = `${formatBytes(ms("bytes"))} with indexes`;
  const note = (/** @type {string} */ budget, /** @type {number} */ value) =>
    worst.set(budget, Math.max(value, worst.get(budget) ?? 0));
  for (const { what, own, bare, budget } of PAIRS) {
    const limit = own === "push" ? ms(bare) - ms("trigger") : ms(bare);
    bench.rows.push({ case: "stores", data, who: "limit", what: `${what}: bare SQL`, time: samples([limit]) });
    const ratio = ms(own) / limit;
    const isSearch = own.endsWith("Search");
    const beside = isSearch
      ? { note: `the hits alone ${ms(own.replace("Search", "Hits")).toFixed(1)} ms` }
      : own === "push"
        ? { note: `the trigger ${ms("trigger").toFixed(2)} ms` }
        : {};
    const row = { case: "stores", data, who: "bough", what, time: samples([ms(own)]), ratio, against: "bare SQL" };
    bench.rows.push({ ...row, ...beside });
    note(budget, ratio);
    if (isSearch) note("stores-search-ms", ms(own));
  }
  bench.rows.push({ case: "stores", data, who: "bough", what: "list all sessions", time: samples([ms("list")]) });
  const follow = { case: "stores", data, who: "bough", what: "push until a follower has it" };
  const most = `at most ${ms("followMost").toFixed(0)} ms`;
  bench.rows.push({ ...follow, time: samples([ms("follow")]), note: most });
  note("stores-follow", ms("followMost"));
}
