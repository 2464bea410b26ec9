import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { POSITION_TYPE, type SessionEntry } from "@bough/session/entry/index.js";
import { describe, expect, it } from "vitest";
import { storedZstd } from "../../../../../test/support/stored-zstd.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { readWhole } from "../reading.test-support.js";
import { codexReader } from "./codex-reader.js";

const TIME = "2026-03-04T10:00:00.000Z";
const THREAD = "0196aaaa-0000-7000-8000-00000000000a";

const line = (type: string, payload: object) => JSON.stringify({ timestamp: TIME, type, payload });
const meta = (id: string, more: object = {}) =>
  line("session_meta", { id, timestamp: TIME, cwd: "/repo", originator: "x", cli_version: "0.1.0", ...more });
const event = (type: string, more: object = {}) => line("event_msg", { type, ...more });
const item = (type: string, more: object = {}) => line("response_item", { type, ...more });
const said = (role: "user" | "assistant", text: string) =>
  item("message", { role, content: [{ type: role === "user" ? "input_text" : "output_text", text }] });
const call = (id: string, name: string, args: object) =>
  item("function_call", { name, arguments: JSON.stringify(args), call_id: id });
const output = (id: string, text: string) => item("function_call_output", { call_id: id, output: text });
const tokens = (input: number, total: number) =>
  event("token_count", {
    info: { total_token_usage: { total_tokens: total }, last_token_usage: { input_tokens: input, output_tokens: 5 } },
  });

