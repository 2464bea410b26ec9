// The samples to write and resume: transcripts of all agents, and sessions created here with everything a path can
// contain.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { foreignSessionAt, openSource } from "../../dist/interop/index.js";
import { SessionManager } from "../../dist/session/index.js";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
const SAMPLES = [
  join(PROJECT, "test/fixtures/interop"),
  process.env.BOUGH_FIXTURES ?? join(PROJECT, "../shared/fixtures"),
];

/**
 * `{ name, from, open() }` for each; `open` returns `{ session, close() }`. Uses the given transcripts, or all samples.
 */
export async function samples(paths) {
  const named = paths.length > 0 ? paths : SAMPLES.flatMap(filesBelow);
  const transcripts = [];
  for (const path of named) {
    const source = await sourceAt(path, paths.length > 0);
    if (source !== undefined) transcripts.push(transcript(source, path));
  }
  return paths.length > 0 ? transcripts : [...transcripts, ...made()];
}

function filesBelow(root) {
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true })
    .map((name) => join(root, String(name)))
    .filter((path) => !path.includes("subagents") && !path.includes("agent-"))
    .sort();
}

async function sourceAt(path, isNamed) {
  try {
    return await foreignSessionAt(path);
  } catch (error) {
    // Skips folders, notes about the samples, and files with several sessions.
    if (isNamed) throw error;
    return undefined;
  }
}

