import { endless, tool } from "@bough/agent/agent/agent-harness.test-support.js";
import { scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import { afterEach, describe, expect, test } from "vitest";
import { closeChats, type TestChat, testChat } from "./chat-harness.test-support.js";

afterEach(closeChats);

test("an answer that was cut short says so once, and what helps", async () => {
  const made = testChat({ model: scriptedModel([{ text: "half", stopReason: "length" }]) });
  await made.chat.submit("go");
  const shown = made.transcript();
  expect(shown.match(/output limit/g)).toHaveLength(1);
  expect(shown).toContain('Say "continue", or ask for smaller steps.');
});

test("a summary whose progress a panel shows has no second clock in the transcript", () => {
  let elsewhere = true;
  const made = testChat({ progressElsewhere: () => elsewhere });
  made.event({ type: "summary_start", purpose: "branch" });
  expect(made.transcript()).not.toContain("Summarizing");
  elsewhere = false;
  made.host.advance(1000);
  expect(made.transcript()).toContain("Summarizing");
});

describe("an answer that is being written", () => {
  test("grows in place, and its entry takes over without a line changing", async () => {
    const model = scriptedModel([
      { thinking: "hm", text: "# One\n\n- two\n- three", calls: [{ name: "wait" }] },
      "done",
    ]);
    const waiting = endless("wait");
    const made = testChat({ model, harness: { tools: [waiting] } });
    const screens: string[] = [];
    made.agent.subscribe((event) => {
      if (event.type === "tool_input" || event.type === "message_end") screens.push(made.transcript(60, 20));
    });
    const sent = made.chat.submit("go");
    await waiting.started;
    // The frame with the last chunk, and the one with the entry.
    const [beforeEnd, afterEnd] = screens.slice(-2);
    expect(beforeEnd).toBe(
      "· model scripted/script\n\n● go\n\n○ thinking: hm\n\n○ One\n\n  - two\n  - three\n\n· wait  waiting",
    );
    expect(afterEnd).toBe(beforeEnd);
    made.agent.abort();
    await sent;
    expect(made.transcript(60, 20)).toContain("✕ wait  failed");
  });

  test("half a code block, half a list and half a word are drawn as far as they have arrived", () => {
    const made = testChat();
    made.event({ type: "message_start", role: "assistant" });
    for (const delta of ["Look:\n\n```ts\nconst", " a =", " 1;\n"]) {
      made.event({ type: "message_update", part: "text", delta });
    }
    expect(made.transcript(40, 10)).toBe("\n○ Look:\n\n  ts\n    const a = 1;");
  });

  test("a long answer is not read again from its start with every piece", () => {
    const made = testChat({ testHost: { width: 80 } });
    let highlighted = 0;
    const { theme } = made.host;
    Object.defineProperty(theme, "highlight", {
      value: (code: string) => {
        highlighted += 1;
        return code.split("\n");
      },
    });
    made.event({ type: "message_start", role: "assistant" });
    made.event({ type: "message_update", part: "text", delta: "```ts\nconst a = 1;\n```\n\nAnd then " });
    for (let piece = 0; piece < 50; piece++) {
      made.event({ type: "message_update", part: "text", delta: `word ${piece} ` });
      made.transcript();
    }
    expect(highlighted).toBe(1);
  });

  test("the output of a failed attempt disappears, and the wait is shown", () => {
    const made = testChat();
    made.event({ type: "run_start" });
    made.event({ type: "message_start", role: "assistant" });
    made.event({ type: "message_update", part: "text", delta: "half" });
    const failure = { kind: "rate-limit", message: "429 too many", retryable: true } as const;
    made.event({ type: "retry", attempt: 2, delayMs: 4000, failure: failure as never });
    expect(made.transcript(80, 5)).toBe("\n✕ 429 too many · retrying in 4 s   Esc stops it");
    expect(made.transcript(24, 8)).toBe("\n✕ 429 too many ·\n  retrying in 4 s   Esc\n  stops it");
    made.host.advance(2500);
    expect(made.transcript(80, 5)).toContain("in 2 s");
    made.event({ type: "message_start", role: "assistant" });
    expect(made.transcript(80, 5)).toBe("");
  });
});

describe("a tool that runs", () => {
  const running = async (): Promise<{ made: TestChat; sent: Promise<void> }> => {
    const model = scriptedModel([{ calls: [{ id: "c1", name: "bash", arguments: { command: "npm test" } }] }, "ok"]);
    let started = (): void => {};
    const isRunning = new Promise<void>((resolve) => {
      started = resolve;
    });
    const bash = tool({
      name: "bash",
      execute: (_input, { onUpdate, signal }) => {
        onUpdate({ text: `${Array.from({ length: 20 }, (_, i) => `\x1b[32mtest ${i + 1}\x1b[0m`).join("\n")}\n` });
        started();
        return new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve({ content: [{ type: "text", text: "cut" }] }), { once: true });
        });
      },
    });
    const made = testChat({ model, harness: { tools: [bash] } });
    const sent = made.chat.submit("run the tests");
    await isRunning;
    return { made, sent };
  };

  test("shows its last lines and a clock", async () => {
    const { made, sent } = await running();
    made.host.advance(65_000);
    expect(made.transcript(50, 20)).toBe(
      [
        "· model scripted/script",
        "",
        "● run the tests",
        "",
        "· bash  npm test  1 min 5 s",
        ...[15, 16, 17, 18, 19, 20].map((n) => `  test ${n}`),
      ].join("\n"),
    );
    made.press("esc");
    await sent;
    const after = made.transcript(50, 20);
    expect(after).toContain("✕ bash  npm test  failed");
    expect(after).not.toContain("1 min 5 s");
  });

  test("a command of the user is shown where its entry will be", () => {
    const made = testChat();
    const command = "npm\ntest\x1b[2J";
    made.event({ type: "tool_start", toolCallId: "user-1", toolName: "bash", input: { command } });
    made.event({ type: "tool_update", toolCallId: "user-1", toolName: "bash", update: { text: "half\x1b[2J" } });
    expect(made.transcript()).toBe("\n· !  npm test\n  half");
    const message = { command, output: "half\nall", exitCode: 0, cancelled: false, truncated: false, timestamp: 0 };
    const entryId = made.session.appendMessage({ role: "bashExecution", ...message });
    made.event({ type: "message_end", entryId, message: { role: "bashExecution", ...message } });
    expect(made.transcript()).toBe("\n· !  npm test\n  half\n  all");
  });

  test("a call that was cut off earlier is shown as interrupted", () => {
    const made = testChat();
    made.session.appendMessage({ role: "user", content: "go", timestamp: 0 });
    made.session.appendMessage({
      role: "assistant",
      content: [{ type: "toolCall", id: "c1", name: "bash", arguments: { command: "sleep 9" } }],
      api: "offline",
      provider: "p",
      model: "m",
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      stopReason: "toolUse",
      timestamp: 0,
    });
    made.chat.refresh();
    expect(made.transcript()).toBe("\n● go\n\n✕ bash  sleep 9  interrupted");
  });
});

