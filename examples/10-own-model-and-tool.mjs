// A model and a tool of your own, and a function that sees every call before it runs.
// Prints what was asked, and the answer: the second call is refused.
import { createAgentSession, defineTool, textResult } from "bough/agent";
import { SessionManager } from "bough/session";
import { z } from "zod";

const add = defineTool({
  name: "add",
  description: "Adds two numbers.",
  input: z.object({ a: z.number(), b: z.number() }),
  readOnly: true,
  run: async ({ a, b }) => textResult(String(a + b), { a, b }),
});

// Calls `add` with the numbers of the prompt, and then says the result.
const info = {
  ...{ provider: "example", id: "adder", name: "Adder", api: "offline", prices: undefined },
  ...{ contextWindow: 10_000, maxOutput: 1000, reasoning: false, images: false },
};
const model = {
  info,
  async *stream({ messages }, { now }) {
    const last = messages.at(-1);
    const [a, b] = (String(last.content).match(/\d+/g) ?? []).map(Number);
    const content =
      last.role === "toolResult"
        ? [{ type: "text", text: last.content[0].text }]
        : [{ type: "toolCall", id: `call-${messages.length}`, name: "add", arguments: { a, b } }];
    const stopReason = last.role === "toolResult" ? "stop" : "toolUse";
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const message = { role: "assistant", content, stopReason, usage, timestamp: now() };
    yield { type: "end", message: { ...message, api: info.api, provider: info.provider, model: info.id } };
  },
};

const agent = await createAgentSession({
  ...{ session: SessionManager.inMemory(), model, tools: [add] },
  allowTool: ({ tool, input }) => {
    console.log("asked:", tool, input.a, input.b);
    return input.a < 100 ? true : { allowed: false, reason: "That is too much." };
  },
});
for (const text of ["19 and 23", "100 and 1"]) console.log((await agent.prompt(text)).message.content[0].text);
await agent.dispose();
