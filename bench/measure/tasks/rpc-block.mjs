/**
 * Drives `bough --mode rpc` on a large session and asks after each request how long the program's event loop was
 * blocked.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));
const WATCH = new URL("../loop-watch.mjs", import.meta.url).href;

/** @param {{ path: string, exports: boolean, entries: number }} input */
export async function run({ path, exports, entries }) {
  const folder = mkdtempSync(join(tmpdir(), "bough-bench-"));
  const file = join(folder, "session.jsonl");
  copyFileSync(path, file);
  const env = { ...process.env, BOUGH_HOME: join(folder, "home") };
  const args = ["--import", WATCH, PROGRAM, "--mode", "rpc", "--model", "offline/rules"];
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["pipe", "pipe", "ignore", "ipc"] });
  const ended = once(child, "close");
  const waiting = new Map();
  createInterface({ input: /** @type {import("node:stream").Readable} */ (child.stdout) }).on("line", (text) => {
    const { id, result, error } = JSON.parse(text);
    waiting.get(id)?.(error === undefined ? result : { failed: error.code });
  });
  let count = 0;
  const request = (/** @type {string} */ method, /** @type {object} */ params = {}) =>
    new Promise((resolve) => {
      count += 1;
      waiting.set(count, resolve);
      child.stdin?.write(`${JSON.stringify({ id: count, method, params })}\n`);
    });
  const told = async (/** @type {string} */ request) => {
    child.send(request);
    const [told] = await once(child, "message");
    return told;
  };
  /** @type {Record<string, number>} */
  const extra = {};
  const measured = async (/** @type {string} */ method, /** @type {object} */ params = {}, name = method) => {
    await told("reset");
    const answer = await request(method, params);
    await sleep(5);
    const { longest, processor } = await told("read");
    extra[name] = longest;
    extra[`${name}: processor`] = processor;
    return answer;
  };
  const from = performance.now();
  try {
    await request("getState");
    await measured("openSession", { session: file });
    const { leafId } = await measured("getState");
    await measured("tree.children", { parentId: null });
    const { tips } = await measured("tree.tips", { limit: 2 });
    await measured("tree.path", { limit: 1000 });
    await measured("tree.path", { entryId: leafId, offset: Math.floor(entries / 2) }, "tree.path, from the middle");
    await measured("tree.entries", { offset: Math.floor(entries / 2) });
    await measured("getContext");
    await measured("getStats");
    await measured("getPins");
    await measured("compare", { a: tips[0].entry.id, b: leafId });
    await measured("search", { query: "the", scope: "session" });
    await measured("verify");
    await measured("label", { targetId: leafId, label: "here" });
    await measured("plan.compact");
    await measured("prompt", { text: "hello" });
    await measured("switchTo", { entryId: tips[0].entry.id });
    await measured("prompt", { text: "hello" }, "prompt, after the switch");
    const { total } = await request("tree.entries", { limit: 1 });
    await measured("switchTo", { entryId: leafId }, "switchTo, back");
    await measured("clone");
    const exported = async (/** @type {string} */ name, /** @type {object} */ params) => {
      const { bytes } = await measured(
        "exportSession",
        { ...params, file: join(folder, name) },
        `exportSession, ${name}`,
      );
      if (!(bytes > 1000)) throw new Error(`the export ${name} failed`);
    };
    if (exports) {
      await exported("JSONL", { format: "jsonl" });
      await exported("Markdown of all", { format: "markdown", scope: "all" });
      await exported("Markdown of the path", { format: "markdown" });
      await exported("HTML", { format: "html" });
    }
    return { ms: performance.now() - from, check: total >= entries ? "answered" : String(total), extra };
  } finally {
    child.stdin?.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}
