import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { SessionManager, sessionFolder } from "@bough/session/session/index.js";
import { expect, test } from "vitest";
import { AcpClient } from "./acp-client.js";
import { makePlace } from "./cli-support.js";

const ONE = 'replace "buy milk" with "buy tea" in notes.txt';
const TWO = 'replace "write tests" with "write docs" in notes.txt';
/** A PNG of one pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Sends a line and gives what was answered. */
async function answerTo(acp: AcpClient, sessionId: string, line: string): Promise<string> {
  const from = acp.updates.length;
  expect(await acp.say(sessionId, line), line).toMatchObject({ stopReason: "end_turn" });
  return acp.answer(from);
}

function choose(acp: AcpClient, ...names: string[]): void {
  acp.onPermission = ({ options }) => options.find(({ name }) => names.includes(name))?.optionId;
}

test("/tree, /compare, /diff, /merge, /undo, /redo and /restore work on a session with two branches", async () => {
  const acp = new AcpClient(makePlace(), { isHere: true, args: ["--permission", "auto", "--sandbox", "off"] });
  const notes = () => readFileSync(join(acp.place.cwd, "notes.txt"), "utf8");
  const { sessionId } = await acp.begin();
  await acp.say(sessionId, "hello");
  await acp.say(sessionId, ONE);
  const second = (await acp.load(sessionId)).filter(({ sessionUpdate }) => sessionUpdate === "user_message_chunk")[1];
  const meta = second?._meta as { readonly bough: { readonly entryId: string } } | undefined;
  const fork = await acp.fork(sessionId, meta?.bough.entryId);
  await acp.say(fork.sessionId, TWO);
  expect(notes()).toBe("buy tea\nwrite docs\n");

  const tree = await answerTo(acp, fork.sessionId, "/tree");
  expect([tree.includes("buy milk"), tree.includes("write tests"), tree.includes("#2")]).toEqual([true, true, true]);
  expect(await answerTo(acp, fork.sessionId, "/compare #1")).toMatch(
    /Split at[\s\S]*#1 [^\n]+: 1 turn[\s\S]*M notes\.txt/,
  );
  expect(await answerTo(acp, fork.sessionId, "/diff")).toContain("notes.txt");
  // No answer to the question about files changes nothing.
  expect(await answerTo(acp, fork.sessionId, "/merge #1")).toBe("Nothing changed.\n\n");
  choose(acp, "Words only");
  expect(await answerTo(acp, fork.sessionId, "/merge #1")).toMatch(/Merged #1 .+ into #2 as a summary/);
  expect(notes()).toBe("buy tea\nwrite docs\n");
  const merged = JSON.stringify(await acp.load(fork.sessionId));
  expect(merged).toContain("buy tea");

  const other = await acp.create();
  await acp.say(other.sessionId, 'replace "write docs" with "write more" in notes.txt');
  choose(acp, "Conversation and files");
  expect(await answerTo(acp, other.sessionId, "/undo")).toMatch(/back|before|undo/i);
  expect(notes()).toBe("buy tea\nwrite docs\n");
  // There was one run, so nothing is left to undo; what was undone comes back with /redo.
  expect(await answerTo(acp, other.sessionId, "/undo")).toContain("Nothing to undo");
  expect(notes()).toBe("buy tea\nwrite docs\n");
  await answerTo(acp, other.sessionId, "/redo");
  expect(notes()).toBe("buy tea\nwrite more\n");
  await answerTo(acp, other.sessionId, "/undo");
  expect(notes()).toBe("buy tea\nwrite docs\n");

  writeFileSync(join(acp.place.cwd, "notes.txt"), "lost\n");
  acp.onPermission = ({ options }) => options.find(({ name }) => /^(Restore|Take the version)/.test(name))?.optionId;
  expect(await answerTo(acp, other.sessionId, "/restore notes.txt")).toMatch(/Restored 1 file/);
  expect(notes()).toBe("buy tea\nwrite docs\n");
  await acp.end();
});

test("a plan belongs to its branch: loading shows it, and a move brings the one of the other branch", async () => {
  const place = makePlace();
  const session = SessionManager.create(place.cwd, join(place.home, "sessions", basename(sessionFolder(place.cwd))));
  const user = (content: string) => session.appendMessage({ role: "user", content, timestamp: 0 });
  user("start");
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 };
  const answer = (content: readonly object[], stopReason = "stop") =>
    session.appendMessage({
      ...{ role: "assistant", api: "offline", provider: "offline", model: "rules", usage, stopReason, timestamp: 0 },
      content,
    } as never);
  const base = answer([{ type: "text", text: "ready" }]);
  user("plan it");
  const items = [
    { text: "read", status: "done" },
    { text: "write", status: "in_progress" },
  ];
  answer([{ type: "toolCall", id: "c1", name: "todo", arguments: { items } }], "toolUse");
  session.appendMessage({
    ...{ role: "toolResult", toolCallId: "c1", toolName: "todo", content: [], details: { items }, isError: false },
    timestamp: 0,
  } as never);
  answer([{ type: "text", text: "planned" }]);
  session.branch(base);
  user("without a plan");
  answer([{ type: "text", text: "fine" }]);
  session.close();

  const acp = new AcpClient(place, { isHere: true });
  await acp.initialize();
  const plans = () =>
    acp.updates.flatMap(({ update }) =>
      update.sessionUpdate === "plan" ? [update.entries.map(({ content, status }) => `${content} ${status}`)] : [],
    );
  let planned = "";
  for (const { sessionId } of await acp.list()) {
    const shown = await acp.load(sessionId);
    if (shown.some(({ sessionUpdate }) => sessionUpdate === "plan")) planned = sessionId;
  }
  expect(plans()).toEqual([["read completed", "write in_progress"]]);
  choose(acp, "Go without a summary", "Conversation only");
  const from = acp.updates.length;
  await acp.say(planned, "/switch #2");
  await acp.say(planned, "/switch #1");
  expect(plans().slice(1), acp.answer(from)).toEqual([[], ["read completed", "write in_progress"]]);
  await acp.end();
});

