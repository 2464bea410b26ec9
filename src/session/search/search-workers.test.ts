/** Workers run from built files only, so these tests drive the build from a process of its own. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { HEADER, line, temporaryFolder, writeLines } from "./search.test-support.js";

const engine = pathToFileURL(join(import.meta.dirname, "../../../dist/session/index.js")).href;

/** Runs a script with the built library and gives what it printed. Ends by itself only if nothing is left running. */
async function run(script: string): Promise<unknown> {
  const text = `import { searchSessions } from ${JSON.stringify(engine)};\n${script}`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", text]);
  return JSON.parse(stdout);
}

/** Counts the workers that were started, before anything starts one. */
const COUNT = `
  import workers from "node:worker_threads";
  import { syncBuiltinESMExports } from "node:module";
  let started = 0;
  const { Worker } = workers;
  workers.Worker = class extends Worker { constructor(...args) { super(...args); started += 1; } };
  syncBuiltinESMExports();`;

describe("a search in workers", () => {
  test("gives the hits of all files, newest first, however the files are shared", async () => {
    const folder = temporaryFolder();
    const expected: string[] = [];
    const padding = "x".repeat(1 << 20);
    for (let n = 0; n < 6; n++) {
      const lines = Array.from({ length: 7 }, (_, at) => line(`${n}-${at}`, null, at === n ? "a fox" : padding));
      // One file is larger than the window.
      if (n === 2) for (let more = 0; more < 12; more++) lines.push(line(`more-${more}`, null, padding));
      writeLines(folder, [HEADER, ...lines], { name: `${n}.jsonl`, modified: 9000 - n });
      expected.push(`${n}-${n}`);
    }
    const printed = await run(`${COUNT}
      const found = [];
      let last;
      const options = { dir: ${JSON.stringify(folder)}, onProgress: (progress) => { last = progress; } };
      for await (const hit of searchSessions("re:fo+x", options)) found.push(hit.entryId);
      console.log(JSON.stringify({ found, done: last.bytesDone === last.bytesTotal && last.filesDone, workers: started > 0 }));`);
    expect(printed).toEqual({ found: expected, done: 6, workers: true });
  });

  test("runs patterns outside of the caller's thread, so that one which takes forever can be stopped", async () => {
    const folder = temporaryFolder();
    writeLines(folder, [HEADER, line("a", null, `${"a".repeat(60)}b`)]);
    const printed = await run(`${COUNT}
      const controller = new AbortController();
      let turns = 0;
      const timer = setInterval(() => { turns += 1; if (turns === 20) controller.abort(); }, 10);
      let code;
      try {
        for await (const _hit of searchSessions("re:(a+)+$", { dir: ${JSON.stringify(folder)}, signal: controller.signal }));
      } catch (error) { code = error.code; }
      clearInterval(timer);
      console.log(JSON.stringify({ code, free: turns >= 20, workers: started > 0 }));`);
    expect(printed).toEqual({ code: "aborted", free: true, workers: true });
  });

  test("leaves no worker behind when the caller stops", async () => {
    const folder = temporaryFolder();
    for (let n = 0; n < 4; n++) writeLines(folder, [HEADER, line(`e${n}`, null, "fox")], { name: `${n}.jsonl` });
    const printed = await run(`${COUNT}
      const found = [];
      for await (const hit of searchSessions("re:fo+x", { dir: ${JSON.stringify(folder)} })) { found.push(hit.excerpt); break; }
      console.log(JSON.stringify({ found, workers: started > 0 }));`);
    expect(printed).toEqual({ found: ["fox"], workers: true });
  });

  test("is done in this thread where no worker can be started", async () => {
    const folder = temporaryFolder();
    writeLines(folder, [HEADER, line("a", null, "fox")]);
    const printed = await run(`
      import workers from "node:worker_threads";
      import { syncBuiltinESMExports } from "node:module";
      const { Worker } = workers;
      workers.Worker = class extends Worker { constructor() { super("throw new Error('no workers today')", { eval: true }); } };
      syncBuiltinESMExports();
      const found = [];
      for await (const hit of searchSessions("re:fo+x", { dir: ${JSON.stringify(folder)} })) found.push(hit.entryId);
      console.log(JSON.stringify(found));`);
    expect(printed).toEqual(["a"]);
  });
});
