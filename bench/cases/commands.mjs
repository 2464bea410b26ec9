import { listFolder, searchFolder } from "../generate/catalogue.mjs";
import { amount, searchMegabytes } from "../options.mjs";
import { formatCount } from "../report/format.mjs";

/** Commands as separate processes, from the start of Node to the last line. @type {import("./case.mjs").Case} */
export const commands = {
  name: "commands",
  says: "bough ls of 5,000 sessions and of 1 GB, and bough tree of 100k entries, started from nothing",
  data: ["linear-real-100k", "bushy-real-100k", "linear-small-100k"],
  folders: ({ options, progress }) => [
    listFolder({ files: amount(options, { full: 5000, quick: 100, once: 4 }), entries: 10, progress }),
    searchFolder({ megabytes: searchMegabytes(options), progress }),
  ],
  run: (bench) => {
    const [many, large] = commands.folders?.(bench) ?? [];
    if (many !== undefined) listMany(bench, many);
    if (large !== undefined) listLarge(bench, large);
    for (const { name, path, bytes } of bench.data(commands.data)) {
      const [tree] = bench.measure({
        case: "commands",
        data: name,
        bytes,
        jobs: [job("tree", ["tree", path], "lines")],
      });
      if (tree !== undefined && name === "bushy-real-100k") bench.judge("command-tree", tree.time.median);
    }
  },
};

/** How many rows a terminal shows if there are more. */
const SHOWN = 100;

/**
 * @param {import("../bench.mjs").Bench} bench
 * @param {import("../generate/data-set.mjs").DataFolder} folder
 */
function listMany(bench, { dir, files }) {
  const ls = ["ls", "--session-dir", dir];
  const terminal = [...ls, "-n", String(SHOWN)];
  const first = Math.min(SHOWN, files);
  const [, list] = bench.measure({
    case: "commands",
    data: `${formatCount(files)} files`,
    jobs: [
      { who: "limit", what: "start Node", task: "program", input: { args: ["-e", "0"] }, expect: 0 },
      job("ls: what a terminal shows", terminal, first + 1),
      job("ls: the same, counted before", terminal, first + 1, { again: true }),
      job("ls: all of them", ls, files + 1),
      job("ls: all, counted before", ls, files + 1, { again: true }),
    ],
  });
  if (list !== undefined) bench.judge("command-ls", list.time.median);
}

/**
 * @param {import("../bench.mjs").Bench} bench
 * @param {import("../generate/data-set.mjs").DataFolder} folder
 */
function listLarge(bench, { dir, files, bytes }) {
  const ls = ["ls", "--session-dir", dir];
  bench.measure({
    case: "commands",
    data: `${formatCount(files)} files of 10 MB`,
    bytes,
    jobs: [
      job("ls: counts as far as it goes", ls, files + 1),
      job("ls --exact", [...ls, "--exact"], files + 1),
      job("ls --exact, counted before", [...ls, "--exact"], files + 1, { again: true }),
    ],
  });
}

/**
 * @param {string} what
 * @param {readonly string[]} args
 * @param {number | "lines"} expect lines that are printed; `lines` for at least one
 * @param {{ again?: boolean }} [how] `again`: in a home where it ran once before
 * @returns {import("../bench.mjs").Job}
 */
function job(what, args, expect, { again = false } = {}) {
  const input = { args, program: true, some: expect === "lines", again };
  return { who: "bough", what, task: "program", input, expect };
}
