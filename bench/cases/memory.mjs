import { formatBytes } from "../report/format.mjs";
import { forEach, parseEveryLine } from "./case.mjs";

const HUGE = "linear-real-2gb";

/** Peak memory of common operations on a session, beyond an empty Node process. @type {import("./case.mjs").Case} */
export const memory = {
  name: "memory",
  says: "peak memory of opening, of opening and building the context, of opening and walking the tree",
  data: ["linear-real-10k", "linear-real-100k-compacted", "linear-small-1M-compacted", HUGE],
  run: (bench) => {
    for (const data of bench.data(memory.data)) {
      const { name, path, bytes, entries, leafId } = data;
      const jobs = [
        ...forEach(bench, { what: "open", task: "open", input: { path, mode: "read-only" }, expect: leafId }),
        ...forEach(bench, { what: "open, context", task: "context", input: { path } }),
        ...forEach(bench, { what: "open, walk the tree", task: "tree", input: { path }, expect: entries }),
        ...(name === HUGE ? [] : [{ ...parseEveryLine(data), once: true }]),
      ];
      const label = `${name} (${formatBytes(bytes)})`;
      const outcomes = bench.measure({ case: "memory", data: label, jobs, bytes });
      const opened = outcomes.find((outcome) => outcome?.row.who === "bough" && outcome.row.what === "open");
      if (name === HUGE) bench.judge("memory", opened?.peak);
      // Their times are reported by other cases.
      for (const outcome of outcomes) if (outcome) delete outcome.row.time;
    }
  },
};
