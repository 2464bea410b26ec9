import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { RPC_METHODS } from "@bough/program/cli/rpc/methods/rpc-methods.js";
import { addStore, initStore } from "@bough/workbench/store/index.js";
import { describe, expect, test } from "vitest";
import { layOutAgents } from "../support/agents-home.js";
import { watchJson } from "../support/undefined-keys.js";
import { RpcClient } from "./cli-rpc-client.js";
import { conversation, makePlace, type Place, sessionFiles, theOnly } from "./cli-support.js";
import { runHere } from "./run-here.js";

const CODEX_SESSION = "01a1de66-2f95-7361-a035-2c1db9b1d6c0";

const HERE = { isHere: true } as const;

interface TreePage {
  readonly total: number;
  readonly nodes: readonly {
    readonly entry: { readonly id: string; readonly type: string };
    readonly childCount: number;
  }[];
}

interface Tips {
  readonly total: number;
  readonly leafId: string;
  readonly tips: readonly { readonly entry: { readonly id: string }; readonly label?: string }[];
}

/** Ids of the user messages on the path, by their text. */
async function promptIds(client: RpcClient): Promise<Map<string, string>> {
  const { entries } = await client.request<{ entries: { id: string; message?: { role: string; content: string } }[] }>(
    "tree.path",
  );
  return new Map(entries.flatMap(({ id, message }) => (message?.role === "user" ? [[message.content, id]] : [])));
}

function withExtension(place: Place, code: string): string[] {
  const file = join(place.cwd, "extension.js");
  writeFileSync(file, code);
  return ["--extension", file];
}

