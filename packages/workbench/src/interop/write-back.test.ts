/** Paths written for Gemini CLI and opencode and read back show the model the same. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentMessage, AssistantMessage } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { detectAgent, writerFor } from "./agents.js";
import type { AgentName, WritePlan } from "./contract.js";
import { handedPath } from "./handoff/handed-path.js";
import { writeTranscript } from "./handoff/handoff-transcript.js";
import { openForeign } from "./open-foreign.js";

const samples = fileURLToPath(new URL("../../../../test/fixtures/interop", import.meta.url));
const files = readdirSync(samples, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.jsonl?$/.test(name) && !name.includes("subagent") && !name.includes("agent-"))
  .map((name) => join(samples, name))
  .sort();

/** What the model sees, without what is specific to each program: text around summaries, signatures, token counts. */
function shownBy(messages: readonly AgentMessage[]): string[] {
  return messages.flatMap((message) => {
    if (message.role === "assistant") return message.content.flatMap(blockWords);
    if (message.role === "toolResult") return [`result ${message.toolCallId}: ${textOf(message.content)}`];
    if (message.role === "compactionSummary" || message.role === "branchSummary")
      return [`said: ${plain(message.summary)}`];
    return "content" in message ? [`said: ${plain(textOf(message.content))}`] : [];
  });
}

function blockWords(block: AssistantMessage["content"][number]): string[] {
  if (block.type === "text") return block.text === "" ? [] : [`answer: ${block.text}`];
  return block.type === "toolCall" ? [`call ${block.id}: ${JSON.stringify(block.arguments)}`] : [];
}

const plain = (text: string) => text.replace(/<\/?state_snapshot>/g, "").trim();

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const blocks = (content ?? []) as readonly { readonly text?: string; readonly data?: string }[];
  return blocks.map(({ text, data }) => text ?? data ?? "").join("\n");
}

function saidIn(session: SessionManager, id: string): string {
  const { content } = session.getEntry(id) as { readonly content?: unknown };
  return `said: ${plain(textOf(content))}`;
}

function planOf(session: SessionManager, agent: AgentName, home = tempFolder()): WritePlan {
  let made = 0;
  return writerFor(agent).planWrite({
    entries: session.getBranch(),
    cwd: home,
    places: { home },
    now: () => new Date("2026-12-01T08:09:10.000Z"),
    newId: () => `00000000-0000-4000-8000-${String(made++).padStart(12, "0")}`,
    ...(session.getSessionName() === undefined ? {} : { title: session.getSessionName() as string }),
  });
}

describe.each(["gemini", "opencode"] as const)("a path written for %s", (agent) => {
  it.each(files)("shows the model the same when read back: %s", async (path) => {
    if ((await detectAgent(path)) === undefined) return;
    const opened = await openForeign(path);
    const { leftOut } = handedPath(opened.session.getBranch(), agent);
    const instructions = new Set(leftOut.map(({ entryId }) => saidIn(opened.session, entryId)));
    const expected = shownBy(opened.session.buildSessionContext().messages).filter((line) => !instructions.has(line));
    const plan = planOf(opened.session, agent);
    opened.close();
    writeTranscript(plan);
    const again = await openForeign(plan.path);
    const shown = shownBy(again.session.buildSessionContext().messages);
    expect(again.source).toMatchObject({ agent, id: plan.sessionId });
    expect(again.report.reported).toBe(0);
    again.close();
    // Gemini CLI adds these to every chat.
    const isOwn = (line: string) => /^answer: Got it\. Thanks|^said: <session_context>/.test(line);
    expect(shown.filter((line) => agent !== "gemini" || !isOwn(line))).toEqual(
      expected.filter((line) => agent !== "gemini" || !isOwn(line)),
    );
  });
});

function talk(): SessionManager {
  const session = SessionManager.inMemory(tempFolder());
  const said = {
    api: "a",
    provider: "anthropic",
    model: "claude",
    usage: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
  };
  session.appendMessage({ role: "user", content: "/etc/hosts is wrong.", timestamp: 1 });
  session.appendMessage({
    role: "assistant",
    content: [
      { type: "thinking", thinking: "Hm.", thinkingSignature: "sig" },
      { type: "text", text: "Looking." },
      { type: "toolCall", id: "c1", name: "mcp:read file", arguments: { path: "/etc/hosts" } },
    ],
    ...said,
    stopReason: "toolUse",
    timestamp: 2,
  });
  session.appendModelChange("acme", "one");
  session.appendLabelChange(session.getLeafId() as string, "here");
  return session;
}

