import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import { SessionManager } from "@bough/session/session/index.js";
import { expect, test } from "vitest";
import { AcpClient, transcript } from "./acp-client.js";
import { makePlace, sessionFiles } from "./cli-support.js";

const FILE_SERVER = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", import.meta.url),
);
const EDIT = 'replace "buy milk" with "buy tea" in notes.txt';

function entryIn(update: SessionUpdate | undefined): string {
  const meta = (update as { readonly _meta?: { readonly bough?: { readonly entryId?: string } } } | undefined)?._meta;
  return meta?.bough?.entryId ?? "";
}

test("a client prompts, allows an edit after its diff, lists branches, forks at a message and loads both", async () => {
  const acp = new AcpClient(makePlace());
  const { cwd } = acp.place;
  const { sessionId, modes, configOptions } = await acp.begin();
  expect(modes?.availableModes.map(({ id }) => id)).toEqual(["plan", "ask", "edits", "auto"]);
  expect(configOptions?.map(({ id, category }) => [id, category])).toEqual([
    ["mode", "mode"],
    ["model", "model"],
    ["thinking", "thought_level"],
  ]);

  expect(await acp.say(sessionId, EDIT)).toMatchObject({ stopReason: "end_turn" });
  const path = join(cwd, "notes.txt");
  expect(readFileSync(path, "utf8")).toBe("buy tea\nwrite tests\n");
  const diff = { type: "diff", path, oldText: "buy milk\nwrite tests", newText: "buy tea\nwrite tests" };
  expect(acp.questions[0]?.toolCall.content).toEqual([diff]);
  expect(acp.questions[0]?.options.map(({ optionId, kind }) => [optionId, kind])).toEqual([
    ["once", "allow_once"],
    ["project", "allow_always"],
    ["session", "allow_always"],
    ["no", "reject_once"],
  ]);
  const done = await acp.seen((update) => update.sessionUpdate === "tool_call_update" && update.status === "completed");
  expect(done).toMatchObject({ content: [diff], locations: [{ path, line: 1 }] });
  expect(await acp.seen((update) => update.sessionUpdate === "usage_update")).toMatchObject({ size: 128_000 });

  acp.onPermission = () => "no";
  await acp.say(sessionId, "$ touch forbidden");
  expect(acp.updates.at(-1)).toBeDefined();
  await acp.seen((update) => update.sessionUpdate === "tool_call_update" && update.status === "failed");

  const history = await acp.load(sessionId);
  expect(transcript(history).slice(0, 4)).toEqual([
    `user: ${EDIT}`,
    "call: edit notes.txt",
    "result: completed",
    "agent: `edit notes.txt`:",
  ]);
  const prompts = history.filter(({ sessionUpdate }) => sessionUpdate === "user_message_chunk");
  const fork = await acp.fork(sessionId, entryIn(prompts[1]));
  expect(fork._meta).toEqual({ bough: { prompt: "$ touch forbidden" } });
  await acp.say(fork.sessionId, "what is in this folder?");

  expect(sessionFiles(acp.place)).toHaveLength(1);
  const listed = await acp.list();
  expect(listed.map(({ sessionId: id, title }) => [id, title])).toEqual([
    [sessionId, EDIT],
    [fork.sessionId, `${EDIT} › what is in this folder?`],
  ]);
  // A message that was shown while it arrived can be named by the id it had then.
  const live = acp.updates.find(({ update }) => update.sessionUpdate === "agent_message_chunk")?.update;
  const messageId = (live as { readonly messageId?: string }).messageId ?? "";
  const meta = { _meta: { bough: { messageId } } };
  const early = await acp.agent.request("session/fork", { sessionId, cwd, mcpServers: [], ...meta });
  expect(transcript(await acp.load(early.sessionId)).filter((line) => line.startsWith("user"))).toEqual([
    `user: ${EDIT}`,
  ]);
  // Both continue at once, each on its own branch.
  await Promise.all([acp.say(sessionId, "hello"), acp.say(fork.sessionId, "hello")]);
  await acp.agent.request("session/close", { sessionId: fork.sessionId });
  const prompted = transcript(await acp.load(fork.sessionId)).filter((line) => line.startsWith("user"));
  expect(prompted).toEqual([`user: ${EDIT}`, "user: what is in this folder?", "user: hello"]);
  await acp.end();
  expect([...acp.frames.seen].filter((name) => name.startsWith("update")).sort()).toEqual([
    "update agent_message_chunk",
    "update available_commands_update",
    "update session_info_update",
    "update tool_call",
    "update tool_call_update",
    "update usage_update",
    "update user_message_chunk",
  ]);
});