test("images, links and embedded files reach the session; usage and compactions are told as such", async () => {
  const acp = new AcpClient(makePlace(), { isHere: true, capabilities: { session: { compaction: {}, notices: {} } } });
  const { sessionId } = await acp.begin();
  const uri = (name: string) => pathToFileURL(join(acp.place.cwd, name)).href;
  const prompt = [
    { type: "text", text: "read " },
    { type: "resource_link", uri: uri("notes.txt"), name: "notes.txt" },
    { type: "image", data: PIXEL, mimeType: "image/png" },
    { type: "resource", resource: { uri: uri("app.js"), text: "console.log('unsaved')" } },
  ];
  expect(await acp.agent.request("session/prompt", { sessionId, prompt } as never)).toMatchObject({
    stopReason: "end_turn",
  });
  const loaded = await acp.load(sessionId);
  const said = JSON.stringify(loaded.filter(({ sessionUpdate }) => sessionUpdate === "user_message_chunk"));
  expect([said.includes("@notes.txt"), said.includes("unsaved"), said.includes(PIXEL)]).toEqual([true, true, true]);

  for (const text of ["hello", "what is in this folder?", "hello"]) await acp.say(sessionId, text);
  const from = acp.updates.length;
  await acp.say(sessionId, "/compact");
  const kinds = acp.updates.slice(from).map(({ update }) => update);
  expect(kinds.flatMap((update) => (update.sessionUpdate === "compaction_update" ? [update.status] : []))).toEqual([
    "in_progress",
    "completed",
  ]);
  const used = kinds.flatMap((update) => (update.sessionUpdate === "usage_update" ? [update.used] : []));
  expect(used.length).toBeGreaterThan(0);
  expect(JSON.stringify(await acp.load(sessionId))).toContain("The model sees this instead of them");
  await acp.end();
});
