/** Whole runs over real HTTP, in the words of each provider: what single rooms promise has to hold for all of them together. */

import { INTERRUPTED_RESULT } from "@bough/session/context/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openModel } from "../../model/index.js";
import { infoOf, PROTOCOLS, says as spoken } from "../../model/wire-protocols.test-support.js";
import { type WireServer, wireServer } from "../../model/wire-server.test-support.js";
import { endless, harness, lines, says, tool } from "../agent-harness.test-support.js";
import { runAndKill } from "./killed-turn.test-support.js";

/** Calls and results of a request in the order in which they are sent, as `call:id` and `result:id`. */
function pairs(body: unknown): string[] {
  const found: string[] = [];
  const waiting: unknown[] = [body];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== "object" || value === null) continue;
    const block = value as Readonly<Record<string, unknown>>;
    if (block.type === "tool_use") found.push(`call:${block.id}`);
    else if (block.type === "tool_result") found.push(`result:${block.tool_use_id}`);
    else if (block.type === "function_call") found.push(`call:${block.call_id}`);
    else if (block.type === "function_call_output") found.push(`result:${block.call_id}`);
    else if (block.type === "function" && typeof block.id === "string") found.push(`call:${block.id}`);
    else if (block.role === "tool") found.push(`result:${block.tool_call_id}`);
    else if ("functionCall" in block) found.push(`call:${idOf(block.functionCall)}`);
    else if ("functionResponse" in block) found.push(`result:${idOf(block.functionResponse)}`);
    else waiting.push(...Object.values(block).reverse());
  }
  return found;
}

/** Google may leave ids out and goes by the name then. */
function idOf(value: unknown): string {
  const { id, name } = value as { readonly id?: string; readonly name: string };
  return id ?? `call-${name}`;
}

describe.each(PROTOCOLS)("an agent on $api", (protocol) => {
  let server: WireServer;
  beforeEach(async () => {
    server = await wireServer();
  });
  afterEach(() => server.close());
  const model = () => openModel({ info: infoOf(protocol, server.origin), apiKey: () => "key" });

  test.each([
    [3, 3],
    [4, 2],
    [6, 0],
  ])(
    "continues a turn that was killed after %i entries: every call has a result, %i of them interrupted",
    async (entries, open) => {
      const session = SessionManager.open(runAndKill(entries));
      const { agent } = harness({ model: model(), session });
      server.reply(spoken(protocol, { parts: [{ text: "Going on" }], stop: "stop" }));
      expect(await agent.prompt("go on")).toMatchObject({ kind: "done" });
      const { body } = server.requests[0] as { readonly body: unknown };
      const ids = ["call-a", "call-b", "call-c"];
      expect(pairs(body)).toEqual([...ids.map((id) => `call:${id}`), ...ids.map((id) => `result:${id}`)]);
      expect(JSON.stringify(body).split(INTERRUPTED_RESULT)).toHaveLength(open + 1);
      await agent.dispose();
    },
  );

  test("runs tools side by side, sends their results with what belongs to the provider, and after a restart the same", async () => {
    const made = harness({
      model: model(),
      tools: ["a", "b"].map((name) => tool({ name, execute: () => says(name) })),
    });
    server.reply(
      spoken(protocol, {
        parts: [
          { thinking: "I look at both.", signature: "SIGNED" },
          { call: "call-a", name: "a", input: "{}" },
          { call: "call-b", name: "b", input: "{}" },
        ],
        stop: "toolUse",
      }),
      spoken(protocol, { parts: [{ text: "Seen" }], stop: "stop" }),
      spoken(protocol, { parts: [{ text: "Again" }], stop: "stop" }),
    );
    expect(await made.agent.prompt("look")).toMatchObject({ kind: "done" });
    const second = server.requests[1]?.body;
    expect(pairs(second)).toEqual(["call:call-a", "call:call-b", "result:call-a", "result:call-b"]);
    const signs = protocol.api !== "openai-completions";
    expect(JSON.stringify(second).includes("SIGNED")).toBe(signs);
    const file = made.session.getSessionFile() as string;
    await made.agent.dispose();

    const { agent } = harness({ ...made.options, model: model(), session: SessionManager.open(file) });
    expect(await agent.prompt("go on")).toMatchObject({ kind: "done" });
    const third = server.requests[2]?.body;
    expect([pairs(third), JSON.stringify(third).includes("SIGNED")]).toEqual([pairs(second), signs]);
    await agent.dispose();
  });

  test("asks again after an overload, with the same request, and only the answer is in the conversation", async () => {
    const { agent, session, sleeps } = harness({ model: model() });
    server.reply(
      { status: 503, body: protocol.failure(503, "Overloaded", "overloaded_error") },
      spoken(protocol, { parts: [{ text: "Now" }], stop: "stop" }),
    );
    expect(await agent.prompt("hello")).toMatchObject({ kind: "done" });
    expect([lines(session), sleeps.length]).toEqual([["model_change", "user: hello", "assistant(stop): Now"], 1]);
    expect(server.requests[1]?.body).toEqual(server.requests[0]?.body);
    await agent.dispose();
  });

  test("stopped in the middle of its tools leaves a session that the next request can be made of", async () => {
    const hanging = endless("b");
    const { agent } = harness({ model: model(), tools: [tool({ name: "a", execute: () => says("a") }), hanging] });
    const calls = ["a", "b"].map((name) => ({ call: `call-${name}`, name, input: "{}" }));
    server.reply(
      spoken(protocol, { parts: calls, stop: "toolUse" }),
      spoken(protocol, { parts: [{ text: "Fine" }], stop: "stop" }),
    );
    const run = agent.prompt("look");
    await hanging.started;
    agent.abort();
    expect(await run).toEqual({ kind: "aborted" });
    expect(await agent.prompt("go on")).toMatchObject({ kind: "done" });
    expect(pairs(server.requests[1]?.body)).toEqual(["call:call-a", "call:call-b", "result:call-a", "result:call-b"]);
    await agent.dispose();
  });
});