describe("bough --mode rpc", () => {
  test("tells who it is, runs a prompt with tools, streams what happens, and answers when it is done", async () => {
    const place = makePlace();
    const client = new RpcClient(place);
    const outcome = await client.request("prompt", { text: "what is in this folder?" });
    expect(outcome).toMatchObject({ kind: "done", message: { role: "assistant", stopReason: "stop" } });
    expect(client.events[0]).toMatchObject({ type: "session", cwd: place.cwd, model: "offline/rules" });
    const types = client.events.map(({ type }) => type);
    for (const type of ["run_start", "tool_start", "tool_end", "message_update", "run_end"])
      expect(types).toContain(type);
    // The answer comes after the last event.
    expect(client.lines.at(-1)).toHaveProperty("result");
    expect(await client.close()).toMatchObject({ code: 0, stderr: "" });
    expect((await conversation(theOnly(sessionFiles(place)))).at(-1)).toContain("notes.txt");
  });

  test("sends control characters and marks that reorder text as escapes only", async () => {
    const client = new RpcClient(makePlace(), [], HERE);
    await client.request("prompt", { text: "say \x7f\x9b\u200f" });
    expect([...(await promptIds(client)).keys()]).toEqual(["say \x7f\x9b\u200f"]);
    const { stdout } = await client.close();
    expect(stdout).not.toMatch(/[\x7f-\x9f\u200f]/);
    expect(stdout).toContain("say \\u007f\\u009b\\u200f");
  });

  test("moves with a summary, goes on elsewhere, and compares the two branches", async () => {
    const json = watchJson();
    const client = new RpcClient(makePlace(), [], HERE);
    await client.request("prompt", { text: "list files" });
    await client.request("prompt", { text: "read notes.txt" });
    const { leafId: first } = await client.request<{ leafId: string }>("getState");
    const target = (await promptIds(client)).get("read notes.txt") as string;
    const moved = await client.request("navigateTree", { targetId: target, summarize: true, label: "came back" });
    expect(moved).toMatchObject({
      cancelled: false,
      editorText: "read notes.txt",
      summaryEntry: { type: "branch_summary", fromId: first, summary: expect.stringContaining("notes.txt") },
    });
    await client.request("prompt", { text: "read app.js" });
    const { tips, total, leafId } = await client.request<Tips>("tree.tips");
    expect([total, tips.map((tip) => tip.entry.id)]).toEqual([2, [first, leafId]]);
    const comparison = await client.request("compare", { a: first, b: leafId });
    expect(comparison).toMatchObject({
      a: { tipId: first, steps: [{ prompt: "read notes.txt" }], files: { readFiles: ["notes.txt"] } },
      b: { tipId: leafId, end: { kind: "answer" }, files: { readFiles: expect.arrayContaining(["app.js"]) } },
    });
    const { entry } = await client.request<{ entry: { type: string } }>("tree.entry", { entryId: "came back" });
    expect(entry.type).toBe("branch_summary");
    await client.close();
    expect(json.undefinedKeys()).toEqual([]);
  });

  test("forks into a new file and continues there", async () => {
    const place = makePlace();
    const client = new RpcClient(place, [], HERE);
    await client.request("prompt", { text: "list files" });
    await client.request("prompt", { text: "read notes.txt" });
    const target = (await promptIds(client)).get("read notes.txt") as string;
    const forked = await client.request<{ newSessionFile: string }>("fork", { entryId: target });
    expect(forked).toMatchObject({ selectedText: "read notes.txt", cancelled: false, inPlace: false });
    await client.request("prompt", { text: "read app.js" });
    await client.close();
    expect(sessionFiles(place)).toContain(forked.newSessionFile);
    expect((await conversation(forked.newSessionFile)).filter((line) => line.startsWith("user: "))).toEqual([
      "user: list files",
      "user: read app.js",
    ]);
  });

  test("compacts, and takes the compaction back", async () => {
    const settings = { model: "offline/rules", compaction: { keepRecentTokens: 1 } };
    const client = new RpcClient(makePlace({ settings }), [], HERE);
    for (const text of ["list files", "read notes.txt", "read app.js"]) await client.request("prompt", { text });
    const before = await client.request("getContext");
    const compacted = await client.request("compact", { customInstructions: "file names" });
    expect(compacted).toMatchObject({ kind: "done", entry: { summary: expect.stringContaining("## Goal") } });
    expect((await client.event("compacted")).automatic).toBe(false);
    await client.request("undoCompaction");
    expect(await client.request("getContext")).toEqual(before);
    await client.close();
  });

  test("leaves out the file of a session that has none", async () => {
    const json = watchJson();
    const client = new RpcClient(makePlace(), ["--no-session"], HERE);
    await client.request("prompt", { text: "list files" });
    expect(await client.request("newSession")).toMatchObject({ kind: "done" });
    expect(await client.event("session_changed")).toEqual({ type: "session_changed", reason: "new" });
    await client.close();
    expect(json.undefinedKeys()).toEqual([]);
  });

  test("pages through the tree, from the roots down", async () => {
    const client = new RpcClient(makePlace(), [], HERE);
    for (const text of ["list files", "read notes.txt", "read app.js"]) {
      await client.request("branchInPlace", { parentId: null });
      await client.request("prompt", { text });
    }
    const all = await client.request<TreePage>("tree.children", { parentId: null });
    // Each move to the start is on record too, as an entry without children.
    expect([all.total, all.nodes.map(({ childCount }) => childCount)]).toEqual([5, [1, 0, 1, 0, 1]]);
    const page = await client.request<TreePage>("tree.children", { parentId: null, offset: 2, limit: 1 });
    expect(page).toEqual({ total: 5, offset: 2, next: 3, nodes: all.nodes.slice(2, 3) });
    const [second] = page.nodes;
    const below = await client.request<TreePage>("tree.children", { parentId: second?.entry.id as string });
    expect(below.nodes.map(({ entry }) => entry.type)).toEqual(["message"]);
    const path = await client.request("tree.path", { offset: 1, limit: 2 });
    expect(path).toMatchObject({ total: 5, offset: 1, entries: [{ type: "message" }, { type: "message" }] });
    await client.close();
  });

  test("asks the client what an extension wants to know, and takes every kind of answer", async () => {
    const place = makePlace();
    const args = withExtension(
      place,
      `export default (bough) => {
         bough.on("session_start", async (event, context) => {
           bough.appendEntry("start", await context.ui.confirm("Begin?", "Now"));
         });
         bough.registerCommand("ask", { description: "Asks", handler: async (_args, context) => {
           const color = await context.ui.select("Which colour?", ["red", "blue"]);
           const name = await context.ui.input("Which name?");
           const text = await context.ui.editor("Which text?", "draft");
           bough.appendEntry("answers", { color, name, text, hasUi: context.hasUi });
           context.ui.notify("Thank you", "warning");
         } });
       };`,
    );
    const client = new RpcClient(place, args, HERE);
    const answers: Readonly<Record<string, unknown>> = {
      "ui.confirm": true,
      "ui.select": "blue",
      "ui.input": null,
      "ui.editor": 42,
    };
    client.onQuestion = (method) => answers[method];
    expect(await client.request("listCommands")).toEqual([{ name: "ask", kind: "extension", description: "Asks" }]);
    expect(await client.request("prompt", { text: "/ask" })).toEqual({ kind: "cancelled", by: "extension" });
    const { entries } = await client.request<{ entries: { customType: string; data: unknown }[] }>("tree.path");
    expect(entries.map(({ customType, data }) => [customType, data])).toEqual([
      ["start", true],
      ["answers", { color: "blue", hasUi: true }],
    ]);
    expect(client.events).toContainEqual({ type: "notice", level: "warning", message: "Thank you" });
    expect(client.lines.filter((line) => "method" in line)).toEqual([
      { id: "ui-1", method: "ui.confirm", params: { title: "Begin?", message: "Now" } },
      { id: "ui-2", method: "ui.select", params: { title: "Which colour?", options: ["red", "blue"] } },
      { id: "ui-3", method: "ui.input", params: { title: "Which name?" } },
      { id: "ui-4", method: "ui.editor", params: { title: "Which text?", text: "draft" } },
    ]);
    // A client that is gone while it is asked gave no answer.
    client.onQuestion = () => undefined;
    const waiting = client.send("command", { name: "ask" });
    await client.line((line) => line.id === "ui-5");
    expect(await client.close()).toMatchObject({ code: 0, stderr: "" });
    expect(await waiting).toMatchObject({ result: { kind: "aborted" } });
  });

  test("a client need not answer what is asked at the start: stopping closes the question", async () => {
    const place = makePlace();
    const args = withExtension(
      place,
      `export default (bough) => {
         bough.on("session_start", async (event, context) => {
           bough.appendEntry("start", await context.ui.confirm("Begin?"));
         });
       };`,
    );
    const client = new RpcClient(place, args, HERE);
    client.onQuestion = () => undefined;
    await client.line((line) => line.id === "ui-1");
    const waiting = client.request<{ leafId: string }>("getState");
    await client.request("abort");
    expect(client.events).toContainEqual({ type: "question_closed", id: "ui-1" });
    const { leafId } = await waiting;
    expect(await client.request("tree.entry", { entryId: leafId })).toMatchObject({ entry: { data: false } });
    await client.close();
  });

  test("stays where it is when the entry it is to open is not there", async () => {
    const place = makePlace();
    await runHere(place, ["-p", "--name", "other", "list files"]);
    const client = new RpcClient(place, [], HERE);
    const before = await client.request("getState");
    expect(await client.send("openSession", { session: "other#nowhere" })).toMatchObject({
      error: { code: "entry-not-found" },
    });
    expect(await client.request("getState")).toEqual(before);
    await client.close();
  });

  test("asks the client before a tool changes something, and takes no for an answer", async () => {
    const place = makePlace();
    const client = new RpcClient(place, [], HERE);
    client.onQuestion = (_method, { target }) => (String(target).includes("yes") ? "once" : "no");
    await client.request("prompt", { text: "run touch yes.txt" });
    await client.request("prompt", { text: "run touch not.txt" });
    expect([existsSync(join(place.cwd, "yes.txt")), existsSync(join(place.cwd, "not.txt"))]).toEqual([true, false]);
    expect(client.lines.find((line) => "method" in line)).toEqual({
      id: "ui-1",
      method: "ui.permission",
      params: {
        ...{ tool: "bash", action: "run", target: "touch yes.txt", shown: "touch yes.txt" },
        ...{ warnings: [], grant: "all shell commands", project: 'the command "touch yes.txt"' },
      },
    });
    // A question that is open when the run is stopped is closed, and the client hears of it.
    client.onQuestion = () => undefined;
    const run = client.send("prompt", { text: "run touch never.txt" });
    await client.line((line) => line.id === "ui-3");
    await client.request("abort");
    expect(await run).toMatchObject({ result: { kind: "aborted" } });
    expect(client.events).toContainEqual({ type: "question_closed", id: "ui-3" });
    await client.close();
    expect(existsSync(join(place.cwd, "never.txt"))).toBe(false);
  });

  test("answers garbage with an error and continues", async () => {
    const client = new RpcClient(makePlace(), [], HERE);
    await client.request("getState");
    const garbage = [
      "not json",
      '"text"',
      "[1]",
      "{}",
      '{"id":"ui-7","result":1}',
      '{"method":"getState"}',
      '{"id":{}}',
    ];
    for (const line of ["", "   ", ...garbage]) client.write(line);
    expect(await client.fault("fly")).toMatchObject({ code: "unknown-method", message: "Unknown method fly" });
    expect(await client.fault("prompt", { words: "x" })).toMatchObject({
      code: "bad-params",
      message: expect.stringMatching(/^Invalid parameters for prompt/),
    });
    expect(await client.fault("navigateTree", { targetId: "nowhere" })).toEqual({
      code: "entry-not-found",
      message: "Entry nowhere not found",
      data: { id: "nowhere" },
    });
    expect(await client.fault("setModel", { model: "offline/rulez" })).toMatchObject({ code: "unknown-model" });
    const refused = client.lines.filter((line) => "error" in line && typeof line.id !== "number");
    expect(refused.map((line) => [line.id, (line.error as { code: string }).code])).toEqual([
      [null, "bad-request"],
      [null, "bad-request"],
      [null, "bad-request"],
      [null, "bad-request"],
      ["ui-7", "bad-request"],
      [null, "bad-request"],
      [null, "bad-request"],
    ]);
    expect(await client.request("prompt", { text: "list files" })).toMatchObject({ kind: "done" });
    expect(await client.close()).toMatchObject({ code: 0, stderr: "" });
  });

  test("does one operation at a time, lets a run be steered, and stops it when asked", async () => {
    const place = makePlace();
    const client = new RpcClient(place, ["--permission", "auto"], HERE);
    const run = client.send("prompt", { text: "$ echo begun; sleep 600" });
    await client.event("tool_update");
    const { leafId } = await client.request<{ leafId: string }>("getState");
    expect(await client.fault("navigateTree", { targetId: leafId })).toMatchObject({
      code: "busy",
      message: "Cannot start a move: a model run is still running",
      hint: expect.any(String),
    });
    expect(await client.fault("prompt", { text: "list files" })).toMatchObject({ code: "busy" });
    expect(await client.request("steer", { text: "read app.js" })).toEqual({ kind: "queued" });
    expect(await client.request("abort")).toEqual({ steering: ["read app.js"], followUp: [] });
    expect(await run).toMatchObject({ result: { kind: "aborted" } });
    expect(await client.request("prompt", { text: "list files" })).toMatchObject({ kind: "done" });
    await client.close();
    expect(await conversation(theOnly(sessionFiles(place)))).toHaveLength(7);
  });

  test("stops and closes when the client goes away in the middle of a run", async () => {
    const place = makePlace();
    const client = new RpcClient(place, ["--permission", "auto", "--sandbox", "off"]);
    const run = client.send("prompt", { text: "$ echo $$ > pid; echo begun; sleep 600" });
    await client.event("tool_update");
    expect(await client.close()).toMatchObject({ code: 0, stderr: "" });
    expect(await run).toMatchObject({ result: { kind: "aborted" } });
    const pid = Number(readFileSync(join(place.cwd, "pid"), "utf8"));
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    expect(await conversation(theOnly(sessionFiles(place)))).toHaveLength(3);
  });

  test("has a method for everything, each answers as the schema says, and no field is undefined", async () => {
    const json = watchJson();
    const place = makePlace({ settings: { model: "offline/rules", compaction: { keepRecentTokens: 1 } } });
    const args = withExtension(
      place,
      `export default (bough) => bough.registerCommand("read-notes", { handler: () => "read notes.txt" });`,
    );
    const client = new RpcClient(place, [...args, "--session-id", "all", "--permission", "auto"], HERE);
    const ask = <Result>(method: string, params?: object) => client.request<Result>(method, params);
    const leaf = async () => (await ask<{ leafId: string }>("getState")).leafId;

    await ask("prompt", { text: "list files", images: [{ data: "aGk=", mimeType: "image/png" }] });
    await ask("command", { name: "read-notes" });
    expect(await ask("steer", { text: "read app.js" })).toMatchObject({ kind: "run", outcome: { kind: "done" } });
    const first = await leaf();
    expect(await ask("followUp", { text: "find *.js" })).toMatchObject({ kind: "run", outcome: { kind: "done" } });
    expect(await ask("sendMessage", { customType: "note", content: "remember" })).toMatchObject({ kind: "appended" });
    expect(await ask("runBash", { command: "echo hi" })).toMatchObject({ message: { output: "hi", exitCode: 0 } });
    await ask("appendEntry", { customType: "client", data: { seen: 1 } });
    expect(await ask("whenIdle")).toBeNull();
    expect(await ask("abort")).toEqual({ steering: [], followUp: [] });

    await ask("label", { targetId: first, label: "good" });
    await ask("rename", { name: "Everything" });
    expect(await ask("pin", { entryId: "good" })).toEqual({ entryId: expect.any(String) });
    expect(await ask("getPins")).toHaveLength(1);
    await ask("unpin", { entryId: "good" });
    await ask("editContext", { targetId: first, edit: { kind: "replace", content: "shorter" } });
    expect(await ask("editContext", { targetId: first, edit: { kind: "original" } })).toEqual({
      entryId: expect.any(String),
    });

    const tip = await leaf();
    await ask("switchTo", { entryId: first });
    expect(await ask("undoMove")).toMatchObject({ cancelled: false });
    expect(await ask("redoMove")).toMatchObject({ cancelled: false });
    expect(await ask("branchHere", { entryId: first })).toMatchObject({ inPlace: true });
    await ask("prompt", { text: "read notes.txt" });
    expect(await ask("cherryPick", { ids: [tip] })).toMatchObject({ kind: expect.stringMatching(/picked|unchanged/) });
    expect(await ask("merge", { tipId: tip })).toMatchObject({ kind: "done" });
    await ask("compact");
    await ask("undoCompaction");
    expect(await ask("pop")).toMatchObject({ cancelled: false });
    await ask("navigateTree", { targetId: "good" });
    await ask("branchInPlace", { parentId: first, summary: "A summary of our own." });
    expect(await ask("compare", { a: "good", b: tip })).toMatchObject({ sharedId: first });
    for (const method of ["tree.path", "tree.tips", "tree.entries", "getContext", "getStats"]) await ask(method);
    await ask("tree.children", { parentId: first });
    await ask("tree.entry", { entryId: "good" });
    expect(await ask("tree.entryPart", { entryId: "good" })).toMatchObject({ offset: 0, next: null });
    expect(await ask("getContextPart", { index: 0 })).toMatchObject({ text: expect.stringMatching(/^\{"role":/) });
    expect(await ask("getHeader")).toMatchObject({ type: "session", id: "all" });
    expect(await ask("getProblems")).toMatchObject({ total: 0 });
    await ask("reopenForWriting");

    await ask("runBash", { command: "echo recorded > recorded.txt" });
    expect(await ask("planFiles", { entryId: first })).toMatchObject({ total: 1, files: [{ path: "recorded.txt" }] });
    expect(await ask("diffFiles", { from: first })).toMatchObject({ total: 1 });
    expect(await ask("blame", { path: "recorded.txt" })).toMatchObject({ total: 1 });
    expect(await ask("restoreFiles", { entryId: first })).toMatchObject({ deleted: ["recorded.txt"] });
    expect(await ask("differingFiles")).toMatchObject({ total: 0 });
    expect(await ask("files.status")).toMatchObject({ total: 1 });
    expect(await ask("files.gc", { dryRun: true })).toMatchObject({ removed: 0 });
    const move = { kind: "move", newLeafId: expect.any(String) };
    expect(await ask("plan.navigateTree", { targetId: tip })).toMatchObject(move);
    expect(await ask("plan.switchTo", { entryId: tip })).toMatchObject(move);
    expect(await ask("plan.branchHere", { entryId: tip })).toMatchObject(move);
    expect(await ask("plan.pop")).toMatchObject({ kind: "move", summarize: true });
    expect(await ask("plan.fork", { entryId: [...(await promptIds(client)).values()][0] })).toMatchObject({
      selectedText: "list files",
    });
    expect(await ask("plan.clone")).toEqual({ leafId: await leaf() });
    expect(await ask("plan.compact")).toMatchObject({ kind: "compact", summarizes: { total: expect.any(Number) } });
    expect(await ask("planMergeFiles", { tipId: tip })).toMatchObject({ conflicts: 0, missing: 0 });
    expect(await ask("planCherryPickFiles", { ids: [tip] })).toMatchObject({ conflicts: 0, missing: 0 });
    expect(await ask("plan.merge", { tipId: tip })).toMatchObject({ kind: "merge", tipId: tip });
    expect(await ask("plan.cherryPick", { ids: [tip] })).toMatchObject({ copies: { total: expect.any(Number) } });
    expect(await ask("plan.editContext", { targetId: first, edit: { kind: "leave-out" } })).toEqual({ kind: "edit" });
    expect(await ask("plan.pin", { entryId: first })).toMatchObject({ kind: "pin", pinned: true });
    expect(await ask("plan.unpin", { entryId: first })).toEqual({ kind: "unchanged" });
    await ask("compact");
    expect(await ask("plan.undoCompaction")).toMatchObject({ leftBehind: 0 });
    await ask("undoCompaction");

    expect(await ask("setModel", { model: "rules" })).toEqual({ model: "offline/rules", thinkingLevel: "off" });
    expect(await ask("setThinkingLevel", { level: "high" })).toEqual({ model: "offline/rules", thinkingLevel: "high" });
    expect(await ask("listModels")).toContainEqual(expect.objectContaining({ provider: "offline", available: true }));
    expect(await ask("setTools", { tools: ["ls", "read"] })).toEqual({ tools: ["read", "ls"] });
    expect(await ask<object[]>("listTools")).toHaveLength(11);
    expect(await ask("setPermissionMode", { mode: "read-only" })).toEqual({ mode: "read-only" });
    expect(await ask("listCommands")).toEqual([{ name: "read-notes", kind: "extension" }]);
    expect(await ask("initialize", { protocolVersion: 1, client: { name: "a test" } })).toMatchObject({
      protocolVersion: 1,
      capabilities: { methods: [...RPC_METHODS.keys()], limits: { lineBytes: 1_000_000 } },
    });
    expect(await ask("setSetting", { name: "theme", value: "light" })).toEqual({ file: expect.any(String) });
    expect(await ask("getSettings")).toContainEqual(
      expect.objectContaining({ name: "theme", value: "light", from: "user" }),
    );
    expect(await ask("commands")).toContainEqual(expect.objectContaining({ name: "branches" }));
    expect(await ask("runCommand", { line: "/branches" })).toMatchObject({ kind: "done" });

    const file = join(place.cwd, "exported.jsonl");
    expect(await ask("exportBranch", { entryId: first, scope: "path", file })).toEqual({
      file,
      bytes: expect.any(Number),
      entries: expect.any(Number),
      findings: [],
    });
    const page = { format: "html", file: join(place.cwd, "page.html") };
    expect(await ask("exportSession", page)).toMatchObject({ file: page.file, findings: [] });
    const target = (await promptIds(client)).get("read app.js") as string;
    expect(await ask("fork", { entryId: target })).toMatchObject({ newSessionFile: expect.any(String) });
    expect(await ask("clone")).toMatchObject({ newSessionFile: expect.any(String) });
    expect(await ask("newSession", { id: "another" })).toMatchObject({ kind: "done" });
    expect(await ask("openSession", { session: "all#good" })).toMatchObject({ kind: "done" });
    expect(await leaf()).toBe(first);
    expect(await ask("listSessions", { scope: "all" })).toMatchObject({ total: 3 });
    expect(await ask("search", { query: "notes.txt" })).toMatchObject({ cursor: null, progress: { filesTotal: 3 } });
    expect(await ask("verify")).toMatchObject({ ok: true, findings: [] });
    expect(await ask("repair", { session: "another" }).catch((fault) => fault.code)).toBe("session-not-found");
    expect(await ask("repair")).toMatchObject({ kind: "clean" });
    expect(await ask("archive", { session: "all" })).toMatchObject({ kind: "in-use" });
    const [copy] = (await ask<{ sessions: { id: string }[] }>("listSessions")).sessions.filter(
      ({ id }) => id !== "all",
    );
    expect(await ask("archive", { session: copy?.id })).toMatchObject({ kind: "archived" });
    expect(await ask("listSessions", { scope: "archive" })).toMatchObject({ sessions: [{ id: copy?.id }] });
    expect(await ask("restore", { session: copy?.id })).toMatchObject({ kind: "restored" });

    expect(await ask("getTodo")).toEqual({ items: [] });
    const { agent } = await ask<{ agent: string }>("spawnBranch", { entryId: await leaf() });
    expect(await ask("prompt", { text: "list files", agent })).toMatchObject({ kind: "done" });
    expect(await ask("closeAgent", { agent })).toBeNull();
    expect(await ask("getSubAgents")).toEqual([]);
    expect(await ask("stopSubAgent", { id: "gone" })).toEqual({ stopped: false });

    expect(await ask("listDrivers")).toContainEqual(expect.objectContaining({ agent: "claude", title: "Claude Code" }));
    expect(await ask("driverOptions")).toEqual([]);
    expect(await ask("setDriver", { driver: null })).toMatchObject({ kind: "unchanged" });
    const another = { option: "model", value: "opus" };
    expect(await ask("setDriverOption", another).catch((fault) => fault.code)).toBe("agent-option");

    expect(await ask("startAttempts", { text: "list files", count: 1 })).toMatchObject({
      attempts: [{ name: "attempt-1" }],
    });
    expect(await ask("messageAttempt", { name: "attempt-9", text: "Be quick." })).toEqual({ sent: false });
    const states = async () => (await ask<{ attempts: { state: string }[] }>("listAttempts")).attempts;
    await expect.poll(states).toMatchObject([{ state: "done" }]);
    expect(await ask("stopAttempts")).toBeNull();
    expect(await ask("keepAttempt", { name: "attempt-1" })).toMatchObject({ attempt: "attempt-1" });

    layOutAgents({ home: dirname(place.home), cwd: place.cwd });
    expect(await ask("handoff", { agent: "pi", entryId: "good", agreed: true })).toMatchObject({
      written: true,
      agent: "pi",
    });
    // Codex's own, pi's own, and the one that was just written for pi.
    expect(await ask("listForeignSessions", { agents: ["codex", "pi"], scope: "folder" })).toMatchObject({ total: 3 });
    expect(await ask("importSession", { session: `codex:${CODEX_SESSION}` })).toMatchObject({
      kind: "imported",
      opened: true,
      turns: 1,
    });

    const address = join(place.cwd, "store");
    await initStore(address);
    addStore(place.home, { name: "home", address });
    expect(await ask("getStoreStatus")).toEqual({ mode: "manual", status: null });
    expect(await ask("syncSession")).toMatchObject({ store: "home", synced: { pulled: 0 } });
    const { sessions } = await ask<{ sessions: { id: string }[] }>("listStoredSessions", { scope: "all" });
    expect(sessions).toMatchObject([{ here: true }]);
    // It is here already: its own file, and no second one.
    const { sessionFile } = await ask<{ sessionFile: string }>("getState");
    const again = await ask("fetchSession", { session: sessions[0]?.id, open: false });
    expect(again).toMatchObject({ opened: false, file: sessionFile });

    // Bough's own agent has no options: agents.test.ts asks another one.
    expect([...RPC_METHODS.keys()].filter((method) => !client.used.has(method))).toEqual(["setDriverOption"]);
    expect(await client.close()).toMatchObject({ code: 0, stderr: "" });
    expect(json.undefinedKeys()).toEqual([]);
    for (const session of [...sessionFiles(place), file]) await conversation(session);
  });
});
