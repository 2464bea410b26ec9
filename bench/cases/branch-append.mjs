import { idAt } from "../generate/session-lines.mjs";
import { measureAppend } from "./append.mjs";

const PLACES = 5000;

/** Branching from entries all over the session and appending there. @type {import("./case.mjs").Case} */
export const branchAppend = {
  name: "branch",
  says: "branch to an entry anywhere, then append",
  data: ["bushy-small-10k", "bushy-real-100k", "bushy-small-1M"],
  run: (bench) => {
    for (const data of bench.data(branchAppend.data)) {
      // The step is coprime to the size, so that entries are spread out and not in file order.
      const from = Array.from({ length: Math.min(PLACES, data.entries) }, (_, index) =>
        idAt(data.recipe, (index * 7919) % data.entries),
      );
      measureAppend(bench, { label: data.name, text: "real", data, from, case: "branch" });
    }
  },
};