function rollout(root: string, id: string, lines: readonly string[], clock = "10-00-00"): string {
  const path = join(root, `.codex/sessions/2026/03/04/rollout-2026-03-04T${clock}-${id}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.map((text) => `${text}\n`).join(""));
  return path;
}

const read = (path: string) => readWhole(codexReader, path, nameOf);

function nameOf(entry: SessionEntry): string | undefined {
  if (entry.type === "custom") return entry.customType === POSITION_TYPE ? "(leaf)" : undefined;
  if (entry.type === "custom_message") return "context";
  if (entry.type !== "message") return entry.type;
  const { message } = entry;
  if (message.role === "bashExecution") return `!${message.command}`;
  if (message.role !== "user" && message.role !== "assistant" && message.role !== "toolResult") return message.role;
  const content = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
  const words = content.map((block) =>
    "text" in block ? block.text : "name" in block ? `${block.name}()` : block.type,
  );
  const ending = message.role === "assistant" && message.stopReason !== "stop" ? ` [${message.stopReason}]` : "";
  return `${message.role[0]}:${words.join("+")}${ending}`;
}

describe("a rollout", () => {
  it("branches where turns were rolled back, with the leaf where the thread continued", async () => {
    const path = rollout(tempFolder(), THREAD, [
      meta(THREAD),
      ...[said("user", "one"), said("assistant", "1"), said("user", "two"), said("assistant", "2")],
      ...[event("thread_rolled_back", { num_turns: 1 }), said("user", "three"), said("assistant", "3")],
      event("thread_rolled_back", { num_turns: 2 }),
    ]);
    const { drawing } = await read(path);
    expect(drawing).toEqual([
      "u:one",
      "u:one -> a:1",
      "a:1 -> u:two",
      "u:two -> a:2",
      "a:1 -> u:three",
      "u:three -> a:3",
      "(leaf)",
    ]);
  });

  it("contains each text once, whichever record comes first, and twice if it was typed twice", async () => {
    const path = rollout(tempFolder(), THREAD, [
      ...[meta(THREAD), event("user_message", { message: "go" }), event("task_started"), said("user", "go")],
      ...[said("assistant", "gone"), event("agent_message", { message: "gone" }), event("task_complete")],
      ...[event("task_started"), said("user", "go"), event("user_message", { message: "go" }), event("task_complete")],
    ]);
    const { drawing, report } = await read(path);
    expect(drawing).toEqual(["u:go", "u:go -> a:gone", "a:gone -> u:go"]);
    expect(report.reported).toBe(3);
  });

  it("uses the text of an event that no item repeats", async () => {
    const path = rollout(tempFolder(), THREAD, [
      ...[meta(THREAD), event("user_message", { message: "hello" }), event("agent_message", { message: "hi" })],
    ]);
    expect((await read(path)).drawing).toEqual(["u:hello", "u:hello -> a:hi"]);
  });

  it("combines reasoning, text, calls and token usage in one answer", async () => {
    const path = rollout(tempFolder(), THREAD, [
      ...[meta(THREAD), said("user", "look"), item("reasoning", { id: "r", summary: [], encrypted_content: "e" })],
      ...[said("assistant", "Looking."), call("c1", "shell", { a: 1 }), call("c2", "shell", {})],
      ...[output("c1", "Exit code: 1\nOutput:\nno"), output("c2", "ok"), tokens(10, 15), tokens(10, 15)],
    ]);
    const { entries, drawing } = await read(path);
    expect(drawing).toEqual([
      "u:look",
      "u:look -> a:thinking+Looking.+shell()+shell() [toolUse]",
      "a:thinking+Looking.+shell()+shell() [toolUse] -> t:Exit code: 1\nOutput:\nno",
      "t:Exit code: 1\nOutput:\nno -> t:ok",
    ]);
    const messages = entries.flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
    expect(messages[1]).toMatchObject({ usage: { input: 10, output: 5 }, stopReason: "toolUse" });
    expect(messages[2]).toMatchObject({ toolCallId: "c1", toolName: "shell", isError: true });
  });

  it("assigns token usage that comes before an answer to that answer", async () => {
    const path = rollout(tempFolder(), THREAD, [
      ...[meta(THREAD), said("user", "a"), tokens(1, 6), said("assistant", "A"), said("user", "b")],
      ...[tokens(2, 13), said("assistant", "B")],
    ]);
    const answers = (await read(path)).entries.flatMap((entry) =>
      entry.type === "message" && entry.message.role === "assistant" ? [entry.message.usage.input] : [],
    );
    expect(answers).toEqual([1, 2]);
  });

  it("keeps a compaction with its replacement, and restores older history after a rollback", async () => {
    const history = [{ type: "message", role: "user", content: [{ type: "input_text", text: "what happened" }] }];
    const path = rollout(tempFolder(), THREAD, [
      ...[meta(THREAD), said("user", "one"), said("assistant", "1"), said("user", "two")],
      ...[line("compacted", { message: "", replacement_history: history }), said("assistant", "2")],
      ...[event("thread_rolled_back", { num_turns: 1 }), said("user", "three")],
    ]);
    const { entries, drawing } = await read(path);
    expect(drawing).toEqual([
      "u:one",
      "u:one -> a:1",
      "a:1 -> u:two",
      "u:two -> compaction",
      "compaction -> a:2",
      "a:1 -> u:three",
    ]);
    const compaction = entries.find((entry) => entry.type === "compaction");
    expect(compaction).toMatchObject({ summary: "what happened", firstKeptEntryId: compaction?.id });
  });

  it("distinguishes what was typed from what Codex sent to the model", async () => {
    const shell =
      "<user_shell_command>\n<command>\nls\n</command>\n<result>\nExit code: 0\nOutput:\na.txt\n</result>\n</user_shell_command>";
    const path = rollout(tempFolder(), THREAD, [
      ...[meta(THREAD), said("user", "<environment_context>\n<cwd>/x</cwd>\n</environment_context>")],
      ...[said("user", shell), said("user", "hello")],
    ]);
    expect((await read(path)).drawing).toEqual(["context", "context -> !ls", "!ls -> u:hello"]);
  });

  it("records how turns ended that failed or were interrupted", async () => {
    const path = rollout(tempFolder(), THREAD, [
      ...[meta(THREAD), said("user", "a"), event("task_complete", { error: { message: "busy" } })],
      ...[said("user", "b"), call("c", "shell", {}), event("turn_aborted", { reason: "interrupted" })],
    ]);
    const { drawing } = await read(path);
    expect(drawing).toEqual(["u:a", "u:a -> a: [error]", "a: [error] -> u:b", "u:b -> a:shell() [aborted]"]);
  });

  it("keeps unknown records as notes and names them", async () => {
    const path = rollout(tempFolder(), THREAD, [
      meta(THREAD),
      line("hologram", { x: 1 }),
      line("constructor", {}),
      item("smell", {}),
      event("taste", {}),
    ]);
    const { report } = await read(path);
    expect(report.unknown).toEqual(["constructor", "event_msg/taste", "hologram", "response_item/smell"]);
    expect(report.notes).toBe(5);
  });

  it("is read from a compressed file", async () => {
    const path = rollout(tempFolder(), THREAD, []).replace(/\.jsonl$/, ".jsonl.zst");
    const text = [meta(THREAD), said("user", "cold"), said("assistant", "warm")].map((each) => `${each}\n`).join("");
    writeFileSync(path, storedZstd(Buffer.from(text)));
    expect(await codexReader.detect(path)).toBe(true);
    const { drawing, source } = await read(path);
    expect(drawing).toEqual(["u:cold", "u:cold -> a:warm"]);
    expect(source).toMatchObject({ id: THREAD, cwd: "/repo", title: "cold" });
  });
});

describe("rollouts that belong together", () => {
  const CHILD = "0196aaaa-0000-7000-8000-00000000000b";

  it("attach a sub-agent to the call that started it, and the result names it", async () => {
    const home = tempFolder();
    const spawned = {
      source: { subagent: { thread_spawn: { parent_thread_id: THREAD, depth: 1, agent_nickname: "Ada" } } },
    };
    rollout(home, CHILD, [meta(CHILD, spawned), said("user", "search"), said("assistant", "found")], "10-00-05");
    const path = rollout(home, THREAD, [
      ...[meta(THREAD), said("user", "delegate"), call("c", "spawn_agent", { message: "search" })],
      ...[output("c", JSON.stringify({ agent_id: CHILD })), said("assistant", "done")],
    ]);
    const { entries, drawing, source } = await read(path);
    expect(source.files.length).toBe(2);
    expect(drawing).toEqual([
      "u:delegate",
      "u:delegate -> a:spawn_agent() [toolUse]",
      `a:spawn_agent() [toolUse] -> t:{"agent_id":"${CHILD}"}`,
      `t:{"agent_id":"${CHILD}"} -> a:done`,
      "a:spawn_agent() [toolUse] -> context",
      "context -> a:found",
      "a:done -> (leaf)",
    ]);
    const agent = entries.find((entry) => entry.type === "custom" && entry.customType === "bough.subagent");
    const result = entries.find((entry) => entry.type === "message" && entry.message.role === "toolResult");
    expect(agent).toMatchObject({ data: { agentId: CHILD, toolCallId: "c", callEntryId: agent?.parentId } });
    expect(result).toMatchObject({ message: { details: { subagent: agent?.id } } });
    const found: string[] = [];
    for await (const session of codexReader.find({ home })) found.push(session.id);
    expect(found).toEqual([THREAD]);
  });

  it("put a fork after the part of the history that it continues", async () => {
    const home = tempFolder();
    const numbered = (lines: readonly string[], from: number) =>
      lines.map((text, at) => JSON.stringify({ ...JSON.parse(text), ordinal: from + at }));
    rollout(
      home,
      THREAD,
      numbered([meta(THREAD), said("user", "one"), said("assistant", "1"), said("user", "later")], 0),
    );
    const base = { history_base: { thread_id: THREAD, end_ordinal_exclusive: 3, end_byte_offset: 0 } };
    const path = rollout(home, CHILD, numbered([meta(CHILD, base), said("user", "two")], 3), "11-00-00");
    const { drawing, report } = await read(path);
    expect(drawing).toEqual(["u:one", "u:one -> a:1", "a:1 -> u:two"]);
    expect(report).toMatchObject({ records: 6, reported: 1 });
  });

  it("name the thread that a fork continues if its rollout was not found", async () => {
    const base = { history_base: { thread_id: THREAD, end_ordinal_exclusive: 3, end_byte_offset: 0 } };
    const path = rollout(tempFolder(), CHILD, [meta(CHILD, base), said("user", "two")]);
    const { drawing, report } = await read(path);
    expect(drawing).toEqual(["u:two"]);
    expect(report.counts).toContainEqual(
      expect.objectContaining({
        type: "session_meta",
        lines: [[1, 1]],
        reason: `it continues thread ${THREAD}, which was not found`,
      }),
    );
  });
});
