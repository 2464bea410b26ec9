import { listFolder } from "../generate/catalogue.mjs";
import { formatCount } from "../report/format.mjs";

/** Commands as processes of their own, from the start of Node to the last line. @type {import("./case.mjs").Case} */
export const commands = {
  name: "commands",
  says: "bough ls of 5,000 sessions and bough tree of 100k entries, started from nothing",
  data: ["linear-real-100k", "bushy-real-100k", "linear-small-100k"],
  folders: ({ options: { quick }, progress }) => [listFolder({ files: quick ? 100 : 5000, entries: 10, progress })],
  run: (bench) => {
    /** Rows that a terminal shows, where there are more. */
    const shown = 100;
    for (const { dir, files } of commands.folders?.(bench) ?? []) {
      const ls = ["ls", "--session-dir", dir];
      const first = Math.min(shown, files);
      const [, list] = bench.measure({
        case: "commands",
        data: `${formatCount(files)} files`,
        jobs: [
          { who: "limit", what: "start Node", task: "program", input: { args: ["-e", "0"] }, expect: 0 },
          job("ls: what a terminal shows", [...ls, "-n", String(shown)], first + 1),
          job("ls: all of them", ls, files + 1),
        ],
      });
      if (list !== undefined) bench.judge("command-ls", list.time.median);
    }
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

/**
 * @param {string} what
 * @param {readonly string[]} args
 * @param {number | "lines"} expect lines that are printed; `lines` for at least one
 * @returns {import("../bench.mjs").Job}
 */
function job(what, args, expect) {
  return { who: "bough", what, task: "program", input: { args, program: true, some: expect === "lines" }, expect };
}
