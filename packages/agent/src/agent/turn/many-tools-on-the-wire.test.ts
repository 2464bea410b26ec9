/** Hundreds of tools of real servers, on the wire of each provider: what requests have, and that their start stays the same. */
import { assertPromptPrefix } from "@bough/session/context/index.js";
import type { ToolCallBlock } from "@bough/session/entry/index.js";
import { callsIn } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sampledStep } from "../../../../../test/support/sampled.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import type { McpServers } from "../../mcp/index.js";
import {
  manyTools,
  manyToolsOverHttp,
  oddServer,
  openServers,
  packagedServer,
} from "../../mcp/mcp-servers.test-support.js";
import { openModel } from "../../model/index.js";
import { estimateTextTokens } from "../../model/internal.js";
import { infoOf, PROTOCOLS, says } from "../../model/wire-protocols.test-support.js";
import { type WireServer, wireServer } from "../../model/wire-server.test-support.js";
import { createTools } from "../../tool/index.js";
import { harness } from "../agent-harness.test-support.js";

const MOST_TOKENS = 6_000;

describe.each(PROTOCOLS)("350 tools of two real servers on $api", (protocol) => {
  let server: WireServer;
  beforeEach(async () => {
    server = await wireServer();
  });
  afterEach(() => server.close());

  const model = () => openModel({ info: infoOf(protocol, server.origin), apiKey: () => "key" });
  const bodies = () => server.requests.map(({ body }) => body);
  const calls = (id: string, name: string, input: object) =>
    says(protocol, { parts: [{ call: id, name, input: JSON.stringify(input) }], stop: "toolUse" });
  const done = (text = "Done") => says(protocol, { parts: [{ text }], stop: "stop" });
  const agentOn = (cwd: string, servers: McpServers, session?: SessionManager) =>
    harness({ model: model(), cwd, servers, tools: createTools(), ...(session && { session }) });

  test("fit into 6,000 tokens, are found and called in two steps, and never change what was sent", {
    timeout: 60_000,
  }, async () => {
    const folder = tempFolder();
    const settings = { office: manyTools(336), files: packagedServer("filesystem", folder) };
    const { servers } = openServers(settings, { home: folder });
    const first = agentOn(folder, servers);
    server.reply(
      calls("search", "tool_search", { query: "archive newsletter" }),
      calls("call", "mcp_call", { server: "office", tool: "archive_newsletter", input: { id: "newsletter-3" } }),
      done(),
    );
    expect(await first.agent.prompt("archive the old newsletter")).toMatchObject({ kind: "done" });
    const tokens = estimateTextTokens(JSON.stringify(bodies()[0]));
    expect(tokens).toBeLessThanOrEqual(MOST_TOKENS);
    expect(JSON.stringify(bodies()[0])).toContain("Ask for IDs with list tools");
    expect(JSON.stringify(bodies()[1])).toContain("archive_newsletter");
    expect(JSON.stringify(bodies()[2])).toContain("archive_newsletter did its work");

    // A server that is away and comes back, and one that is found again by a new start.
    await servers.reconnect("office");
    server.reply(done("After a reconnect"));
    await first.agent.prompt("and now?");
    const file = first.session.getSessionFile() as string;
    await first.agent.dispose();
    const again = openServers({ ...settings, office: oddServer("hang") }, { home: folder, waitMs: 0 });
    const resumed = agentOn(folder, again.servers, SessionManager.open(file));
    server.reply(done("Resumed while the server hangs"));
    await resumed.agent.prompt("go on");

    // A branch from before the call, and a session of its own.
    const prompts = resumed.session.getBranch().filter(({ type }) => type === "message");
    await resumed.agent.branchInPlace(prompts[1]?.id as never);
    server.reply(done("Another branch"));
    await resumed.agent.prompt("differently");
    await resumed.agent.fork(resumed.session.getLeafId() as never, { position: "at" });
    server.reply(done("Forked"));
    await resumed.agent.prompt("in a fork");
    await resumed.agent.dispose();

    const [search, call, end, reconnected, afterwards, branch, forked] = bodies();
    for (const [before, after] of [
      [search, call],
      [call, end],
      [end, reconnected],
      [reconnected, afterwards],
      [search, branch],
      [branch, forked],
    ]) {
      assertPromptPrefix(before, after);
    }
    expect(server.requests).toHaveLength(7);
  });

  test("over HTTP too, with the real name of the tool in the session and in events", { timeout: 60_000 }, async () => {
    const folder = tempFolder();
    const { servers } = openServers({ office: await manyToolsOverHttp(350) }, { home: folder });
    const { agent, session, events } = agentOn(folder, servers);
    server.reply(
      calls("call", "mcp_call", { tool: "get_invoice", server: "office", input: { id: "invoice-1" } }),
      done(),
    );
    expect(await agent.prompt("show the invoice")).toMatchObject({ kind: "done" });
    const made = session.getEntries().flatMap((entry) => callsIn(entry)) as ToolCallBlock[];
    expect(made.map(({ name, arguments: input }) => [name, input])).toEqual([
      ["office__get_invoice", { id: "invoice-1" }],
    ]);
    const named = events.flatMap((event) => ("toolName" in event ? [`${event.type} ${event.toolName}`] : []));
    expect([...new Set(named)]).toEqual(
      ["tool_input", "tool_start", "tool_end"].map((type) => `${type} office__get_invoice`),
    );
    // The model sees the call as it made it.
    expect(JSON.stringify(bodies()[1])).toContain("mcp_call");
    expect(JSON.stringify(bodies()[1])).not.toContain("office__get_invoice");
    await agent.dispose();
  });
});