function transcript(source, path) {
  const root = SAMPLES.find((folder) => path.startsWith(folder)) ?? "";
  return { name: path.slice(root.length).replace(/^\//, ""), from: source.agent, open: () => openSource(source) };
}

function made() {
  return Object.entries(MADE).map(([name, fill]) => ({ name, from: "bough", open: async () => memorySession(fill) }));
}

function memorySession(fill) {
  const session = SessionManager.inMemory("/home/dev/project");
  fill(session);
  return { session, close: () => session.close() };
}

const USAGE = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 };
const ANTHROPIC = { api: "anthropic-messages", provider: "anthropic", model: "claude-sonnet-4-5" };
const OPENAI = { api: "openai-responses", provider: "openai", model: "gpt-5" };
/** One red pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

const text = (words) => ({ type: "text", text: words });
const call = (id, name, input) => ({ type: "toolCall", id, name, arguments: input });

function user(session, content) {
  return session.appendMessage({ role: "user", content, timestamp: Date.now() });
}

function answer(session, content, { stopReason = "stop", by = ANTHROPIC } = {}) {
  return session.appendMessage({ role: "assistant", content, ...by, usage: USAGE, stopReason, timestamp: Date.now() });
}

function result(session, toolCallId, content, isError = false) {
  const message = { role: "toolResult", toolCallId, toolName: "bash", content, isError, timestamp: Date.now() };
  return session.appendMessage(message);
}

const MADE = {
  "calls side by side, one of them failed": (session) => {
    user(session, "Look at both files.");
    const calls = [call("toolu_01", "read", { path: "a.txt" }), call("toolu_02", "bash", { command: "cat b.txt" })];
    answer(session, [text("Both at once."), ...calls], { stopReason: "toolUse" });
    result(session, "toolu_01", [text("alpha")]);
    result(session, "toolu_02", [text("no such file")], true);
    answer(session, [text("One is missing.")]);
  },
  "thinking of two providers, ids of another": (session) => {
    user(session, "Think first.");
    answer(session, [
      { type: "thinking", thinking: "Signed thoughts.", thinkingSignature: "c2lnbmVk" },
      text("Thought."),
    ]);
    user(session, "Now somebody else.");
    const thoughts = { type: "thinking", thinking: "Other thoughts.", thinkingSignature: "{}" };
    const calls = [call("call_abc|fc_0123456789", "exec_command", { cmd: "ls" })];
    answer(session, [thoughts, text("Listing."), ...calls], { stopReason: "toolUse", by: OPENAI });
    result(session, "call_abc|fc_0123456789", [text("a.txt")]);
    answer(session, [text("There is one file.")], { by: OPENAI });
  },
  "images, in a prompt and in a result": (session) => {
    const image = { type: "image", data: PIXEL, mimeType: "image/png" };
    user(session, [text("What is this?"), image]);
    answer(session, [text("Looking closer."), call("toolu_03", "read", { path: "pixel.png" })], {
      stopReason: "toolUse",
    });
    result(session, "toolu_03", [text("The picture:"), image]);
    answer(session, [text("A red dot.")]);
  },
  "a compaction that keeps the last turn": (session) => {
    user(session, "Old question.");
    answer(session, [text("Old answer.")]);
    const kept = user(session, "Kept question.");
    answer(session, [text("Kept call."), call("toolu_04", "bash", { command: "true" })], { stopReason: "toolUse" });
    result(session, "toolu_04", [text("kept output")]);
    answer(session, [text("Kept answer.")]);
    session.appendCompaction("Once there was an old question.", kept, 5000);
    user(session, "A question behind it.");
    answer(session, [text("An answer behind it.")]);
  },
  "two compactions, the last keeps nothing": (session) => {
    user(session, "First question.");
    const kept = answer(session, [text("First answer.")]);
    session.appendCompaction("The first part in short.", kept, 5000);
    user(session, "Second question.");
    answer(session, [text("Second answer.")]);
    session.appendCompaction("Everything in short.", undefined, 6000);
    user(session, "Third question.");
    answer(session, [text("Third answer.")]);
  },
  "the second of two branches, with a summary of the first": (session) => {
    user(session, "A question with two ways.");
    const fork = answer(session, [text("Which way?")]);
    user(session, "The left way.");
    answer(session, [text("Left it is.")]);
    session.branchWithSummary(fork, "The left way was tried and led nowhere.");
    user(session, "The right way.");
    answer(session, [text("Right it is.")]);
  },
  "a call that was interrupted, and more behind it": (session) => {
    user(session, "Run something long.");
    answer(session, [text("Running."), call("toolu_05", "bash", { command: "sleep 100" })], { stopReason: "toolUse" });
    user(session, "Never mind.");
    answer(session, [text("Stopped.")]);
  },
  "a call that was interrupted, at the end": (session) => {
    user(session, "Run two things.");
    const calls = [call("toolu_06", "bash", { command: "true" }), call("toolu_07", "bash", { command: "sleep 100" })];
    answer(session, [text("Running both."), ...calls], { stopReason: "toolUse" });
    result(session, "toolu_06", [text("done")]);
  },
  "an answer that was stopped, with a call and its result": (session) => {
    user(session, "Start.");
    answer(session, [text("Starting."), call("toolu_08", "bash", { command: "true" })], { stopReason: "aborted" });
    result(session, "toolu_08", [text("stopped by the user")], true);
    user(session, "Go on.");
    answer(session, [text("Gone on.")]);
  },
  "a command of the user, a message of an extension, labels, a name, settings": (session) => {
    session.appendSessionInfo("A name");
    session.appendModelChange("openai", "gpt-5");
    session.appendThinkingLevelChange("high");
    const shell = { role: "bashExecution", command: "git status", output: "clean", exitCode: 0 };
    session.appendMessage({ ...shell, cancelled: false, truncated: false, timestamp: Date.now() });
    session.appendCustomMessageEntry("notes.reminder", "Remember the milk.", true);
    const labelled = user(session, "Go.");
    session.appendLabelChange(labelled, "start");
    session.appendCustomEntry("notes.state", { count: 1 });
    answer(session, [text("Going.")], { by: OPENAI });
  },
  "a text that was edited out of the context": (session) => {
    const first = user(session, "The code word is cobalt.");
    answer(session, [text("Noted.")]);
    session.appendContextEdit(first, "The code word is not said here.");
    user(session, "Was it said?");
    answer(session, [text("No.")]);
  },
  "two hundred turns": (session) => {
    for (let turn = 1; turn <= 200; turn += 1) {
      user(session, `Question ${turn}.`);
      answer(session, [text(`Step ${turn}.`), call(`toolu_t${turn}`, "bash", { turn })], { stopReason: "toolUse" });
      result(session, `toolu_t${turn}`, [text(`Output ${turn}`)]);
      answer(session, [text(`Answer ${turn}.`)]);
    }
  },
};
