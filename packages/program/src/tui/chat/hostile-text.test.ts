import { SessionManager } from "@bough/session/session/index.js";
import { afterEach, describe, expect, test } from "vitest";
import { sampledStep } from "../../../../../test/support/sampled.js";
import { answer, closeChats, testChat } from "./chat-harness.test-support.js";

afterEach(closeChats);

describe("hostile text", () => {
  const NASTY = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202eevil\u2066\x00\x07 ok\x1b";

  test("no control character or reordering mark of any message reaches the screen", () => {
    const session = SessionManager.inMemory("/project");
    session.appendMessage({ role: "user", content: NASTY, timestamp: 0 });
    session.appendMessage({
      ...answer(
        `${NASTY} **b** &#x1b;[31m [x](http://a/\x1b]8;;evil\x07) \`${NASTY}\`\n\n\`\`\`${NASTY}\n${NASTY}\n\`\`\``,
      ),
      stopReason: "error",
      errorMessage: NASTY,
    });
    session.appendCustomMessageEntry(NASTY, NASTY, true);
    session.appendCompaction(NASTY, session.getLeafId() as string, 1);
    session.appendModelChange(NASTY, NASTY);
    const made = testChat({ harness: { session } });
    made.event({ type: "notice", level: "error", message: NASTY });
    made.event({ type: "message_start", role: "assistant" });
    // A sequence split into two pieces is still one sequence.
    made.event({ type: "message_update", part: "text", delta: "half \x1b[" });
    made.event({ type: "message_update", part: "text", delta: "2Jdone" });
    made.event({ type: "tool_input", toolCallId: "c", toolName: NASTY, delta: `{"command":"${NASTY}` });
    made.chat.toggle("notes");
    const screen = made.transcript(60, 60);
    expect(screen).toContain("half done");
    expect(screen).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  test("lines of megabytes and Markdown made to be slow are shown all the same", () => {
    const session = SessionManager.inMemory("/project");
    session.appendMessage({ role: "user", content: "x".repeat(5_000_000), timestamp: 0 });
    session.appendMessage(answer("宽".repeat(2_000_000)));
    session.appendMessage(answer("[a](".repeat(50_000)));
    session.appendMessage(answer("*a ".repeat(20_000)));
    session.appendMessage({
      role: "bashExecution",
      command: "y".repeat(100_000),
      output: "z".repeat(5_000_000),
      cancelled: false,
      truncated: true,
      timestamp: 0,
    });
    const { transcript, chat } = testChat({ harness: { session } });
    expect(transcript(40, 10)).toContain("zzz");
    chat.toggle("tools");
    chat.scrollTo("top");
    expect(transcript(40, 10)).toContain("● xxx");
  });

  test("wide characters never make a line too wide", () => {
    const session = SessionManager.inMemory("/project");
    const wide = "漢字テスト👩‍👩‍👧‍👦🇩🇪é️⃣ﷺ ".repeat(20);
    session.appendMessage({ role: "user", content: wide, timestamp: 0 });
    session.appendMessage(answer(`${wide}\n\n- ${wide}\n\n| ${wide} | b |\n|---|---|\n| 1 | ${wide} |`));
    const { transcript } = testChat({ harness: { session } });
    for (let width = 20; width < 60; width += sampledStep(7)) expect(transcript(width, 30)).not.toBe("");
  });
});