test("any of 350 tools is found and called within two steps in every format, and what was sent never changes", {
  timeout: 120_000,
}, async () => {
  const folder = tempFolder();
  const settings = { office: await manyToolsOverHttp(230), workspace: manyTools("workspace") };
  const { servers } = openServers(settings, { home: folder });
  await servers.settled({ signal: new AbortController().signal });
  const tools = servers.tools();
  expect(tools).toHaveLength(350);
  const every = sampledStep(97);
  const missed: string[] = [];
  for (const [first, protocol] of PROTOCOLS.entries()) {
    const wire = await wireServer();
    const spoken = (...parts: Parameters<typeof says>[1]["parts"]) =>
      says(protocol, { parts, stop: parts.some((part) => "call" in part) ? "toolUse" : "stop" });
    const model = openModel({ info: infoOf(protocol, wire.origin), apiKey: () => "key" });
    const { agent } = harness({
      model,
      cwd: folder,
      servers,
      tools: createTools(),
      session: SessionManager.inMemory(),
    });
    // The formats begin at different tools, so that they share few.
    for (let at = first * 7; at < tools.length; at += every) {
      const { server, tool, description } = tools[at] as ReturnType<McpServers["tools"]>[number];
      const input = server === "office" ? { id: "x-1" } : { input: "x" };
      const call = JSON.stringify({ server, tool, input });
      const query = JSON.stringify({ query: description.split(" of the company")[0] });
      wire.reply(
        spoken({ call: `s${at}`, name: "tool_search", input: query }),
        spoken({ call: `c${at}`, name: "mcp_call", input: call }),
        spoken({ text: "Done" }),
      );
      await agent.prompt(`use ${tool}`);
      const [, found, called] = wire.requests.slice(-3).map(({ body }) => JSON.stringify(body));
      if (!found?.includes(JSON.stringify(`"tool":"${tool}"`).slice(1, -1)))
        missed.push(`${protocol.api}: ${tool} not found`);
      if (!called?.includes(`${tool} did its work`)) missed.push(`${protocol.api}: ${tool} not called`);
    }
    for (const [n, { body }] of wire.requests.entries()) {
      if (n > 0) assertPromptPrefix(wire.requests[n - 1]?.body, body);
    }
    expect(wire.requests.length).toBeGreaterThan(10);
    wire.close();
  }
  expect(missed).toEqual([]);
});
