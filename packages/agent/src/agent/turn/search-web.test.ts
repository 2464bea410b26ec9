/** Web search over the wire, in the words of each provider that searches on its own side. */
import { describe, expect, test } from "vitest";
import { afterTest } from "../../../../../test/support/after-test.js";
import { openModel } from "../../model/index.js";
import { infoOf, PROTOCOLS, type Protocol, says } from "../../model/wire-protocols.test-support.js";
import { wireServer } from "../../model/wire-server.test-support.js";
import { createPermissions, createTools } from "../../tool/index.js";
import { harness, lines } from "../agent-harness.test-support.js";

const URL_A = "https://nodejs.org/en/blog/release";
const URL_B = "https://endoflife.date/nodejs";

function frame(data: object): string {
  const { type } = data as { readonly type?: string };
  return `${type === undefined ? "" : `event: ${type}\n`}data: ${JSON.stringify(data)}\n\n`;
}

const anthropic = [
  {
    type: "message_start",
    message: {
      ...{ id: "msg_s", type: "message", role: "assistant", model: "m", content: [] },
      usage: { input_tokens: 50, output_tokens: 1 },
    },
  },
  {
    type: "content_block_start",
    index: 0,
    content_block: { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} },
  },
  { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"query":"node lts"}' } },
  { type: "content_block_stop", index: 0 },
  {
    type: "content_block_start",
    index: 1,
    content_block: {
      type: "web_search_tool_result",
      tool_use_id: "srvtoolu_1",
      content: [
        { type: "web_search_result", url: URL_A, title: "Node.js releases", encrypted_content: "Ek8", page_age: null },
        {
          type: "web_search_result",
          url: URL_B,
          title: "Node.js end of life",
          encrypted_content: "Ek9",
          page_age: "1 day",
        },
      ],
    },
  },
  { type: "content_block_stop", index: 1 },
  { type: "content_block_start", index: 2, content_block: { type: "text", text: "", citations: [] } },
  {
    type: "content_block_delta",
    index: 2,
    delta: {
      type: "citations_delta",
      citation: {
        ...{ type: "web_search_result_location", cited_text: "Node 24 is LTS", url: URL_A, title: "Node.js releases" },
        encrypted_index: "Eo8",
      },
    },
  },
  { type: "content_block_delta", index: 2, delta: { type: "text_delta", text: "Node 24 is the current LTS." } },
  { type: "content_block_stop", index: 2 },
  {
    type: "message_delta",
    delta: { stop_reason: "end_turn", stop_sequence: null },
    usage: { output_tokens: 20, server_tool_use: { web_search_requests: 1 } },
  },
  { type: "message_stop" },
];

const citations = [URL_A, URL_B].map((url, at) => ({
  ...{ type: "url_citation", start_index: 0, end_index: 10, url },
  title: ["Node.js releases", "Node.js end of life"][at],
}));
const openai = [
  { type: "response.created", response: { id: "resp_s", created_at: 1, model: "m" } },
  {
    type: "response.output_item.added",
    output_index: 0,
    item: { type: "web_search_call", id: "ws_1", status: "in_progress" },
  },
  { type: "response.web_search_call.searching", output_index: 0, item_id: "ws_1" },
  {
    type: "response.output_item.done",
    output_index: 0,
    item: { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "node lts" } },
  },
  {
    type: "response.output_item.added",
    output_index: 1,
    item: { type: "message", id: "msg_s", role: "assistant", status: "in_progress", content: [] },
  },
  {
    type: "response.output_text.delta",
    output_index: 1,
    item_id: "msg_s",
    content_index: 0,
    delta: "Node 24 is the current LTS.",
    logprobs: [],
  },
  ...citations.map((annotation, annotation_index) => ({
    ...{ type: "response.output_text.annotation.added", output_index: 1, item_id: "msg_s", content_index: 0 },
    annotation_index,
    annotation,
  })),
  {
    type: "response.output_item.done",
    output_index: 1,
    item: {
      ...{ type: "message", id: "msg_s", role: "assistant", status: "completed" },
      content: [{ type: "output_text", text: "Node 24 is the current LTS.", annotations: citations, logprobs: [] }],
    },
  },
  {
    type: "response.completed",
    response: {
      id: "resp_s",
      usage: {
        input_tokens: 50,
        output_tokens: 20,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens_details: { reasoning_tokens: 0 },
      },
    },
  },
];

const google = [
  {
    candidates: [
      {
        content: { role: "model", parts: [{ text: "Node 24 is the current LTS." }] },
        finishReason: "STOP",
        groundingMetadata: {
          webSearchQueries: ["node lts"],
          groundingChunks: [
            { web: { uri: URL_A, title: "Node.js releases" } },
            { web: { uri: URL_B, title: "Node.js end of life" } },
          ],
          groundingSupports: [{ segment: { endIndex: 10, text: "Node 24 is" }, groundingChunkIndices: [0, 1] }],
        },
      },
    ],
    usageMetadata: { promptTokenCount: 50, candidatesTokenCount: 20, totalTokenCount: 70 },
  },
];