describe("other things that happen", () => {
  test("a summary is shown while it is written, with how to stop it", () => {
    const made = testChat({ branchName: () => "#1" });
    made.session.appendMessage({ role: "user", content: "go", timestamp: 0 });
    made.event({ type: "summary_start", purpose: "branch" });
    made.host.advance(4000);
    expect(made.transcript()).toBe("\n● go\n\n◆ Summarizing #1 … 4 s   Esc stops it (you stay here)");
    made.event({ type: "summary_end", purpose: "branch", outcome: "done" });
    made.event({ type: "summary_start", purpose: "compaction" });
    expect(made.transcript()).toContain("◆ Compacting … 0 s   Esc stops it");
    made.event({ type: "summary_end", purpose: "compaction", outcome: "aborted" });
    expect(made.transcript()).toBe("\n● go");
  });

  test("notices stay below the entry they came after", () => {
    const made = testChat();
    made.session.appendMessage({ role: "user", content: "one", timestamp: 0 });
    made.event({ type: "notice", level: "warning", message: "The disk is full.", hint: "Make room." });
    made.session.appendMessage({ role: "user", content: "two", timestamp: 0 });
    made.chat.refresh();
    expect(made.transcript()).toBe("\n● one\n\n⚠ The disk is full.\n  Make room.\n\n● two");
  });

  test("another session replaces the first", async () => {
    const made = testChat();
    made.session.appendMessage({ role: "user", content: "one", timestamp: 0 });
    made.chat.refresh();
    expect(made.transcript()).toContain("one");
    await made.agent.newSession();
    expect(made.transcript()).not.toContain("one");
  });
});
