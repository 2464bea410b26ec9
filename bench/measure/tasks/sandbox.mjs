/**
 * How much longer a shell command takes in the sandbox: `true` by the tool `bash`, inside and outside in turns, with
 * everything that the sandbox does before and after it. First at once after another, then as in use, where the model takes
 * its time between two commands.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { median } from "../samples.mjs";

const PAUSE_MS = 100;

/** @param {{ root: string, tool: string, rounds: number }} input */
export async function run({ root, tool, rounds }) {
  const { createTools, openSandbox } = await import(tool);
  const scratch = mkdtempSync(join(tmpdir(), "bough-bench-"));
  const began = performance.now();
  const sandbox = openSandbox({ cwd: root, home: join(scratch, "home"), allowHost: async () => false });
  try {
    const state = await sandbox.ready();
    const first = performance.now() - began;
    if (state.kind !== "on") throw new Error(`${state.reason}. ${state.fix}`);
    const bash = (/** @type {object} */ options) =>
      createTools({ bash: options }).find((/** @type {{ name: string }} */ { name }) => name === "bash");
    const tools = { inside: bash({ sandbox }), outside: bash({}) };
    const command = "[ -e /dev/bough-network ] && echo inside || echo outside";
    const said = new Set();
    const added = async (/** @type {number} */ times, /** @type {number} */ gap) => {
      /** @type {{ inside: number[], outside: number[] }} */
      const taken = { inside: [], outside: [] };
      for (let round = 0; round < times; round++) {
        for (const where of /** @type {const} */ (["inside", "outside"])) {
          const from = performance.now();
          const { content } = await tools[where].execute({ command }, contextIn(root, scratch));
          taken[where].push(performance.now() - from);
          said.add(`${where}: ${content[0].text}`);
          await pause(gap);
        }
      }
      return { inside: median(taken.inside), outside: median(taken.outside) };
    };
    const { inside, outside } = await added(rounds, 0);
    const paused = await added(Math.ceil(rounds / 2), PAUSE_MS);
    const isRight = [...said].every((line) => ["inside: inside", "outside: outside"].includes(line.trim()));
    return {
      ms: Math.max(0, inside - outside),
      check: isRight ? "inside and outside" : [...said].join("; "),
      extra: { inside, outside, first, paused: Math.max(0, paused.inside - paused.outside) },
    };
  } finally {
    await sandbox.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @param {string} cwd @param {string} outputDir */
function contextIn(cwd, outputDir) {
  return {
    cwd,
    outputDir,
    callId: "bench",
    signal: new AbortController().signal,
    permit: async () => ({ allowed: true }),
    onUpdate: () => undefined,
  };
}