test("modes and options take effect, and commands answer with text and ask what happens to files", async () => {
  const acp = new AcpClient(makePlace(), { isHere: true });
  const { sessionId } = await acp.begin();
  await acp.agent.request("session/set_mode", { sessionId, modeId: "plan" });
  await acp.say(sessionId, EDIT);
  expect(readFileSync(join(acp.place.cwd, "notes.txt"), "utf8")).toContain("buy milk");
  expect(acp.questions).toEqual([]);
  const set = await acp.agent.request("session/set_config_option", { sessionId, configId: "mode", value: "edits" });
  expect(set.configOptions[0]).toMatchObject({ id: "mode", currentValue: "edits" });
  await acp.seen((update) => update.sessionUpdate === "current_mode_update" && update.currentModeId === "edits");
  await acp.say(sessionId, EDIT);
  expect(readFileSync(join(acp.place.cwd, "notes.txt"), "utf8")).toContain("buy tea");
  expect(acp.questions).toEqual([]);

  for (const [name, expected] of [
    ["/tree", /buy milk/],
    ["/branches", /#1 replace "buy milk"/],
    ["/label done", /done/],
    ["/nonsense", /Unknown command/],
    ["/new", /not available here/],
  ] as const) {
    const from = acp.updates.length;
    expect(await acp.say(sessionId, name)).toMatchObject({ stopReason: "end_turn" });
    expect(acp.answer(from), name).toMatch(expected);
  }

  // Going back asks about files; no answer changes nothing.
  acp.onPermission = ({ options }) => options.find(({ name }) => name === "Conversation and files")?.name;
  await acp.say(sessionId, "/undo");
  expect(acp.questions.at(-1)?.options.map(({ name }) => name)).toEqual([
    "Conversation and files",
    "Conversation only",
    "Files only",
    "Cancel",
  ]);
  expect(readFileSync(join(acp.place.cwd, "notes.txt"), "utf8")).toContain("buy milk");
  await acp.say(sessionId, "hello");
  await acp.agent.request("session/close", { sessionId });
  const prompts = transcript(await acp.load(sessionId)).filter((line) => line.startsWith("user"));
  expect(prompts.at(-1)).toBe("user: hello");
  expect(prompts.filter((line) => line.includes("milk"))).toHaveLength(1);
  await acp.end();
});

test("a prompt is stopped by cancel, also while it waits for an answer; a second one at once is refused", async () => {
  const acp = new AcpClient(makePlace(), { isHere: true });
  const { sessionId } = await acp.begin();
  let asked = () => {};
  const question = new Promise<void>((resolve) => {
    asked = resolve;
  });
  acp.onPermission = () => {
    asked();
    return new Promise(() => {});
  };
  const waiting = acp.say(sessionId, "$ sleep 1000");
  await question;
  await expect(acp.say(sessionId, "hello")).rejects.toMatchObject({ code: -32600, data: { code: "busy" } });
  await acp.agent.notify("session/cancel", { sessionId });
  expect(await waiting).toMatchObject({ stopReason: "cancelled" });

  acp.onPermission = () => "once";
  const running = acp.say(sessionId, "$ echo started; sleep 1000");
  await acp.seen((update) => JSON.stringify(update).includes('"text":"started'));
  await acp.agent.notify("session/cancel", { sessionId });
  expect(await running).toMatchObject({ stopReason: "cancelled" });
  expect(await acp.say(sessionId, "hello")).toMatchObject({ stopReason: "end_turn" });
  await acp.end();
});

test("files and terminals of the client are used: unsaved text counts, and commands run where its user sees them", async () => {
  const place = makePlace();
  const path = join(place.cwd, "notes.txt");
  const buffers = new Map([[path, "buy milk\nunsaved\n"]]);
  const made: { readonly command: string; readonly env: unknown }[] = [];
  const acp = new AcpClient(place, {
    isHere: true,
    capabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
    prepare: (app) => {
      app.onRequest("fs/read_text_file", ({ params }) => {
        const content = buffers.get(params.path);
        if (content === undefined) throw new Error("not open");
        return { content };
      });
      app.onRequest("fs/write_text_file", ({ params }) => {
        buffers.set(params.path, params.content);
        return {};
      });
      app.onRequest("terminal/create", ({ params }) => {
        made.push({ command: [params.command, ...(params.args ?? [])].join(" "), env: params.env });
        return { terminalId: "t1" };
      });
      app.onRequest("terminal/wait_for_exit", () => ({ exitCode: 0, signal: null }));
      app.onRequest("terminal/output", () => ({ output: "from the editor\n", truncated: false }));
      app.onRequest("terminal/release", () => ({}));
      app.onRequest("terminal/kill", () => ({}));
    },
  });
  const { sessionId } = await acp.begin();
  await acp.say(sessionId, EDIT);
  expect(buffers.get(path)).toBe("buy tea\nunsaved\n");
  expect(readFileSync(path, "utf8")).toBe("buy milk\nwrite tests\n");
  const from = acp.updates.length;
  await acp.say(sessionId, "$ make");
  expect(made[0]?.command).toContain("make");
  expect(acp.answer(from)).toContain("from the editor");
  const shown = await acp.seen((update) => JSON.stringify(update).includes('"terminalId":"t1"'));
  expect(shown).toMatchObject({ content: [{ type: "terminal", terminalId: "t1" }] });
  await acp.end();
});

test("a project that is not trusted brings neither rules nor extensions, and that is said", async () => {
  const place = makePlace();
  mkdirSync(join(place.cwd, ".bough", "extensions"), { recursive: true });
  writeFileSync(join(place.cwd, ".bough", "settings.json"), JSON.stringify({ permissionMode: "auto" }));
  writeFileSync(
    join(place.cwd, ".bough", "extensions", "evil.mjs"),
    "process.stdout.write('broken frame\\n'); export default () => {};",
  );
  const acp = new AcpClient(place, { isHere: true, capabilities: { session: { notices: {} } } });
  const { sessionId, modes } = await acp.begin();
  expect(modes?.currentModeId).toBe("ask");
  const notice = await acp.seen((update) => update.sessionUpdate === "notice");
  expect(JSON.stringify(notice)).toMatch(/trust/i);
  await acp.agent.request("session/close", { sessionId });
  await acp.end();

  // Trusted, its code runs; what it prints is not in the way of frames.
  const trusting = new AcpClient(place, { args: ["--trust"] });
  expect((await trusting.begin()).modes?.currentModeId).toBe("auto");
  await trusting.end();
  expect(trusting.stderr).toContain("broken frame");
});

test("deleting takes a branch off the list, and the last one takes the file to the archive", async () => {
  const acp = new AcpClient(makePlace(), { isHere: true });
  const { sessionId } = await acp.begin();
  await acp.say(sessionId, "hello");
  const fork = await acp.fork(sessionId);
  await acp.say(fork.sessionId, "hello");
  await acp.agent.request("session/delete", { sessionId });
  expect((await acp.list()).map((one) => one.sessionId)).toEqual([fork.sessionId]);
  await acp.agent.request("session/delete", { sessionId: fork.sessionId });
  expect(await acp.list()).toEqual([]);
  expect(sessionFiles(acp.place)).toEqual([]);
  await acp.end();
});

test("a client that goes away in the middle of a prompt leaves everything in the file, and the program ends", async () => {
  const place = makePlace();
  const acp = new AcpClient(place);
  const { sessionId } = await acp.begin();
  const running = acp.say(sessionId, "$ echo started; sleep 1000").catch(() => undefined);
  await acp.seen((update) => JSON.stringify(update).includes('"text":"started'));
  acp.child.stdin.end();
  acp.child.stdout.destroy();
  expect(await acp.ended).toBe(0);
  await running;
  const [file = ""] = sessionFiles(place);
  const session = SessionManager.open(file, undefined, { readOnly: true });
  expect(session.getProblems()).toEqual([]);
  const roles = session.getBranch().flatMap((entry) => (entry.type === "message" ? [entry.message.role] : []));
  expect(roles).toEqual(["user", "assistant", "toolResult"]);
  session.close();
});

test("frames that are wrong are answered, and the next one is served", async () => {
  const place = makePlace();
  const acp = new AcpClient(place, { isHere: true });
  const errors: unknown[] = [];
  acp.onFrame = (frame) => {
    if (frame.error !== undefined) errors.push((frame.error as { readonly code: number }).code);
  };
  await acp.initialize();
  for (const line of ["{", "[]", "null", '{"jsonrpc":"2.0"}', '{"id":1}']) acp.input.write(`${line}\n`);
  const { agent } = acp;
  const { cwd } = place;
  const faults: readonly (readonly [string, object, number])[] = [
    ["session/nonsense", {}, -32601],
    ["session/new", { cwd: "/does/not/exist", mcpServers: [] }, -32602],
    ["session/new", { cwd: "relative", mcpServers: [] }, -32602],
    ["session/new", { cwd: 1 }, -32602],
    ["session/load", { sessionId: "../../../etc/passwd", cwd, mcpServers: [] }, -32002],
    ["session/load", { sessionId: "unknown~__proto__", cwd, mcpServers: [] }, -32002],
    ["session/prompt", { sessionId: "unknown", prompt: [] }, -32002],
    ["session/fork", { sessionId: "unknown", cwd, mcpServers: [] }, -32002],
    ["session/list", { cursor: "nonsense" }, -32602],
    ["authenticate", { methodId: "nonsense" }, -32602],
    ["authenticate", { methodId: "environment" }, -32000],
  ];
  for (const [method, params, code] of faults) {
    await expect(agent.request(method, params), method).rejects.toMatchObject({ code });
  }
  const { sessionId } = await acp.create();
  const huge = { type: "resource", resource: { uri: "file:///x", text: "x".repeat(8 << 20) } };
  const bad: readonly (readonly [string, object])[] = [
    ["session/prompt", { sessionId, prompt: [huge] }],
    ["session/prompt", { sessionId, prompt: [] }],
    ["session/set_mode", { sessionId, modeId: "root" }],
    ["session/set_config_option", { sessionId, configId: "model", value: 5 }],
    ["session/set_config_option", { sessionId, configId: "constructor", value: "x" }],
  ];
  for (const [method, params] of bad) {
    await expect(agent.request(method, params), JSON.stringify(params).slice(0, 80)).rejects.toMatchObject({
      code: -32602,
    });
  }
  await expect(acp.fork(sessionId)).rejects.toMatchObject({ code: -32600 });
  expect(await acp.say(sessionId, "hello")).toMatchObject({ stopReason: "end_turn" });
  await expect(acp.fork(sessionId, "nonsense")).rejects.toMatchObject({ code: -32002 });
  expect(errors).toContain(-32700);
  acp.input.end();
  expect(await acp.ended).toBe(0);
});

test("connects the MCP servers that a client hands over, and names those it cannot use", async () => {
  const acp = new AcpClient(makePlace(), { isHere: true });
  await acp.initialize();
  const { cwd } = acp.place;
  const { sessionId } = await acp.agent.request("session/new", {
    cwd,
    mcpServers: [
      { name: "files", command: process.execPath, args: [FILE_SERVER, cwd], env: [{ name: "LANG", value: "C" }] },
      { type: "sse", name: "old", url: "http://127.0.0.1:1/sse", headers: [] },
    ],
  });
  await acp.say(sessionId, "/mcp reconnect files");
  const from = acp.updates.length;
  await acp.say(sessionId, "/mcp files");
  expect(acp.answer(from)).toMatch(/read_text_file/);
  await acp.seen((update) => JSON.stringify(update).includes("MCP server old is not connected"));
});

test("a session that is closed before it could say what it offers says nothing more", async () => {
  const acp = new AcpClient(makePlace(), { isHere: true });
  const { sessionId } = await acp.begin();
  await acp.say(sessionId, "list the files here");
  for (let time = 0; time < 3; time++) {
    await acp.load(sessionId);
    await acp.agent.request("session/close", { sessionId });
  }
  await acp.load(sessionId);
  await acp.end();
});
