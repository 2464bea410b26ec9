import { amount } from "../options.mjs";
import { formatBytes } from "../report/format.mjs";
import { forEach } from "./case.mjs";

/** Hundreds of sessions in one process, as on a server. @type {import("./case.mjs").Case} */
export const manySessions = {
  name: "many-sessions",
  says: "memory of 500 open sessions with 3 MB written to each, with their contexts, and after close()",
  data: [],
  run: (bench) => {
    const [sessions, bytes] = amount(bench.options, {
      full: [500, 3 * 2 ** 20],
      quick: [50, 3 * 2 ** 20],
      once: [2, 2 ** 18],
    });
    const jobs = forEach(bench, {
      what: "write, context, close",
      task: "many-sessions",
      input: { sessions, bytes, collections: bench.options.once ? 1 : 12 },
      expect: sessions,
    }).map((job) => ({ ...job, input: { ...job.input, dir: bench.scratch() }, once: true }));
    const label = `${sessions} sessions, ${formatBytes(bytes)} each`;
    const outcomes = bench.measure({ case: "many-sessions", data: label, jobs });
    for (const outcome of outcomes) {
      if (outcome === undefined) continue;
      const { who } = outcome.row;
      delete outcome.row.peak;
      for (const [name, what] of MOMENTS) {
        bench.rows.push({ case: "many-sessions", data: label, who, what, peak: outcome.extra(name).median });
      }
      if (who !== "bough" || bench.options.quick) continue;
      bench.judge("many-open", Math.max(outcome.extra("written").median, outcome.extra("withContexts").median));
      bench.judge("many-closed", outcome.extra("closed").median);
    }
  },
};

const MOMENTS = /** @type {const} */ ([
  ["written", "memory while all are open and written to"],
  ["withContexts", "memory with the contexts of all"],
  ["closed", "memory after closing all"],
]);
