import { expect, it } from "vitest";
import type { SessionContext } from "./index.js";
import { assertSameContext } from "./same-context.test-support.js";
import { answer, user } from "./tree-notation.test-support.js";

const context: SessionContext = {
  messages: [user("a"), answer("b")],
  thinkingLevel: "off",
  model: { provider: "p", modelId: "m" },
  mode: "none",
  injectedRules: ["x"],
};

it("accepts equal contexts", () => {
  expect(() => assertSameContext(context, structuredClone(context))).not.toThrow();
});

it.each<[string, Partial<SessionContext>]>([
  ['$.thinkingLevel: "off" is not "high"', { thinkingLevel: "high" }],
  ['$.messages[1].content[0].text: "b" is not "c"', { messages: [user("a"), answer("c")], mode: "plan" }],
  ['$.messages[0].content: "a" is not [1]', { messages: [{ ...user("a"), content: [1] } as never] }],
  ['$.model: {"provider":"p","modelId":"m"} is not null', { model: null }],
  ['keys of $.model: "provider,modelId" is not "modelId,provider"', { model: { modelId: "m", provider: "p" } }],
  ['$.injectedRules[1]: undefined is not "y"', { injectedRules: ["x", "y"] }],
  ["$.modeData: undefined is not 1", { modeData: 1 }],
])("names the first difference: %s", (difference, change) => {
  expect(() => assertSameContext(context, { ...context, ...change })).toThrow(
    new Error(`contexts differ at ${difference}`),
  );
});
