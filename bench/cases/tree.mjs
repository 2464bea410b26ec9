import { forEach, parseEveryLine } from "./case.mjs";

/** The tree as a whole. @type {import("./case.mjs").Case} */
export const tree = {
  name: "tree",
  says: "getTree() with its first level read, and a walk over all nodes that reads no entry",
  data: [
    ...["bushy-small-1k", "bushy-small-10k", "bushy-real-100k", "bushy-small-1M"],
    ...["linear-small-1M", "siblings-small-10k", "siblings-small-100k", "deep-small-10k", "deep-small-200k"],
  ],
  run: (bench) => {
    for (const data of bench.data(tree.data)) {
      const { name, path, bytes, entries } = data;
      const jobs = [
        parseEveryLine(data),
        ...forEach(bench, { what: "tree and first level", task: "tree", input: { path }, expect: entries }),
      ];
      const [parsed, ...trees] = bench.measure({ case: "tree", data: name, jobs, bytes });
      for (const outcome of trees) {
        if (outcome === undefined) continue;
        bench.compare(outcome, parsed);
        const time = outcome.extra("walk");
        const ratio = parsed && time.median / parsed.time.median;
        const against = parsed?.row.what;
        bench.rows.push({
          case: "tree",
          data: name,
          who: outcome.row.who,
          what: "walk over all nodes",
          time,
          ...(ratio && against ? { ratio, against } : {}),
        });
      }
    }
  },
};
