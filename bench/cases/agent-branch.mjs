import { formatBytes } from "../report/format.mjs";

/** A branch of a long session, given to another agent. @type {import("./case.mjs").Case} */
export const agentBranch = {
  name: "agent-branch",
  says: "the path to the leaf given to another agent until it has the prompt, beside writing and loading it",
  data: ["linear-real-1k"],
  run: (bench) => {
    for (const data of bench.data(agentBranch.data)) {
      const input = { path: data.path, command: process.env.BOUGH_BENCH_AGENT?.split(" ") };
      const [limit, ours] = bench.measure({
        case: "agent-branch",
        data: data.name,
        bytes: data.bytes,
        jobs: [
          { who: "limit", what: "write and load", task: "agent-branch", input: { ...input, only: true }, expect: 1 },
          { who: "bough", what: "branch", task: "agent-branch", input, expect: 1 },
        ],
      });
      if (limit === undefined || ours === undefined) continue;
      bench.compare(ours, limit);
      const [load, own] = [limit.extra("load").median, ours.extra("load").median];
      ours.row.note = `${formatBytes(data.bytes)}, of it ${Math.round(own)} ms in the agent (alone ${Math.round(load)} ms)`;
    }
  },
};
