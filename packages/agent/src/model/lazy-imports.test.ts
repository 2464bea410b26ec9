import { expect, test } from "vitest";
import { built, modulesLoadedBy } from "../../../../test/support/loaded-modules.js";

const STEP = `
const m = await import(${built("model/index.js")});
const registry = m.createModelRegistry({ home: "/nowhere", env: { ANTHROPIC_API_KEY: "k" }, fetch: () => Promise.reject(new Error("no network")) });
const model = registry.open(registry.resolve(NAME));
const request = { system: "", messages: [{ role: "user", content: "Hello", timestamp: 1 }], tools: [], thinkingLevel: "off" };
for await (const event of model.stream(request, { now: () => 0 }));
`;

test("start-up, the catalogue and the offline model import no provider", () => {
  const { packages } = modulesLoadedBy(STEP.replace("NAME", '"offline/rules"'));
  expect(packages.filter((name) => name !== "zod")).toEqual([]);
});

test("a step imports the package of its own provider and of no other", () => {
  const { packages } = modulesLoadedBy(STEP.replace("NAME", '"anthropic/claude-haiku-4-5"'));
  expect(packages).toContain("@ai-sdk/anthropic");
  expect(
    packages.filter((name) => ["ai", "@ai-sdk/openai", "@ai-sdk/google", "@ai-sdk/openai-compatible"].includes(name)),
  ).toEqual([]);
});
