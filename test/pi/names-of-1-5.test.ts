/** What newer versions of pi added for extensions. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { lines } from "@bough/agent/agent/agent-harness.test-support.js";
import { AgentSession } from "@bough/agent/agent/index.js";
import { createTrust } from "@bough/agent/tool/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { expect, test, vi } from "vitest";
import { tempFolder } from "../support/temp-folder.js";
import { sit } from "./pi-seat.js";
import { PiTerminal } from "./pi-terminal.js";

const SERVER_FILE = fileURLToPath(new URL("../support/odd-mcp-server.mjs", import.meta.url));
const WAIT = { timeout: 60_000, interval: 10 };

function answers(session: SessionManager) {
  return session.getBranch().flatMap((entry) => {
    if (entry.type !== "message" || entry.message.role !== "assistant") return [];
    const { model, thinkingLevel } = entry.message as { readonly model: string; readonly thinkingLevel?: string };
    return [`${model} ${thinkingLevel}`];
  });
}

function customData(session: SessionManager, customType: string): unknown[] {
  return session
    .getBranch()
    .flatMap((entry) => (entry.type === "custom" && entry.customType === customType ? [entry.data] : []));
}

test("chooser: a virtual model chooses for each request, and answers name what was chosen", async () => {
  const steps = [[{ call: "read", input: { path: "notes.txt" } }], "done", "a summary"];
  const seat = await sit({ extensions: ["chooser.ts"], request: { model: "wire/auto" }, steps });
  const { agent } = seat.started;
  expect(agent.contextWindow).toBe(50_000);
  await seat.send("go");
  // What answered decides how much context there is.
  const second = agent.registry.all().find(({ id }) => id === "second");
  expect([agent.contextWindow, second?.contextWindow === 50_000]).toEqual([second?.contextWindow, false]);
  expect(seat.said).toEqual(["info: auto: user new none fine", "info: auto: continuation plan first fine"]);
  expect(seat.server.requests.map(({ body }) => (body as { model: string }).model)).toEqual(["first", "second"]);
  expect(answers(agent.session)).toEqual(["first high", "second high"]);
  expect(customData(agent.session, "pi.virtual-model-state")).toEqual([
    { provider: "wire", modelId: "auto", state: { phase: "plan" } },
    { provider: "wire", modelId: "auto", state: { phase: "build" } },
  ]);
  // The selection is the virtual model.
  expect(agent.model?.info).toMatchObject({ provider: "wire", id: "auto", contextWindow: 50_000, images: true });
  await seat.send("/forget");
  expect(seat.said.at(-1)).toBe("info: undefined");
});

test("chooser: a retry says what failed; the state follows the tree", async () => {
  const failure = { status: 529, body: '{"error":{"message":"overloaded"}}' };
  const seat = await sit({
    extensions: ["chooser.ts"],
    request: { model: "wire/auto" },
    steps: ["one", failure, "two"],
  });
  const { agent } = seat.started;
  await seat.send("first");
  const leaf = agent.session.getLeafId() as string;
  await seat.send("second");
  expect(seat.said).toEqual([
    "info: auto: user new none fine",
    "info: auto: user plan first fine",
    "info: auto: retry plan first error",
  ]);
  await agent.navigateTree(leaf);
  seat.server.reply({ status: 400, body: "{}" });
  await seat.send("elsewhere");
  expect(seat.said.at(-1)).toBe("info: auto: user plan first fine");
});

test("chooser: the selection stays after moves and in a new process, as long as it is there", async () => {
  const seat = await sit({
    extensions: ["chooser.ts"],
    settings: { model: "wire/auto" },
    steps: ["one", "two", "three"],
  });
  const { agent, parts } = seat.started;
  const selected = () => `${agent.model?.info.provider}/${agent.model?.info.id}`;
  await seat.send("first");
  const leaf = agent.session.getLeafId() as string;
  await seat.send("second");
  await agent.navigateTree(leaf);
  expect(selected()).toBe("wire/auto");
  const changes = agent.session.getBranch().filter(({ type }) => type === "model_change");
  expect(changes).toMatchObject([{ provider: "wire", modelId: "auto" }]);
  const opened = () => {
    const options = { tools: [], permit: async () => ({ allowed: true }) as const, cwd: seat.cwd, outputDir: seat.cwd };
    return new AgentSession({ ...options, session: agent.session.openAgain(), registry: parts.registry });
  };
  const again = opened();
  expect(again.model?.info).toMatchObject({ provider: "wire", id: "auto" });
  // Gone, it cannot be selected: the model that answered last is.
  await seat.send("/forget");
  const without = opened();
  expect(without.model?.info).toMatchObject({ provider: "wire", id: "first" });
  await Promise.all([again.dispose(), without.dispose()]);
});

test("chooser: requests outside a run are direct, and leave no state", async () => {
  const seat = await sit({
    extensions: ["chooser.ts"],
    request: { model: "wire/auto" },
    steps: ["one", "two", "the summary"],
  });
  const { agent } = seat.started;
  await seat.send("first");
  await seat.send("second");
  const before = customData(agent.session, "pi.virtual-model-state").length;
  await agent.compact();
  expect(seat.said.at(-1)).toMatch(/^info: auto: direct new /);
  expect(customData(agent.session, "pi.virtual-model-state")).toHaveLength(before);
});

test("chooser: a route that leads to another virtual model ends the answer with an error", async () => {
  const seat = await sit({ extensions: ["chooser.ts"], request: { model: "nowhere/lost" } });
  await seat.send("go");
  expect(lines(seat.started.agent.session).at(-1)).toBe("assistant(error):");
  expect(seat.started.agent.session.getLeafEntry()).toMatchObject({
    message: { errorMessage: "Lost chose wire/auto, which is a virtual model" },
  });
});

test("stream-log: hears the provider's own events, in order, before they are interpreted", async () => {
  const seat = await sit({ extensions: ["stream-log.ts"], steps: ["hello there"] });
  await seat.send("go");
  const [log] = customData(seat.started.agent.session, "stream-log") as { from: string; events: object[] }[];
  expect(log?.from).toBe("wire openai-completions first");
  const words = log?.events.map((event) => {
    const { choices } = event as { readonly choices: readonly { readonly delta?: { readonly content?: string } }[] };
    return choices[0]?.delta?.content ?? "";
  });
  expect(words?.join("")).toBe("hello there");
  expect(lines(seat.started.agent.session)).toContain("assistant(stop): hello there");
});

test("own-wire: a stream of its own tells what it sends and gets, to the same events", async () => {
  const seat = await sit({ extensions: ["own-wire.ts"], request: { model: "own/one" } });
  await seat.send("go");
  expect(lines(seat.started.agent.session)).toContain("assistant(stop): hello 7");
  expect(seat.said).toEqual([`info: ${JSON.stringify([207, ["own", "one", { raw: "hello" }]])}`]);
});

test("servers: brings MCP servers at the start and later, and takes one away", async () => {
  const seat = await sit({ extensions: ["servers.ts"], env: { SERVER_FILE }, steps: ["one", "two"] });
  const { servers } = seat.started.agent;
  const connected = () => servers?.list().flatMap(({ name, state }) => (state.kind === "connected" ? [name] : []));
  await vi.waitFor(() => expect(connected()).toEqual(["early"]), WAIT);
  await seat.send("/late");
  await vi.waitFor(() => expect(connected()).toEqual(["early", "late"]), WAIT);
  expect(seat.said.sort()).toEqual(["info: changed: early 30, late 20", "info: registered: early,late"]);
  expect(servers?.list().map(({ server }) => server.settings.timeoutMs)).toEqual([30_000, 20_000]);
  await seat.send("/drop");
  await vi.waitFor(() => expect(connected()).toEqual(["late"]), WAIT);
  await seat.send("go");
  const offered = seat.request(1).tools?.map(({ function: { name } }) => name) ?? [];
  expect([
    offered.some((name) => name.startsWith("late__")),
    offered.some((name) => name.startsWith("early__")),
  ]).toEqual([true, false]);
});

test("servers: a wrong name or config is refused with a sentence", async () => {
  const seat = await sit({ extensions: ["servers.ts"], env: { SERVER_FILE } });
  await seat.send("/wrong");
  expect(seat.said).toEqual([
    "error: MCP server a b is not valid: A server name has up to 32 letters, digits, - and single _, and starts with a letter or digit",
    "error: MCP server both is not valid: It has both a command and a url; use one of them",
  ]);
});

test("servers: one of the settings with the same name takes precedence", async () => {
  const seat = await sit({
    extensions: ["servers.ts"],
    env: { SERVER_FILE },
    settings: { mcpServers: { early: { command: process.execPath, args: [SERVER_FILE, "fine"], timeoutMs: 5000 } } },
  });
  expect(seat.started.agent.servers?.list().map(({ server }) => server.settings.timeoutMs)).toEqual([5000]);
});

test("drawn-tools: chooses how calls are drawn, of any tool", async () => {
  const terminal = await PiTerminal.open({
    extensions: ["drawn-tools.ts", "painted-tool.ts"],
    steps: [[{ call: "weigh", input: { thing: "oak" } }], [{ call: "read", input: { path: "notes.txt" } }], "done"],
  });
  await terminal.send("go");
  const screen = await terminal.shows(/put oak on the scales[\s\S]*it weighs ###[\s\S]*calls read/);
  expect(screen).not.toContain("on the scales oak");
});

test.each([
  ["yes", true, "undecided"],
  ["always", true, "yes"],
  ["no", false, "undecided"],
  ["ask", false, "undecided"],
])("trust-me: the answer %s decides whether the project is trusted", async (answer, trusted, saved) => {
  const files = { ".bough/extensions/own.js": "export default function (pi) {}" };
  const seat = await sit({ extensions: ["trust-me.ts"], answers: [answer], files });
  expect(seat.said).toEqual(["info: trust true print true", "select: Trust it? yes | always | no | ask"]);
  expect(seat.started.parts.trusted).toBe(trusted);
  expect(createTrust(seat.home).decisionFor(seat.cwd)).toBe(saved);
});

test("trust-me: is not asked if a project brings nothing, and decides without a person too", async () => {
  const quiet = await sit({ extensions: ["trust-me.ts"], env: { TRUST: "yes" } });
  expect([quiet.said, quiet.started.parts.trusted]).toEqual([[], false]);
  const files = { ".bough/settings.json": JSON.stringify({ permissions: { allow: ["bash(ls)"] } }) };
  const seat = await sit({ extensions: ["trust-me.ts"], env: { TRUST: "yes" }, files });
  expect([seat.said, seat.started.parts.trusted]).toEqual([["info: trust true print false"], true]);
});

test("a project's own extension does not decide about its trust", async () => {
  const files = {
    ".bough/extensions/own.js": 'export default function (pi) { pi.on("project_trust", () => ({ trusted: "yes" })); }',
  };
  const seat = await sit({ extensions: [], request: { extensionPlaces: "all" }, files });
  expect(seat.started.parts.trusted).toBe(false);
});

test("reload-tool: the model has extensions reloaded once it has answered", async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, "version.txt"), "1");
  const seat = await sit({
    extensions: ["reload-tool.ts"],
    env: { RELOAD_FOLDER: folder },
    steps: [[{ call: "reload_all" }]],
  });
  writeFileSync(join(folder, "version.txt"), "2");
  await seat.send("go");
  await vi.waitFor(() => expect(seat.said.at(-1)).toBe("info: version 2 (reload)"), WAIT);
  expect([seat.server.requests.length, seat.problems]).toEqual([1, []]);
  expect(lines(seat.started.agent.session)).toContain("result#reload_all-1: soon");
});

test("peek: reads settings as a copy, where a command comes from, and the folder in the system prompt", async () => {
  const seat = await sit({ extensions: ["peek.ts"], steps: ["hi"] });
  await seat.send("/peek");
  await seat.send("/where");
  expect([seat.said, seat.problems]).toEqual([["info: first auto", "info: true"], []]);
  await seat.send("go");
  expect(seat.told(1)).toContain("Current working directory: /far");
});

test("orchestra: calling another tool is an error in a result, and a request can be changed with its system prompt", async () => {
  const seat = await sit({ extensions: ["orchestra.ts"], steps: [[{ call: "conduct", input: {} }], "done"] });
  await seat.send("/ensemble");
  await seat.send("play");
  expect([seat.said, seat.problems]).toEqual([[expect.stringMatching(/^info: wire first.* undefined$/)], []]);
  expect(seat.told(1)).toContain("after the system prompt");
  expect(lines(seat.started.agent.session)).toContainEqual(
    expect.stringContaining("0 tools, true: executeTool of pi is not available in Bough."),
  );
});

test("peek: helpers for cursors, inputs that arrive in pieces, and line ranges", async () => {
  const seat = await sit({ extensions: ["peek.ts"] });
  await seat.send("/shims");
  const whole = { path: "a.txt", lines: [1, 2] };
  const pieces = [{ path: "a" }, { path: "a.txt", lines: [1] }, whole];
  expect(seat.said).toEqual([
    `info: ${JSON.stringify([pieces, { arguments: whole }, 30])}`,
    `info: ${JSON.stringify([{ delta: "2}", arguments: { a: 12 } }, { arguments: { b: 1 } }])}`,
    "info: {} true",
    "info: :10-14|:3|:1-20||",
    String.raw`info: "\u001b[7mx\u001b[27m"`,
  ]);
});

test("colored-sign: the working sign keeps its color", async () => {
  const terminal = await PiTerminal.open({ extensions: ["colored-sign.ts"], steps: [{ frames: [], after: "wait" }] });
  await terminal.send("hello");
  await terminal.shows("● Working");
  expect(terminal.port.written).toContain("\x1b[38;2;255;179;186m●");
});
