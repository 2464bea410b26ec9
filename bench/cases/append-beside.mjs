import { join } from "node:path";
import { ROUNDS, WARM_UP_ROUNDS } from "../measure/tasks/append.mjs";
import { perRound } from "./append.mjs";

/** Appending beside another implementation, in alternating processes. @type {import("./case.mjs").Case} */
export const appendBeside = {
  name: "append-beside",
  says: "appending 10,000 real messages to a new session, beside another implementation",
  data: [],
  run: (bench) => {
    const jobs = bench.implementations.map(({ name: who, engine }) => {
      const dir = bench.scratch();
      const input = { engine, dir, bare: join(dir, "bare.txt"), text: "real", perRound: perRound(bench.options) };
      const expect = (WARM_UP_ROUNDS + ROUNDS) * perRound(bench.options);
      return { who, what: "append", task: "append", input, expect };
    });
    const outcomes = bench.measure({ case: "append-beside", data: "new session, real messages", jobs, repeats: 7 });
    const [bough, other] = ["bough", "other"].map((who) => outcomes.find((outcome) => outcome?.row.who === who));
    for (const outcome of outcomes) {
      if (outcome === undefined) continue;
      outcome.row.ratio = outcome.extra("ratio").median;
      outcome.row.against = "JSON.stringify and a bare write";
    }
    bench.judge("append-beside", bough && other && other.time.median / bough.time.median);
  },
};
