// Hands a conversation over and draws the program's own screen with it, which shows things that print mode never does,
// such as a footer that adds up the tokens of stopped answers.
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writerFor, writeTranscript } from "../../dist/interop/index.js";
import { SessionManager } from "../../dist/session/index.js";
import { ANSWER } from "./model-server.mjs";
import { drawResumed } from "./screen.mjs";

const PROMPT = "What is her boat called?";
/** What must be visible. Programs draw calls, and failed and stopped answers, in different ways. */
const SAID = [
  "Where does the lighthouse stand?",
  "It stands on the northern island.",
  "Say it again, please.",
  "Her name is Maren.",
];

/**
 * `program.screen`: `{ args(plan), prepare?(home, address, cwd), environment?(), dialogs?, footer }`; the rest is as
 * for `tryResume`. True if everything was drawn and a new prompt was answered.
 */
export async function tryScreen(program, installed, serve) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "bough-screen-")));
  const cwd = join(home, "project");
  mkdirSync(cwd);
  const server = await serve();
  try {
    const { screen } = program;
    const plan = planned(program.agent, { home, cwd });
    writeTranscript(plan);
    program.prepare(home, server.address);
    screen.prepare?.(home, server.address, cwd);
    const env = {
      ...{ PATH: installed.path, HOME: home },
      ...program.environment(home, server.address),
      ...screen.environment?.(home, server.address),
    };
    const [, ...before] = plan.resume.before ?? [];
    if (before.length > 0) spawnSync(installed.file, before, { cwd, env });
    const { after } = await drawResumed({
      ...{ file: installed.file, args: screen.args(plan), cwd, env },
      ...{ said: SAID, footer: screen.footer, dialogs: screen.dialogs },
      ...{ prompt: PROMPT, answer: ANSWER, requests: server.requests },
    });
    console.log(`drawn    the conversation, the footer and a new turn on the screen of ${program.command}:\n${after}`);
    return true;
  } catch (error) {
    console.log(`FAILED   the screen of ${program.command}: ${error.message}`);
    return false;
  } finally {
    server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

function planned(agent, { home, cwd }) {
  const session = conversation(cwd);
  const entries = session.getBranch();
  return writerFor(agent).planWrite({ entries, cwd, places: { home }, now: () => new Date(), newId: randomUUID });
}

/** A call with its result, a failed and a stopped answer, and usage without costs. */
function conversation(cwd) {
  const session = SessionManager.inMemory(cwd);
  const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 };
  const by = { api: "anthropic-messages", provider: "anthropic", model: "claude-sonnet-4-5", usage, timestamp: 2 };
  const text = (words) => ({ type: "text", text: words });
  const ask = (content) => session.appendMessage({ role: "user", content, timestamp: 1 });
  const say = (content, stopReason, more = {}) =>
    session.appendMessage({ role: "assistant", content, ...by, stopReason, ...more });
  ask("Where does the lighthouse stand?");
  const call = { type: "toolCall", id: "c1", name: "bash", arguments: { command: "cat island.txt" } };
  say([text("Let me look it up."), call], "toolUse");
  const result = { role: "toolResult", toolCallId: "c1", toolName: "bash", isError: false, timestamp: 3 };
  session.appendMessage({ ...result, content: [text("on the northern island")] });
  say([text("It stands on the northern island.")], "stop");
  ask("And who keeps it?");
  say([], "error", { errorMessage: "overloaded" });
  say([text("A keeper called")], "aborted");
  ask("Say it again, please.");
  say([text("Her name is Maren.")], "stop");
  return session;
}
