import { idAt } from "../generate/session-lines.mjs";
import { forEach } from "./case.mjs";

const COUNT = 1000;

/** A thousand branches right after opening. @type {import("./case.mjs").Case} */
export const branchBurst = {
  name: "branch-burst",
  says: "branch() and an append, 1,000 times in a fresh process",
  data: ["linear-real-1k"],
  run: (bench) => {
    for (const data of bench.data(branchBurst.data)) {
      const from = Array.from({ length: data.entries }, (_, index) => idAt(data.recipe, (index * 7919) % data.entries));
      const input = { path: data.path, dir: bench.scratch(), from, count: COUNT };
      const jobs = forEach(bench, { what: "branch and append x1000", task: "branch-burst", input, expect: COUNT });
      const outcomes = bench.measure({ case: "branch-burst", data: data.name, jobs, repeats: 11 });
      const [bough, other] = ["bough", "other"].map((who) => outcomes.find((outcome) => outcome?.row.who === who));
      bench.judge("branch-burst", bench.compare(bough, other));
    }
  },
};
