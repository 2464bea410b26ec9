import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const dist = join(dirname(fileURLToPath(import.meta.url)), "../../../dist");

/** Tells every module that is loaded, from the thread that loads them. */
const HOOKS = `
import { writeSync } from "node:fs";
export async function load(url, context, next) {
  writeSync(1, url + "\\n");
  return next(url, context);
}`;

/** Whether a script loads the readers of other agents, in a process of its own. */
function loadsReaders(script: string): boolean {
  const hooks = `data:text/javascript,${encodeURIComponent(HOOKS)}`;
  const start = `import { register } from "node:module"; register(${JSON.stringify(hooks)});`;
  const startUrl = `data:text/javascript,${encodeURIComponent(start)}`;
  const args = ["--no-warnings", "--import", startUrl, "--input-type=module", "-e", script];
  return execFileSync(process.execPath, args, { encoding: "utf8" }).includes("/dist/interop/");
}

function importing(...paths: readonly string[]): string {
  return paths.map((path) => `await import(${JSON.stringify(pathToFileURL(join(dist, path)).href)});`).join("\n");
}

test("no front end loads the readers of other agents when it starts", () => {
  const starts = ["cli/interactive/run-terminal.js", "cli/plain/run-plain.js", "cli/rpc/run-rpc.js"];
  expect(loadsReaders(importing(...starts))).toBe(false);
});

test("asking whose a file is loads them", () => {
  const door = `const door = ${importing("command/index.js")}`;
  const world = JSON.stringify({ cwd: "/", home: "/nowhere", sessionDir: "/nowhere" });
  const asking = `await door.matchForeign(${world}, ${JSON.stringify(fileURLToPath(import.meta.url))}).catch(() => {});`;
  expect(loadsReaders(door + asking)).toBe(true);
});
