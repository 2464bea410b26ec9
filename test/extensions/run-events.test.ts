import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { lines, says, tool } from "@bough/agent/agent/agent-harness.test-support.js";
import { createModelRegistry } from "@bough/agent/agent/index.js";
import { scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import type { AgentMessage, ExtensionApi, ExtensionEventName } from "@bough/agent/extension/index.js";
import { DEFAULT_SETTINGS } from "@bough/agent/project/index.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { embedded } from "./embedded-agent.js";

const LOOK = tool({
  name: "look",
  execute: (input, { onUpdate }) => {
    onUpdate({ text: "half" });
    return says(JSON.stringify(input));
  },
});

describe("the events of a run", () => {
  test("include the question whether the cache of its last request is kept warm; the last answer counts", async () => {
    const heard: string[] = [];
    const answers =
      (...given: readonly ("warm" | "stop" | undefined)[]) =>
      (bough: ExtensionApi) => {
        let at = 0;
        bough.on("cache_warming_decision", ({ action, warmCost, missCost }) => {
          const answer = given[at++];
          heard.push(`${action} ${warmCost} ${missCost}: ${answer}`);
          return answer === undefined ? undefined : { action: answer };
        });
      };
    const model = scriptedModel(["hi", "again"]);
    const { agent, session, problems } = await embedded({
      model: { ...model, info: { ...model.info, cacheSeconds: 300 } },
      extensions: [answers("stop", "warm"), answers("warm", "stop")],
      settings: { ...DEFAULT_SETTINGS, cacheWarming: "idle" },
      // The cache is always about to expire.
      sleep: async () => {},
    });
    await agent.prompt("go");
    await expect.poll(() => heard.length).toBe(4);
    expect(heard).toEqual(["stop 0 0: stop", "stop 0 0: warm", "stop 0 0: warm", "stop 0 0: stop"]);
    expect(session.getEntries().flatMap((entry) => (entry.type === "usage" ? entry.kind : []))).toEqual(["cache_warm"]);
    expect(problems).toEqual([]);
    await agent.dispose();
  });

  test("come in order, with the fields pi has", async () => {
    const heard: Record<string, unknown>[] = [];
    const names = [
      ...(["input", "before_agent_start", "agent_start", "turn_start", "context", "message_start"] as const),
      ...(["message_update", "message_end", "tool_call", "tool_execution_start", "tool_execution_update"] as const),
      ...(["tool_result", "tool_execution_end", "turn_end", "agent_end", "agent_settled"] as const),
    ];
    const listen = (bough: ExtensionApi) => {
      for (const name of names) bough.on(name, (event) => void heard.push(event as never));
    };
    const model = scriptedModel([{ calls: [{ id: "c1", name: "look", arguments: { at: 1 } }] }, "done"]);
    const { agent, problems } = await embedded({ model, tools: [LOOK], extensions: [listen] });
    await agent.prompt("go");
    const roles = heard.map(({ type, message }) => {
      const role = (message as AgentMessage | undefined)?.role;
      return role === undefined ? type : `${type} ${role}`;
    });
    expect(roles).toEqual([
      "input",
      "before_agent_start",
      "agent_start",
      ...["message_start user", "message_end user"],
      ...["turn_start", "context", "message_start assistant", "message_update assistant", "message_update assistant"],
      ...["message_end assistant", "tool_execution_start", "tool_call", "tool_execution_update"],
      ...["tool_result", "tool_execution_end", "message_start toolResult", "message_end toolResult"],
      "turn_end assistant",
      ...["turn_start", "context", "message_start assistant", "message_update assistant", "message_update assistant"],
      ...["message_end assistant", "turn_end assistant", "agent_end", "agent_settled"],
    ]);
    const of = (type: ExtensionEventName) => heard.filter((event) => event.type === type);
    expect(of("turn_start")).toEqual([
      { type: "turn_start", turn: 1, turnIndex: 0, timestamp: expect.any(Number) },
      { type: "turn_start", turn: 2, turnIndex: 1, timestamp: expect.any(Number) },
    ]);
    expect(of("turn_end")[0]).toMatchObject({ turnIndex: 0, toolResults: [{ role: "toolResult", toolCallId: "c1" }] });
    expect(of("message_update").at(-1)).toMatchObject({
      message: { role: "assistant", content: [{ type: "text", text: "done" }] },
      assistantMessageEvent: { type: "text_delta", contentIndex: 0, delta: "ne" },
    });
    const call = { toolCallId: "c1", toolName: "look" };
    expect(of("tool_execution_start")[0]).toMatchObject({ ...call, args: { at: 1 } });
    const partialResult = { content: [{ type: "text", text: "half" }] };
    expect(of("tool_execution_update")[0]).toMatchObject({ ...call, args: { at: 1 }, partialResult });
    const result = { content: [{ type: "text", text: '{"at":1}' }] };
    expect(of("tool_result")[0]).toMatchObject({ ...call, ...result, isError: false, result });
    expect(of("tool_execution_end")[0]).toMatchObject({ ...call, result, isError: false });
    const ended = of("agent_end")[0]?.messages as readonly AgentMessage[];
    expect(ended.map(({ role }) => role)).toEqual(["user", "assistant", "toolResult", "assistant"]);
    expect(problems).toEqual([]);
  });

  test("a run that a queued text continues settles once, at its end", async () => {
    const settled: number[] = [];
    const model = scriptedModel(["one", "two"]);
    const watch = (bough: ExtensionApi) => {
      bough.on("agent_settled", () => void settled.push(model.requests.length));
    };
    const { agent } = await embedded({ model, extensions: [watch] });
    agent.subscribe((event) => {
      if (event.type === "message_update" && model.requests.length === 1 && agent.queued.followUp.length === 0)
        agent.followUp("more");
    });
    await agent.prompt("go");
    await agent.whenIdle();
    expect(settled).toEqual([2]);
  });

  test("a text that an extension sends is a run that settles too", async () => {
    const model = scriptedModel(["one", "two"]);
    let settle = () => {};
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    let told = 0;
    const watch = (bough: ExtensionApi) => {
      bough.on("agent_settled", () => {
        told += 1;
        if (told === 1) bough.sendUserMessage("again");
        else settle();
      });
    };
    const { agent } = await embedded({ model, extensions: [watch] });
    await agent.prompt("go");
    await settled;
    expect([told, model.requests.length]).toEqual([2, 2]);
  });
});

describe("input", () => {
  const prompt = async (...extensions: ((bough: ExtensionApi) => void)[]) => {
    const { agent, session } = await embedded({ model: scriptedModel(["ok"]), extensions });
    const outcome = await agent.prompt("typed", { source: "rpc" });
    return { outcome, said: lines(session).filter((line) => line.startsWith("user")) };
  };

  test("is changed and passed on, in pi's form and in ours", async () => {
    const seen: unknown[] = [];
    const first = (bough: ExtensionApi) =>
      bough.on("input", ({ text, source }) => {
        seen.push([text, source]);
        return { action: "transform", text: `${text} once` };
      });
    const second = (bough: ExtensionApi) => bough.on("input", ({ text }) => ({ text: `${text} twice` }));
    const third = (bough: ExtensionApi) => bough.on("input", () => ({ action: "continue", text: "ignored" }));
    const { said } = await prompt(first, second, third);
    expect([said, seen]).toEqual([["user: typed once twice"], [["typed", "rpc"]]]);
  });

  test("is taken by an extension", async () => {
    const { outcome, said } = await prompt((bough) => void bough.on("input", () => ({ action: "handled" })));
    expect([outcome, said]).toEqual([{ kind: "cancelled", by: "ext1" }, []]);
  });
});

describe("before_agent_start", () => {
  test("changes the system prompt for one run, in a chain, and adds messages after the prompt", async () => {
    const seen: string[] = [];
    const model = scriptedModel(["one", "two"]);
    let isOn = true;
    const first = (bough: ExtensionApi) =>
      bough.on("before_agent_start", ({ prompt, systemPrompt }) => {
        if (!isOn) return undefined;
        const message = { customType: "note", content: `about ${prompt}`, display: true };
        return { systemPrompt: `${systemPrompt}\nSpeak like a pirate.`, message };
      });
    const second = (bough: ExtensionApi) =>
      bough.on("before_agent_start", ({ systemPrompt }) => {
        seen.push(systemPrompt);
        return isOn ? { systemPrompt: `${systemPrompt}\nBe short.` } : undefined;
      });
    const { agent, session } = await embedded({ model, extensions: [first, second] });
    await agent.prompt("ships");
    isOn = false;
    await agent.prompt("more");
    expect(model.requests[0]?.system).toBe(`${model.requests[1]?.system}\nSpeak like a pirate.\nBe short.`);
    expect(seen).toEqual([`${agent.systemPrompt}\nSpeak like a pirate.`, agent.systemPrompt]);
    expect(lines(session).slice(1, 4)).toEqual(["user: ships", "custom: about ships", "assistant(stop): one"]);
    expect(JSON.stringify(model.requests[0]?.messages)).toContain("about ships");
  });

  test("options changed in place are in the prompt, and seen by the next extension", async () => {
    const model = scriptedModel(["one"]);
    const first = (bough: ExtensionApi) =>
      bough.on("before_agent_start", ({ systemPromptOptions }) => {
        systemPromptOptions.promptGuidelines.push("Never guess.");
        systemPromptOptions.appendSystemPrompt = "The end.";
      });
    let seen = "";
    const second = (bough: ExtensionApi) =>
      bough.on("before_agent_start", ({ systemPrompt }) => {
        seen = systemPrompt;
      });
    const { agent } = await embedded({ model, extensions: [first, second] });
    await agent.prompt("go");
    expect(model.requests[0]?.system).toMatch(/- Never guess\.[\s\S]*\n\nThe end\.$/);
    expect(seen).toBe(model.requests[0]?.system);
  });
});

test("context: messages are changed for one request; the session keeps its own", async () => {
  const model = scriptedModel(["one"]);
  const change = (bough: ExtensionApi) =>
    bough.on("context", ({ messages }) => {
      const extra: AgentMessage = { role: "user", content: "only now", timestamp: 1 };
      return { messages: [...messages, extra] };
    });
  const seen: number[] = [];
  const count = (bough: ExtensionApi) => bough.on("context", ({ messages }) => void seen.push(messages.length));
  const { agent, session } = await embedded({ model, extensions: [change, count] });
  await agent.prompt("go");
  expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual(["user", "user"]);
  expect(seen).toEqual([2]);
  expect(session.buildSessionContext().messages).toHaveLength(2);
});

describe("message_end", () => {
  test("replaces a message before it is stored", async () => {
    const mask = (bough: ExtensionApi) =>
      bough.on("message_end", ({ message }) => {
        if (message.role !== "assistant") return undefined;
        return { message: { ...message, content: [{ type: "text", text: "masked" }] } };
      });
    const { agent, session } = await embedded({ model: scriptedModel(["secret"]), extensions: [mask] });
    const outcome = await agent.prompt("go");
    expect(lines(session).at(-1)).toBe("assistant(stop): masked");
    expect(outcome).toMatchObject({ kind: "done", message: { content: [{ text: "masked" }] } });
  });

  test("another role is refused, by name", async () => {
    const wrong = (bough: ExtensionApi) =>
      bough.on("message_end", ({ message }) =>
        message.role === "assistant" ? { message: { role: "user", content: "x", timestamp: 1 } } : undefined,
      );
    const { agent, session } = await embedded({ model: scriptedModel(["fine"]), extensions: [wrong] });
    const told: unknown[] = [];
    agent.subscribe((event) => event.type === "extension_problem" && told.push([event.extension, event.message]));
    await agent.prompt("go");
    expect(lines(session).at(-1)).toBe("assistant(stop): fine");
    expect(told).toEqual([["ext1", "it returned a message with another role (user), which is not used"]]);
  });
});

describe("tool_call and tool_result", () => {
  const call = { calls: [{ id: "c1", name: "look", arguments: { at: 1 } }] };

  test("input is changed in place, and the next extension sees it", async () => {
    const first = (bough: ExtensionApi) =>
      bough.on("tool_call", ({ input }) => {
        input.at = 2;
      });
    const seen: unknown[] = [];
    const second = (bough: ExtensionApi) => bough.on("tool_call", ({ input }) => void seen.push({ ...input }));
    const made = await embedded({ model: scriptedModel([call, "ok"]), tools: [LOOK], extensions: [first, second] });
    await made.agent.prompt("go");
    expect(lines(made.session)).toContain('result#c1: {"at":2}');
    expect(seen).toEqual([{ at: 2 }]);
    // What the model sent is not rewritten.
    expect(JSON.stringify(made.session.getBranch())).toContain('"arguments":{"at":1}');
  });

  test("results are changed one after the other", async () => {
    const add = (word: string) => (bough: ExtensionApi) =>
      bough.on("tool_result", ({ content }) => ({ content: [...content, { type: "text", text: word }] }));
    const made = await embedded({
      model: scriptedModel([call, "ok"]),
      tools: [LOOK],
      extensions: [add("first"), add("second")],
    });
    await made.agent.prompt("go");
    const result = made.session.getBranch().find((entry) => JSON.stringify(entry).includes('"toolResult"'));
    expect(result).toMatchObject({ message: { content: [{}, { text: "first" }, { text: "second" }] } });
  });

  test("a blocked call with terminate ends the run", async () => {
    const block = (bough: ExtensionApi) =>
      bough.on("tool_call", () => ({ block: true, reason: "not today", terminate: true }));
    const model = scriptedModel([call, "never asked"]);
    const made = await embedded({ model, tools: [LOOK], extensions: [block] });
    await made.agent.prompt("go");
    expect(lines(made.session).at(-1)).toBe("result#c1!: not today");
    expect(model.requests).toHaveLength(1);
  });
});

describe("requests to a provider", () => {
  test("are shown with body and headers, which may be changed; the response is told", async () => {
    const bodies: Record<string, unknown>[] = [];
    const headers: (string | undefined)[] = [];
    const server = createServer(async (request, response) => {
      let text = "";
      for await (const chunk of request) text += chunk;
      bodies.push(JSON.parse(text) as Record<string, unknown>);
      headers.push(request.headers["x-trace"]?.toString());
      response.writeHead(200, { "content-type": "text/event-stream", "x-served-by": "loopback" });
      const choice = { index: 0, delta: { content: "hello" }, finish_reason: "stop" };
      response.end(
        `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", choices: [choice] })}\n\ndata: [DONE]\n\n`,
      );
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const { port } = server.address() as AddressInfo;
    const responses: unknown[] = [];
    const streamed: unknown[] = [];
    const change = (bough: ExtensionApi) => {
      bough.registerProvider("loopback", {
        baseUrl: `http://127.0.0.1:${port}/v1`,
        apiKey: "none",
        api: "openai-completions",
        models: [{ id: "echo", name: "Echo", contextWindow: 1000, maxTokens: 100 }],
      });
      bough.on("before_provider_request", ({ payload }) => ({ ...(payload as object), seed: 7 }));
      bough.on("before_provider_headers", ({ headers: sent }) => {
        sent["x-trace"] = "abc";
      });
      bough.on(
        "after_provider_response",
        ({ status, headers: got }) => void responses.push([status, got["x-served-by"]]),
      );
      bough.on("provider_stream_event", ({ provider, api, model, data }) => {
        streamed.push([provider, api, model, data]);
      });
    };
    try {
      const registry = createModelRegistry({ home: tempFolder(), env: {} });
      const { agent } = await embedded({ registry, model: scriptedModel([]), extensions: [change] });
      agent.setModel(registry.resolve("loopback/echo"));
      expect(await agent.prompt("go")).toMatchObject({ kind: "done", message: { content: [{ text: "hello" }] } });
    } finally {
      server.close();
    }
    expect(bodies).toMatchObject([{ model: "echo", seed: 7 }]);
    expect(headers).toEqual(["abc"]);
    expect(responses).toEqual([[200, "loopback"]]);
    expect(streamed).toEqual([["loopback", "openai-completions", "echo", expect.objectContaining({ id: "1" })]]);
  });
});
