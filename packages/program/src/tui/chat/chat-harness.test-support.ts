/** A chat over a real agent with a scripted model, drawn at any size without a terminal. */
import { type HarnessOptions, harness } from "@bough/agent/agent/agent-harness.test-support.js";
import type { AgentEvent, AgentSession } from "@bough/agent/agent/index.js";
import { scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import type { AssistantMessage } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { displayWidth } from "@bough/session/view/internal.js";
import { type TestHost, type TestHostOptions, testHost } from "../host/host.test-support.js";
import { namedKeyPress } from "../keys/named-key-press.test-support.js";
import { Chat, type ChatParts } from "./chat.js";

/** Chats opened by tests; closed by `closeChats`. */
const opened: Chat[] = [];

export interface TestChat {
  readonly chat: Chat;
  readonly agent: AgentSession;
  readonly session: SessionManager;
  readonly host: TestHost;
  /** Command lines that were run. */
  readonly commands: readonly string[];
  readonly doubleEscapes: () => number;
  press(...names: readonly string[]): boolean;
  type(text: string): void;
  /** The transcript as text; fails if a line is too wide or contains control characters. */
  transcript(width?: number, height?: number): string;
  /** The editor as text. */
  editor(width?: number, height?: number): string;
  event(event: AgentEvent): void;
}

export interface TestChatOptions extends Partial<ChatParts> {
  readonly model?: HarnessOptions["model"];
  readonly harness?: Partial<HarnessOptions>;
  readonly testHost?: TestHostOptions;
}

export function testChat(options: TestChatOptions = {}): TestChat {
  const host = testHost(options.testHost);
  const session = options.harness?.session ?? SessionManager.inMemory("/project");
  const { agent } = harness({ ...options.harness, model: options.model ?? scriptedModel([]), session });
  const commands: string[] = [];
  let doubleEscapes = 0;
  const chat = new Chat({
    host,
    agent,
    cwd: "/project",
    renderer: () => undefined,
    completeCommand: async () => undefined,
    isCommand: (line) => /^\/[a-z-]+(?:\s|$)/.test(line),
    runCommand: async (line) => {
      commands.push(line);
    },
    doubleEscape: () => {
      doubleEscapes += 1;
    },
    images: "name",
    ...options,
  });
  opened.push(chat);
  agent.subscribe((event) => chat.handleEvent(event));
  return {
    chat,
    agent,
    session,
    host,
    commands,
    doubleEscapes: () => doubleEscapes,
    press: (...names) => {
      let used = false;
      for (const name of names) used = chat.editor.handleKey(namedKeyPress(name));
      return used;
    },
    type: (text) => {
      for (const character of text) chat.editor.handleKey(namedKeyPress(character));
    },
    transcript: (width = 80, height = 24) => {
      const { lines } = chat.drawTranscript({ width, height });
      if (lines.length !== height) throw new Error(`${lines.length} lines were drawn where ${height} were asked for`);
      return checked(lines, width);
    },
    editor: (width = 80, height = 10) => {
      const { lines } = chat.editor.draw({ width, height });
      if (lines.length > height) throw new Error(`${lines.length} lines were drawn where ${height} fit`);
      return checked(lines, width);
    },
    event: (event) => chat.handleEvent(event),
  };
}

/** Lets pending work run that answers through the event loop. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

/** After each test: no chat keeps running. */
export function closeChats(): void {
  for (const chat of opened.splice(0)) chat.dispose();
}

export function answer(text: string): AssistantMessage {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  return {
    role: "assistant",
    content: [{ type: "text", text }],
    api: "offline",
    provider: "p",
    model: "m",
    usage,
    stopReason: "stop",
    timestamp: 0,
  };
}

export function longSession(turns: number): SessionManager {
  const session = SessionManager.inMemory("/project");
  for (let turn = 1; turn <= turns; turn++) {
    session.appendMessage({ role: "user", content: `prompt ${turn}`, timestamp: 0 });
    session.appendMessage(answer(`answer ${turn}`));
  }
  return session;
}

function checked(lines: readonly string[], width: number): string {
  for (const line of lines) {
    if (/[\x00-\x1f\x7f-\x9f]/.test(line)) throw new Error(`A control character was drawn: ${JSON.stringify(line)}`);
    if (displayWidth(line) > width) throw new Error(`A line is wider than ${width}: ${JSON.stringify(line)}`);
  }
  return lines
    .map((line) => line.trimEnd())
    .join("\n")
    .trimEnd();
}
