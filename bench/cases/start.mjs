import { fileURLToPath } from "node:url";
import { BOUGH } from "../implementations.mjs";

const PROGRAM = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** Time until something is ready, beyond the start of Node itself. @type {import("./case.mjs").Case} */
export const start = {
  name: "start",
  says: "from nothing to an imported engine, the first line of RPC, an answer of the offline model, the version",
  data: [],
  run: (bench) => {
    const [node, engine, rpc, print, version] = bench.measure({
      case: "start",
      data: "an empty home",
      repeats: 10,
      jobs: [
        job("start Node", ["-e", "0"], "nothing"),
        job("import bough/session", ["--input-type=module", "-e", `import ${JSON.stringify(BOUGH.engine)}`], "nothing"),
        job("--mode rpc: the first line", [PROGRAM, "--mode", "rpc"], "lines", "line"),
        job("-p hello, offline model", [PROGRAM, "-p", "hello", "--model", "offline/rules"], "lines"),
        job("--version", [PROGRAM, "--version"], "lines"),
      ],
    });
    if (node === undefined) return;
    const beyond = (/** @type {import("../bench.mjs").Outcome | undefined} */ outcome) =>
      outcome === undefined ? undefined : Math.max(0, outcome.time.median - node.time.median);
    bench.judge("start-engine", beyond(engine));
    bench.judge("start-rpc", beyond(rpc));
    bench.judge("start-print", beyond(print));
    bench.judge("start-version", bench.compare(version, node));
  },
};

/**
 * @param {string} what
 * @param {readonly string[]} args
 * @param {string} expect
 * @param {"end" | "line"} [until]
 * @returns {import("../bench.mjs").Job}
 */
function job(what, args, expect, until = "end") {
  const who = what === "start Node" ? "limit" : "bough";
  return { who, what, task: "start", input: { args, until }, expect };
}
