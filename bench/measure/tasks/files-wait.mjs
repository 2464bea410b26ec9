/**
 * How much longer a step takes a person with files followed: the same shell commands by a real agent, with it and without
 * it in turns. The model takes `thinks` milliseconds for each answer, as the fastest ones do; the scan may hide behind it.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { median } from "../samples.mjs";

/** @param {{ root: string, agent: string, session: string, rounds: number, calls: number, thinks: number }} input */
export async function run({ root, agent, session, rounds, calls, thinks }) {
  const { createAgentSession } = await import(agent);
  const { SessionManager } = await import(session);
  const scratch = mkdtempSync(join(tmpdir(), "bough-bench-"));
  const changed = join(root, "part-0", "folder-0", "module-5.txt");
  const before = readFileSync(changed);
  /** @type {{ on: number[], off: number[], first: number[] }} */
  const times = { on: [], off: [], first: [] };
  let recorded = 0;
  try {
    for (let round = 0; round < rounds; round++) {
      for (const files of [{ home: join(scratch, "home") }, undefined]) {
        let count = 0;
        const made = await createAgentSession({
          cwd: root,
          model: model(() => ++count <= calls, {
            command: `echo ${round} >> part-0/folder-0/module-5.txt`,
            thinks,
          }),
          session: SessionManager.create(root, join(scratch, `${round}-${files === undefined}`)),
          permit: async () => ({ allowed: true }),
          ...(files === undefined ? {} : { files }),
        });
        made.subscribe((/** @type {{ type: string }} */ { type }) => {
          if (type === "files_changed") recorded += 1;
        });
        const began = performance.now();
        await made.prompt("go");
        times[files === undefined ? "off" : "on"].push((performance.now() - began) / calls);
        await made.dispose?.();
      }
    }
  } finally {
    writeFileSync(changed, before);
    rmSync(scratch, { recursive: true, force: true });
  }
  const added = Math.max(0, median(times.on) - median(times.off));
  return {
    ms: added,
    check: recorded === rounds * calls ? "recorded" : `${recorded} records`,
    extra: { on: median(times.on), off: median(times.off) },
  };
}

/**
 * @param {() => boolean} calls whether the next answer calls the tool
 * @param {{ command: string, thinks: number }} how
 */
function model(calls, { command, thinks }) {
  const info = {
    provider: "bench",
    id: "bench",
    name: "Bench",
    api: "offline",
    contextWindow: 100_000,
    maxOutput: 8000,
    reasoning: false,
    images: false,
    prices: undefined,
  };
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 };
  let number = 0;
  return {
    info,
    async *stream(/** @type {unknown} */ _request, /** @type {{ now: () => number }} */ options) {
      await setTimeout(thinks);
      const call = calls()
        ? { type: "toolCall", id: `call-${++number}`, name: "bash", arguments: { command } }
        : undefined;
      if (call === undefined) yield { type: "text", delta: "done" };
      else yield { type: "tool_call", call };
      const content = call === undefined ? [{ type: "text", text: "done" }] : [call];
      const message = {
        role: "assistant",
        content,
        api: info.api,
        provider: info.provider,
        model: info.id,
        usage,
        stopReason: call === undefined ? "stop" : "toolUse",
        timestamp: options.now(),
      };
      yield { type: "end", message };
    },
  };
}
