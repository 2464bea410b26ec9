import { join } from "node:path";
import { formatBytes } from "../report/format.mjs";

/** Copies the path to the leaf into a new file. @type {import("./case.mjs").Case} */
export const fork = {
  name: "fork",
  says: "createBranchedSession() at the leaf, beside copying the bytes of the file",
  data: [
    "linear-real-1k",
    "linear-real-10k",
    "linear-real-100k",
    "bushy-small-10k",
    "bushy-real-100k",
    "linear-small-1M",
  ],
  run: (bench) => {
    for (const data of bench.data(fork.data)) {
      const { name, path, bytes, leafId: leaf } = data;
      /** @type {import("../bench.mjs").Job[]} */
      const jobs = [
        {
          who: "limit",
          what: "copy the file",
          task: "raw-copy",
          input: { path, target: join(bench.scratch(), "copy") },
          expect: bytes,
        },
        ...bench.implementations.map(({ name: who, engine }) => ({
          who,
          what: "fork",
          task: "fork",
          input: { engine, path: bench.copy(data), dir: bench.scratch(), leaf },
          expect: 1,
        })),
      ];
      const [copied, ...forks] = bench.measure({ case: "fork", data: name, jobs, bytes });
      for (const outcome of forks) {
        if (outcome === undefined) continue;
        bench.compare(outcome, copied);
        const made = outcome.extra("bytes").median;
        outcome.row.note = `new file of ${formatBytes(made)}`;
        // A straight session is one path: the fork differs from it only in the header.
        const whole = data.recipe.shape === "linear" && Math.abs(made - bytes) > 1000;
        if (whole && outcome.row.who === "bough") bench.faults.push(`fork: ${name}: ${made} bytes from ${bytes}`);
      }
      bench.tidy();
    }
  },
};
