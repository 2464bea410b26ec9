import { spawnSync } from "node:child_process";
import { NEEDLES, searchFolder } from "../generate/catalogue.mjs";
import { BOUGH } from "../implementations.mjs";
import { samples } from "../measure/samples.mjs";
import { searchMegabytes } from "../options.mjs";
import { formatBytes, formatCount } from "../report/format.mjs";

const REPEATS = 5;

/** `word` is for the programs to compare with; the limit inside Node can only search plain words. */
const QUERIES = [
  { what: "rare word", query: NEEDLES.rare, word: NEEDLES.rare },
  { what: "rare word, case as written", query: NEEDLES.rare, word: NEEDLES.rare, caseSensitive: true },
  { what: "word in every session", query: NEEDLES.spread, word: NEEDLES.spread },
  { what: "phrase", query: `"${NEEDLES.phrase}"`, word: NEEDLES.phrase },
  { what: "frequent word", query: NEEDLES.frequent, word: NEEDLES.frequent },
  { what: "pattern", query: `re:quench\\w+d`, word: undefined, pattern: "quench\\w+d" },
  { what: "absent word", query: "zyxwvutsrq", word: "zyxwvutsrq" },
];

/** Searching all sessions of a folder, beside rg on the same files. @type {import("./case.mjs").Case} */
export const search = {
  name: "search",
  says: "searchSessions() over 1 GB, beside rg --count",
  data: [],
  folders: ({ options, progress }) => [searchFolder({ megabytes: searchMegabytes(options), progress })],
  run: (bench) => {
    const rg = process.env.BOUGH_BENCH_RG ?? "rg";
    const installed = spawnSync(rg, ["--version"]).status === 0;
    for (const folder of search.folders?.(bench) ?? []) {
      const data = `${formatCount(folder.files)} files (${formatBytes(folder.bytes)})`;
      for (const query of QUERIES)
        measureQuery(bench, { ...query, dir: folder.dir, data, rg: installed ? rg : undefined });
    }
    if (!installed) bench.judge("search", undefined, "rg is not installed; grep stands in for it in the table");
  },
};

/**
 * @param {import("../bench.mjs").Bench} bench
 * @param {{ what: string, query: string, word: string | undefined, pattern?: string, caseSensitive?: boolean, dir: string, data: string, rg: string | undefined }} plan
 */
function measureQuery(bench, { what, query, word, pattern, caseSensitive = false, dir, data, rg }) {
  const program =
    rg === undefined ? grepProgram({ word, pattern, dir }) : rgProgram({ rg, word, pattern, caseSensitive, dir });
  const beside = timeProgram(bench, program);
  bench.rows.push({ case: "search", data, who: "limit", what: `${what}: ${program.name}`, ...beside });
  const jobs = [
    ...(word === undefined
      ? []
      : [{ who: "limit", what: `${what}: read and find`, task: "raw-find", input: { dir, word } }]),
    {
      who: "bough",
      what: `${what}: search`,
      task: "search",
      input: { engine: BOUGH.engine, dir, query, caseSensitive },
    },
  ];
  const outcome = bench.measure({ case: "search", data, jobs }).at(-1);
  if (outcome === undefined) return;
  const hits = outcome.extra("hits").median;
  outcome.row.note = `${formatCount(hits)} hits`;
  const lines = Number(/^([\d,]+) lines/.exec(beside.note ?? "")?.[1]?.replaceAll(",", ""));
  if (hits !== lines) bench.faults.push(`search: ${what}: ${hits} hits, ${program.name} found ${lines} lines`);
  if (beside.time === undefined) return;
  outcome.row.ratio = outcome.time.median / beside.time.median;
  outcome.row.against = program.name;
  if (rg !== undefined && what === "rare word") bench.judge("search", outcome.row.ratio, "rare word");
  if (rg !== undefined && what === "phrase") bench.judge("search-phrase", outcome.row.ratio);
  if (rg !== undefined && what === "frequent word") bench.judge("search-frequent", outcome.row.ratio);
  if (rg !== undefined && caseSensitive) bench.judge("search-exact", outcome.row.ratio, "rare word");
}

/**
 * @typedef {{ name: string, command: string, args: readonly string[] }} Program
 * @typedef {{ word: string | undefined, pattern?: string | undefined, caseSensitive?: boolean, dir: string }} Wanted
 */

/** @param {Wanted & { rg: string }} wanted @returns {Program} */
function rgProgram({ rg, word, pattern, caseSensitive, dir }) {
  // The data is ignored by git, so rg would skip it.
  const look = word === undefined ? ["--regexp", pattern ?? ""] : ["--fixed-strings", "--regexp", word];
  return {
    name: caseSensitive ? "rg --count" : "rg --count -i",
    command: rg,
    // Ignores case, as our search does by default, so that both answer the same question.
    args: [
      "--count",
      ...(caseSensitive ? [] : ["--ignore-case"]),
      "--no-ignore",
      "--no-config",
      "--no-filename",
      ...look,
      dir,
    ],
  };
}

/** @param {Wanted} wanted @returns {Program} */
function grepProgram({ word, pattern, dir }) {
  const look = word === undefined ? ["-E", "-e", pattern ?? ""] : ["-F", "-e", word];
  return { name: "grep -c (rg is not installed)", command: "grep", args: ["-r", "-c", "-h", ...look, dir] };
}

/**
 * @param {import("../bench.mjs").Bench} bench
 * @param {Program} program
 * @returns {{ time?: import("../measure/samples.mjs").Samples, note?: string }}
 */
function timeProgram(bench, { name, command, args }) {
  const times = [];
  let lines = 0;
  const repeats = bench.options.once ? 1 : REPEATS;
  // The first run loads the files into the system's cache and does not count.
  for (let repeat = 0; repeat <= repeats; repeat++) {
    bench.progress(`search: ${name} (${repeat} of ${repeats})`);
    const start = performance.now();
    const done = spawnSync(command, [...args], { encoding: "utf8", env: { ...process.env, LC_ALL: "C" } });
    if (done.error) return { note: `${command} could not be started` };
    if (repeat > 0) times.push(performance.now() - start);
    lines = done.stdout.split("\n").reduce((sum, count) => sum + Number(count), 0);
  }
  return { time: samples(times), note: `${formatCount(lines)} lines` };
}
