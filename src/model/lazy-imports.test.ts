import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const door = pathToFileURL(join(dirname(fileURLToPath(import.meta.url)), "../../dist/model/index.js")).href;

/** Tells every module that is loaded, from the thread that loads them. */
const HOOKS = `
import { writeSync } from "node:fs";
export async function load(url, context, next) {
  writeSync(1, url + "\\n");
  return next(url, context);
}`;

/** The third-party packages a script loads, in a process of its own. */
function packagesLoadedBy(script: string): string[] {
  const hooks = `data:text/javascript,${encodeURIComponent(HOOKS)}`;
  const start = `import { register } from "node:module"; register(${JSON.stringify(hooks)});`;
  const output = execFileSync(
    process.execPath,
    [
      "--no-warnings",
      "--import",
      `data:text/javascript,${encodeURIComponent(start)}`,
      "--input-type=module",
      "-e",
      script,
    ],
    { encoding: "utf8" },
  );
  const names = [...output.matchAll(/node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\/(?!.*node_modules)/g)].map(
    (match) => match[1] as string,
  );
  return [...new Set(names)].sort();
}

const STEP = `
const m = await import(${JSON.stringify(door)});
const registry = m.createModelRegistry({ home: "/nowhere", env: { ANTHROPIC_API_KEY: "k" }, fetch: () => Promise.reject(new Error("no network")) });
const model = registry.open(registry.resolve(NAME));
const request = { system: "", messages: [{ role: "user", content: "Hello", timestamp: 1 }], tools: [], thinkingLevel: "off" };
for await (const event of model.stream(request, { now: () => 0 }));
`;

test("start-up, the catalogue and the offline model import no provider", () => {
  const loaded = packagesLoadedBy(STEP.replace("NAME", '"offline/rules"'));
  expect(loaded.filter((name) => name !== "zod")).toEqual([]);
});

test("a step imports the package of its own provider and of no other", () => {
  const loaded = packagesLoadedBy(STEP.replace("NAME", '"anthropic/claude-haiku-4-5"'));
  expect(loaded).toContain("@ai-sdk/anthropic");
  expect(
    loaded.filter((name) => ["ai", "@ai-sdk/openai", "@ai-sdk/google", "@ai-sdk/openai-compatible"].includes(name)),
  ).toEqual([]);
});
