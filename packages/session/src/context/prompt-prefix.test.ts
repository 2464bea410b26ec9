import { describe, expect, test } from "vitest";
import { assertPromptPrefix, promptPrefix } from "./index.js";

const HEAD = { model: "m", system: "Be brief.", tools: [{ name: "read" }] };
const user = (text: string, mark = {}) => ({ role: "user", content: [{ type: "text", text, ...mark }] });
const answer = (text: string) => ({ role: "assistant", content: [{ type: "text", text }] });
const MARK = { cache_control: { type: "ephemeral" } };

describe("a request starts with the prompt of another", () => {
  test("if only marks for the cache and limits differ, and messages of one side were put together", () => {
    const before = { ...HEAD, max_tokens: 10, messages: [user("a", MARK)] };
    const after = {
      ...HEAD,
      max_tokens: 20,
      tools: [{ name: "read", ...MARK }],
      messages: [{ role: "user", content: [...user("a").content, ...user("b", MARK).content] }, answer("c")],
    };
    expect(promptPrefix(before, after)).toEqual({ ok: true, shared: 1, added: 2 });
    expect(() => assertPromptPrefix(JSON.stringify(before), JSON.stringify(after))).not.toThrow();
  });

  test.each([
    ["tools", { tools: [{ name: "write" }] }],
    ["system", { system: "Be long." }],
    ["thinking", { thinking: { type: "disabled" } }],
    ["model", { model: "other" }],
  ])("not if %s differ", (field, change) => {
    const messages = [user("a")];
    expect(promptPrefix({ ...HEAD, messages }, { ...HEAD, messages, ...change })).toMatchObject({
      ok: false,
      at: field,
    });
  });

  test("not if a block was changed or is gone, and the message shows where", () => {
    const before = { ...HEAD, messages: [user("a"), answer("b"), user(`${"long ".repeat(50)}c`)] };
    const changed = { ...HEAD, messages: [user("a"), answer("b"), user(`${"long ".repeat(50)}d`), answer("e")] };
    expect(promptPrefix(before, changed)).toMatchObject({ ok: false, at: 2 });
    expect(() => assertPromptPrefix(before, changed)).toThrow(/block 3 of the conversation[\s\S]*long c[\s\S]*long d/);
    expect(promptPrefix(before, { ...HEAD, messages: [user("a"), answer("b")] })).toMatchObject({
      at: 2,
      after: undefined,
    });
  });

  test.each([
    ["input", [{ role: "user", content: [{ type: "input_text", text: "a" }] }], [{ type: "reasoning", id: "r" }]],
    ["messages", [{ role: "user", content: "a" }], [{ role: "assistant", content: null, tool_calls: [] }]],
    ["contents", [{ role: "user", parts: [{ text: "a" }] }], [{ role: "model", parts: [{ text: "b" }] }]],
    ["messages", [{ role: "user", content: [{ text: "a" }, { cachePoint: { type: "default" } }] }], [answer("b")]],
  ])("in the words of each protocol: %s", (field, first, more) => {
    const [before, after] = [{ [field]: first }, { [field]: [...first, ...more] }];
    expect(promptPrefix(before, after)).toEqual({ ok: true, shared: 1, added: 1 });
    expect(promptPrefix(after, before).ok).toBe(false);
  });

  test("what is not a request is refused", () => {
    expect(() => promptPrefix("[]", {})).toThrow("A request body has to be a JSON object");
  });
});
