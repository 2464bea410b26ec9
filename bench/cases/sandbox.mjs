import { workTree } from "../generate/work-tree.mjs";
import { formatCount } from "../report/format.mjs";

const TOOL = new URL("../../dist/tool/index.js", import.meta.url).href;

/** What the sandbox adds to a shell command. @type {import("./case.mjs").Case} */
export const sandbox = {
  name: "sandbox",
  says: "how much longer a shell command takes in the sandbox, in projects of 20 and 50,000 files",
  data: [],
  run: (bench) => {
    for (const files of bench.options.quick ? [20] : [20, 50_000]) {
      const { root } = workTree({ files, kind: "git", progress: bench.progress });
      const input = { root, tool: TOOL, rounds: bench.options.once ? 2 : 40 };
      const [added] = bench.measure({
        case: "sandbox",
        data: `${formatCount(files)} files`,
        jobs: [
          {
            who: "bough",
            what: "added to a command",
            task: "sandbox",
            input,
            expect: "inside and outside",
            once: true,
          },
        ],
      });
      if (added === undefined) continue;
      const [inside, outside, first, paused] = ["inside", "outside", "first", "paused"].map((name) =>
        added.extra(name).median.toFixed(1),
      );
      added.row.note = `${inside} ms inside, ${outside} ms outside; ${paused} ms more after a pause; ${first} ms until the first command can start`;
      if (files === 20) bench.judge("sandbox", added.time.median);
      if (files === 50_000) bench.judge("sandbox-50k", added.time.median);
    }
  },
};
