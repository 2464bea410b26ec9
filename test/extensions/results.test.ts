import { lines, says, tool } from "@bough/agent/agent/agent-harness.test-support.js";
import { scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { type ExtendedAgent, extendedAgent, script } from "./extended-agent.js";

const SECRET = "sk-live-0123456789";
const READS = tool({ name: "look", execute: () => ({ ...says(SECRET), details: { all: SECRET } }) });

/** One call of `look` or of a tool of the extensions. */
async function calling(name: string, ...sources: readonly string[]): Promise<ExtendedAgent> {
  const folder = tempFolder();
  const made = await extendedAgent({
    model: scriptedModel([{ calls: [{ id: "c1", name }] }, "done"]),
    tools: [READS],
    cwd: folder,
    timeoutMs: 5,
    extensions: sources.map((source, at) => script(folder, `part${at}.ts`, source)),
    permit: async () => ({ allowed: true }),
  });
  await made.agent.prompt("go");
  return made;
}

const resultOf = ({ session }: ExtendedAgent) => lines(session).find((line) => line.startsWith("result"));

describe("a handler of tool_result that fails", () => {
  const ADDS = `export default (bough) => bough.on("tool_result", ({ result }) => ({ content: [...result.content, { type: "text", text: "(seen)" }] }));`;

  test.each([
    ["throws", `() => { throw new Error("no luck"); }`, "no luck"],
    ["hangs", "() => new Promise(() => {})", "took longer than 5 ms and was abandoned"],
  ])("%s: the result is replaced by an error that names it", async (_name, handler, why) => {
    const made = await calling("look", `export default (bough) => bough.on("tool_result", ${handler});`, ADDS);
    expect(resultOf(made)).toBe(
      `result#c1!: Result withheld: the extension part0 failed while checking this result: ${why}`,
    );
    expect(made.problems).toEqual([
      { extension: "part0", event: "tool_result", message: `${why}; the result was withheld` },
    ]);
    expect(JSON.stringify(made.file())).not.toContain(SECRET);
    expect(JSON.stringify(made.events.filter(({ type }) => type === "tool_end"))).not.toContain(SECRET);
  });

  test("one that returns something else than content keeps nothing of the result either", async () => {
    const made = await calling("look", `export default (bough) => bough.on("tool_result", () => ({ content: 5 }));`);
    expect(resultOf(made)).toBe(
      "result#c1!: Result withheld: the extension part0 failed while checking this result: what it returned is not valid content",
    );
    expect(JSON.stringify(made.file())).not.toContain(SECRET);
  });

  test("a text in place of content is content, for the handlers after it as well", async () => {
    const made = await calling(
      "look",
      `export default (bough) => bough.on("tool_result", () => ({ content: "masked", details: null }));`,
      ADDS,
    );
    expect(resultOf(made)).toBe("result#c1: masked | (seen)");
    expect(JSON.stringify(made.file())).not.toContain(SECRET);
  });

  test("a call that was blocked keeps its reason", async () => {
    const made = await calling(
      "look",
      `export default (bough) => {
        bough.on("tool_call", () => ({ block: true, reason: "not today" }));
        bough.on("tool_result", () => { throw new Error("no luck"); });
      };`,
    );
    expect(resultOf(made)).toBe("result#c1!: not today");
  });
});

describe("what a tool of an extension returns", () => {
  const returning = (value: string, more = "") =>
    `export default (bough) => bough.registerTool({ name: "own", description: "x", parameters: { type: "object" }, ${more} execute: async () => (${value}) });`;
  const EXPECTED = 'Expected a string, or an object with content: [{ type: "text", text: "..." }].';

  test.each([
    ["a text", `"plain words"`, "plain words"],
    ["an object with a text", `({ content: "plain words", isError: true })`, "plain words"],
    ["blocks", `({ content: [{ type: "text", text: "a" }, { type: "text", text: "b" }] })`, "a | b"],
  ])("%s is content", async (_name, value, shown) => {
    const isError = value.includes("isError") ? "!" : "";
    expect(resultOf(await calling("own", returning(value)))).toBe(`result#c1${isError}: ${shown}`);
    const whole = "check: (input) => ({ ok: true, value: input }),";
    expect(resultOf(await calling("own", returning(value, whole)))).toBe(`result#c1${isError}: ${shown}`);
  });

  test.each([
    ["undefined", "nothing"],
    ["null", "nothing"],
    ["5", "a number"],
    ["[1]", "an array"],
    ["({ text: 'x' })", "an object without content"],
    ["({ content: [{ type: 'text' }] })", "an object whose content is not valid"],
    ["({ content: ['x'] })", "an object whose content is not valid"],
  ])("%s is an error that says what is wrong", async (value, what) => {
    const made = await calling("own", returning(value));
    expect(resultOf(made)).toBe(`result#c1!: own returned an invalid result: ${what}. ${EXPECTED}`);
  });
});
