import { forEach, parseEveryLine } from "./case.mjs";

/** The path to the leaf, reading every entry on it. @type {import("./case.mjs").Case} */
export const path = {
  name: "path",
  says: "getBranch() at the leaf: the first time after opening, and again",
  data: [
    "linear-small-1k",
    "linear-small-10k",
    "linear-small-100k",
    "linear-small-1M",
    "linear-real-10k",
    "deep-small-10k",
    "deep-small-200k",
  ],
  run: (bench) => {
    for (const data of bench.data(path.data)) {
      const jobs = [
        parseEveryLine(data),
        ...forEach(bench, { what: "path, first", task: "path", input: { path: data.path }, expect: data.entries }),
      ];
      const [parsed, ...paths] = bench.measure({ case: "path", data: data.name, jobs, bytes: data.bytes });
      for (const outcome of paths) {
        if (outcome === undefined) continue;
        bench.compare(outcome, parsed);
        bench.rows.push({
          case: "path",
          data: data.name,
          who: outcome.row.who,
          what: "path, again",
          time: outcome.extra("again"),
        });
      }
    }
  },
};