const SEARCHES: Readonly<Record<string, { readonly frames: readonly object[]; readonly offered: object }>> = {
  "anthropic-messages": {
    frames: anthropic,
    offered: { type: "web_search_20250305", name: "web_search", max_uses: 5 },
  },
  "openai-responses": { frames: openai, offered: { type: "web_search" } },
  "google-generative-ai": { frames: google, offered: { googleSearch: {} } },
};

async function searching(protocol: Protocol, answer: "once" | "no" = "once") {
  const server = await wireServer();
  afterTest(() => server.close());
  const questions: string[] = [];
  const permissions = createPermissions({
    mode: "ask",
    cwd: process.cwd(),
    ask: async ({ tool, target }) => {
      questions.push(`${tool} ${target}`);
      return answer;
    },
  });
  const made = harness({
    model: openModel({ info: infoOf(protocol, server.origin), apiKey: () => "key" }),
    tools: createTools({ webSearch: true }).filter(({ name }) => name === "web_search" || name === "todo"),
    ...{ permit: permissions.permit, permissions, allowTool: permissions.allowTool },
  });
  afterTest(() => made.agent.dispose());
  const call = { call: "call-1", name: "web_search", input: '{"query":"current Node LTS"}' };
  return { ...made, server, questions, call };
}

const PROVIDERS = PROTOCOLS.filter(({ api }) => SEARCHES[api] !== undefined);

describe.each(PROVIDERS)("web_search on $api", (protocol) => {
  const { frames, offered } = SEARCHES[protocol.api] as (typeof SEARCHES)[string];

  test("asks, has the provider search, and returns what was found with its sources; the next request repeats it", async () => {
    const { agent, session, server, questions, call } = await searching(protocol);
    server.reply(
      says(protocol, { parts: [call], stop: "toolUse" }),
      { frames: frames.map(frame), after: "end" },
      says(protocol, { parts: [{ text: "24." }], stop: "stop" }),
      says(protocol, { parts: [{ text: "Yes." }], stop: "stop" }),
    );
    expect(await agent.prompt("which Node?")).toMatchObject({ kind: "done" });
    expect(questions).toEqual(['web_search {"query":"current Node LTS"}']);
    const bodies = server.requests.map(({ body }) => body as { readonly tools: readonly object[] });
    expect(bodies[1]?.tools).toEqual([offered]);
    expect(JSON.stringify(bodies[0]?.tools)).not.toContain(JSON.stringify(offered));
    expect(lines(session).filter((line) => /^(result|assistant|usage)/.test(line))).toEqual([
      "assistant(toolUse): +web_search#call-1",
      "usage",
      expect.stringContaining("Node 24 is the current LTS.\n\n"),
      "assistant(stop): 24.",
    ]);
    const result = session.getBranch().find((entry) => entry.type === "message" && entry.message.role === "toolResult");
    const { details } = (result as { message: { details: { sources: { url: string }[] } } }).message;
    expect(details).toMatchObject({ query: "current Node LTS", by: `${protocol.provider}/${protocol.model}` });
    expect(details.sources[0]).toEqual({ url: URL_A, title: "Node.js releases" });
    expect(agent.getStats().path.usage.output).toBeGreaterThan(20);
    await agent.prompt("sure?");
    const first = JSON.stringify(bodies[2]);
    const last = JSON.stringify(server.requests[3]?.body);
    expect(last).toContain("Node 24 is the current LTS.");
    const result1 = /Node 24 is the current LTS\.[^"]*/.exec(first)?.[0] ?? "missing";
    expect(last).toContain(result1);
  });

  test("sends nothing if it is refused, and says why if the search fails", async () => {
    const refused = await searching(protocol, "no");
    refused.server.reply(
      says(protocol, { parts: [refused.call], stop: "toolUse" }),
      says(protocol, { parts: [{ text: "Without." }], stop: "stop" }),
    );
    await refused.agent.prompt("which Node?");
    expect(refused.server.requests).toHaveLength(2);
    const failed = await searching(protocol);
    failed.server.reply(
      says(protocol, { parts: [failed.call], stop: "toolUse" }),
      { status: 400, body: protocol.failure(400, "search is not enabled", "invalid_request_error") },
      says(protocol, { parts: [{ text: "Without." }], stop: "stop" }),
    );
    await failed.agent.prompt("which Node?");
    expect(lines(failed.session).find((line) => line.startsWith("result"))).toMatch(
      /!: The search failed: .*search is not enabled/s,
    );
  });
});

test("a model whose provider cannot search is not offered the tool", async () => {
  const protocol = PROTOCOLS.find(({ api }) => api === "openai-completions") as Protocol;
  const { agent, server } = await searching(protocol);
  server.reply(says(protocol, { parts: [{ text: "Hello." }], stop: "stop" }));
  await agent.prompt("hi");
  expect(server.requests.map(({ body }) => body)).toMatchObject([{ tools: [{ function: { name: "todo" } }] }]);
});
