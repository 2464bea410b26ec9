import { idAt } from "../generate/session-lines.mjs";
import { forEach, parseEveryLine } from "./case.mjs";

/** The children of one entry that has nearly all entries as children. @type {import("./case.mjs").Case} */
export const children = {
  name: "children",
  says: "getChildren() of an entry with up to 100k children",
  data: ["siblings-small-10k", "siblings-small-100k"],
  run: (bench) => {
    for (const data of bench.data(children.data)) {
      const input = { path: data.path, parent: idAt(data.recipe, 1) };
      const jobs = [
        parseEveryLine(data),
        ...forEach(bench, { what: "children", task: "children", input, expect: data.entries - 2 }),
      ];
      const [parsed, ...found] = bench.measure({ case: "children", data: data.name, jobs, bytes: data.bytes });
      for (const outcome of found) bench.compare(outcome, parsed);
    }
  },
};
