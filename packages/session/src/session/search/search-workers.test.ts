/** Workers run only from built files, so these tests drive the build from a separate process. */
import { execFile } from "node:child_process";
import { truncateSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { HEADER, line, temporaryFolder, writeLines } from "./search.test-support.js";

const engine = pathToFileURL(join(import.meta.dirname, "../../../../../dist/session/index.js")).href;

/** Runs a script with the built library and returns its output. It ends by itself only if nothing is left running. */
async function run(script: string): Promise<unknown> {
  const text = `import { searchSessions } from ${JSON.stringify(engine)};\n${script}`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", text]);
  return JSON.parse(stdout);
}

/** Counts the workers started; installed before anything starts one. */
const COUNT = `
  import workers from "node:worker_threads";
  import { syncBuiltinESMExports } from "node:module";
  let started = 0;
  const { Worker } = workers;
  workers.Worker = class extends Worker { constructor(...args) { super(...args); started += 1; } };
  syncBuiltinESMExports();`;

/** A file large enough that a search for words starts workers; a sparse file, so it takes no disk space. */
function writeLargeFile(folder: string): void {
  const path = writeLines(folder, [HEADER], { name: "large.jsonl" });
  truncateSync(path, 300 << 20);
  utimesSync(path, 1, 1);
}

describe("a search for words in workers and in this thread", () => {
  test.each([
    ["few files", 12],
    ["most files", 1],
  ])("gives the hits of all files in order where %s have some", async (_name, every) => {
    const folder = temporaryFolder();
    writeLargeFile(folder);
    const expected: string[] = [];
    for (let n = 0; n < 60; n++) {
      const has = n % every === 0;
      const hay = Array.from({ length: 3 }, (_, at) => line(`${n}-${at}`, null, "y".repeat(50_000)));
      const lines = [...hay, line(`${n}-a`, null, has ? "a Fox" : "a"), line(`${n}-b`, null, has ? "f\u006fx" : "b")];
      writeLines(folder, [HEADER, ...lines], { name: `${n}.jsonl`, modified: 9000 - n });
      if (has) expected.push(`${n}-a`, `${n}-b`);
    }
    const printed = await run(`${COUNT}
      const found = [];
      let last;
      let grows = true;
      const onProgress = (progress) => { grows &&= progress.bytesDone >= (last?.bytesDone ?? 0); last = progress; };
      for await (const hit of searchSessions("fox", { dir: ${JSON.stringify(folder)}, onProgress })) found.push(hit.entryId);
      const done = last.bytesDone === last.bytesTotal && last.filesDone;
      console.log(JSON.stringify({ found, grows, done, problems: last.problems, workers: started > 0 }));`);
    expect(printed).toEqual({ found: expected, grows: true, done: 61, problems: [], workers: true });
  });

  test("ends when it is stopped in the middle, with no worker and no descriptor left", async () => {
    const folder = temporaryFolder();
    writeLargeFile(folder);
    for (let n = 0; n < 40; n++) {
      writeLines(folder, [HEADER, line(`${n}`, null, `${"y".repeat(1 << 16)} fox`)], {
        name: `${n}.jsonl`,
        modified: 9000 - n,
      });
    }
    const printed = await run(`${COUNT}
      import { readdirSync, readlinkSync } from "node:fs";
      const open = () => readdirSync("/proc/self/fd").filter((fd) => {
        try { return readlinkSync("/proc/self/fd/" + fd).endsWith(".jsonl"); } catch { return false; }
      }).length;
      const ends = [];
      for (const stopAt of [1, 3, 20]) {
        const controller = new AbortController();
        let found = 0;
        try {
          for await (const _hit of searchSessions("fox", { dir: ${JSON.stringify(folder)}, signal: controller.signal })) {
            found += 1;
            if (found === stopAt) controller.abort();
          }
        } catch (error) { ends.push([found, error.code, process.platform === "linux" ? open() : 0]); }
      }
      console.log(JSON.stringify({ ends, workers: started >= 3 }));`);
    const ends = [1, 3, 20].map((found) => [found, "aborted", 0]);
    expect(printed).toEqual({ ends, workers: true });
  });
});

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