describe("requirements of the programs", () => {
  it("Gemini CLI finds a chat in the folder it registered, or else by a marker in a folder of its own", () => {
    const home = tempFolder();
    const first = planOf(talk(), "gemini", home);
    const [mark] = first.beside ?? [];
    expect(mark).toEqual({ path: join(first.path, "..", "..", ".project_root"), text: home });
    writeTranscript(first);
    expect(readFileSync(mark?.path ?? "", "utf8")).toBe(home);
    const second = planOf(talk(), "gemini", home);
    expect([second.beside, join(second.path, "..")]).toEqual([undefined, join(first.path, "..")]);
  });

  it("Gemini CLI gets a file name of a past minute, because it overwrites a session of the current one", () => {
    const { path, lines } = planOf(talk(), "gemini");
    expect(path).toMatch(/session-2026-12-01T08-08-00000000\.jsonl$/);
    const { startTime, lastUpdated } = JSON.parse([...lines][0] ?? "");
    expect([startTime, lastUpdated]).toEqual(["2026-12-01T08:08:10.000Z", "2026-12-01T08:09:10.000Z"]);
  });

  it.each([
    ['model_provider = "loopback"', "loopback"],
    ["model_provider = 'loopback' # mine", "loopback"],
    ['profile = "work"\nmodel_provider = "other"\n[profiles.work]\nmodel_provider = "loopback"', "loopback"],
    ['model = "gpt-5"\n[model_providers.loopback]\nmodel_provider = "no"', undefined],
    ['model_provider = """\nlong"""', undefined],
    ["", undefined],
  ])("Codex gets the provider that it is set up with, or none: %j", (config, provider) => {
    const home = tempFolder();
    mkdirSync(join(home, ".codex"));
    writeFileSync(join(home, ".codex", "config.toml"), config);
    const [meta] = planOf(talk(), "codex", home).lines;
    expect(JSON.parse(meta ?? "").payload.model_provider).toBe(provider);
  });

  it("for Gemini CLI, a message that looks like a command gets a word in front, which is reported", () => {
    const { lines, losses } = planOf(talk(), "gemini");
    expect(JSON.parse([...lines][1] ?? "").content).toEqual([{ text: "User: " }, { text: "/etc/hosts is wrong." }]);
    expect(losses.map(({ what }) => what)).toEqual([
      "a thinking signature",
      "a settings change",
      "a label",
      "a message that looks like a command",
    ]);
  });

  it.each(["gemini", "opencode"] as const)(
    "%s gets a result for a call that never had one, and plain names",
    (agent) => {
      const text = [...planOf(talk(), agent).lines].join("\n");
      expect(text).toContain("mcp_read_file");
      expect(text).toMatch(/"(?:error|status)":"/);
      expect(text).toContain("interrupted");
    },
  );

  it("an export for opencode is one JSON value whose IDs sort in order", () => {
    const plan = planOf(talk(), "opencode");
    writeTranscript(plan);
    const { info, messages } = JSON.parse(readFileSync(plan.path, "utf8"));
    const ids: string[] = messages.map((message: { info: { id: string } }) => message.info.id);
    expect([info.id, ids.toSorted()]).toEqual([plan.sessionId, ids]);
    expect(info.id).toMatch(/^ses_[0-9a-f]{12}[0-9A-Za-z]{14}$/);
    expect(existsSync(plan.path)).toBe(true);
  });

  it.each(["gemini", "opencode"] as const)("an empty conversation is refused for %s", (agent) => {
    expect(() => planOf(SessionManager.inMemory(tempFolder()), agent)).toThrow(
      expect.objectContaining({ code: "nothing-to-write" }),
    );
  });
});

describe("an answer of a program that does not name its model", () => {
  it.each<[AgentName, string]>([
    ["claude-code", '"model":"unknown"'],
    ["opencode", '"modelID":"unknown"'],
  ])("is written for %s with a name, without which that program does not take it", (agent, expected) => {
    const session = SessionManager.inMemory("/p");
    session.appendMessage({ role: "user", content: "Go.", timestamp: 1 });
    const answer = { role: "assistant", content: [{ type: "text", text: "Gone." }], stopReason: "stop", timestamp: 1 };
    session.appendMessage(answer as unknown as AssistantMessage);
    expect([...planOf(session, agent).lines].join("\n")).toContain(expected);
    session.close();
  });
});
