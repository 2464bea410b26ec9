import { afterEach, describe, expect, test } from "vitest";
import { says, tool } from "../../agent/agent-harness.test-support.js";
import { scriptedModel } from "../../agent/scripted-model.test-support.js";
import type { AssistantMessage } from "../../entry/index.js";
import { SessionManager } from "../../session/index.js";
import { span } from "../../view/index.js";
import { type TestChat, type TestChatOptions, testChat } from "./chat-harness.test-support.js";

const open: TestChat[] = [];
afterEach(() => {
  for (const { chat } of open.splice(0)) chat.dispose();
});

function opened(options?: TestChatOptions): TestChat {
  const made = testChat(options);
  open.push(made);
  return made;
}

function answer(text: string): AssistantMessage {
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

function longSession(turns: number): SessionManager {
  const session = SessionManager.inMemory("/project");
  for (let turn = 1; turn <= turns; turn++) {
    session.appendMessage({ role: "user", content: `prompt ${turn}`, timestamp: 0 });
    session.appendMessage(answer(`answer ${turn}`));
  }
  return session;
}

const DIFF = "--- a\n+++ b\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n";
const TOOLS = [
  tool({ name: "read", execute: () => says("a\nb\nc\n") }),
  tool({
    name: "bash",
    execute: () => ({
      content: [{ type: "text", text: Array.from({ length: 12 }, (_, i) => `line ${i + 1}`).join("\n") }],
      details: { exitCode: 1 },
      isError: true,
    }),
  }),
  tool({
    name: "edit",
    execute: () => ({
      content: [{ type: "text", text: "changed" }],
      details: { path: "src/lex.ts", change: "changed", added: 1, removed: 1, diff: DIFF },
    }),
  }),
];
const TURN = {
  thinking: "The tokenizer comes first.\nThen the rest.",
  text: "# Plan\n\nStart from **here**:\n\n```ts\nconst a = 1;\n```\n\n> quoted",
  calls: [
    { name: "read", arguments: { path: "src/lex.ts" } },
    { name: "bash", arguments: { command: "npm test" } },
    { name: "edit", arguments: { path: "src/lex.ts" } },
  ],
} as const;

describe("what a conversation looks like", () => {
  const turn = async (options: TestChatOptions = {}): Promise<TestChat> => {
    const made = opened({ model: scriptedModel([TURN, "All pass."]), harness: { tools: TOOLS }, ...options });
    await made.chat.submit("wire the tokenizer");
    return made;
  };

  test("80 columns", async () => {
    const { transcript } = await turn();
    expect(transcript(80, 40)).toMatchInlineSnapshot(`
      "· model scripted/script

      ● wire the tokenizer

      ○ thinking: The tokenizer comes first. Then the rest.

      ○ Plan

        Start from here:

        \`\`\`ts
          const a = 1;
        \`\`\`

        │ quoted

      · read  src/lex.ts  · 3 lines
      ✕ bash  npm test  exit code 1
        ~ 6 more lines · Ctrl+O
        line 7
        line 8
        line 9
        line 10
        line 11
        line 12
      · edit  src/lex.ts +1 -1
        @@ -1,2 +1,2 @@
         same
        -old
        +new

      ○ All pass."
    `);
  });

  test("40 columns in ASCII", async () => {
    const { transcript } = await turn({ testDesk: { glyphs: "ascii" } });
    expect(transcript(40, 40)).toMatchInlineSnapshot(`
      "- model scripted/script

      * wire the tokenizer

      o thinking: The tokenizer comes first...

      o Plan

        Start from here:

        \`\`\`ts
          const a = 1;
        \`\`\`

        | quoted

      . read  src/lex.ts  - 3 lines
      x bash  npm test  exit code 1
        ~ 6 more lines - Ctrl+O
        line 7
        line 8
        line 9
        line 10
        line 11
        line 12
      . edit  src/lex.ts +1 -1
        @@ -1,2 +1,2 @@
         same
        -old
        +new

      o All pass."
    `);
  });

  test("20 columns", async () => {
    const { transcript } = await turn();
    expect(transcript(20, 40)).toMatchInlineSnapshot(`
      "· model scripted/sc…

      ● wire the tokenizer

      ○ thinking: The tok…

      ○ Plan

        Start from here:

        \`\`\`ts
          const a = 1;
        \`\`\`

        │ quoted

      · read  src/lex.ts
      ✕ bash  npm test
        ~ 6 more lines · …
        line 7
        line 8
        line 9
        line 10
        line 11
        line 12
      · edit  src/lex.ts …
        @@ -1,2 +1,2 @@
         same
        -old
        +new

      ○ All pass."
    `);
  });

  test("thinking and tools open with their keys and fold again", async () => {
    const { transcript, press, desk } = await turn();
    const folded = transcript(80, 60);
    expect(folded).toContain("~ 6 more lines · Ctrl+O");
    press("ctrl+t", "ctrl+o");
    const shown = transcript(80, 60);
    expect(shown).toContain("  Then the rest.");
    expect(shown).toContain("  line 1\n  line 2\n");
    expect(desk.statuses.map(({ message }) => message)).toEqual(["Thinking: open.", "Tool output: open."]);
    press("ctrl+t", "ctrl+o");
    expect(transcript(80, 60)).toBe(folded);
  });

  test("one block opens by itself, by a click or as the lowest one", async () => {
    const { transcript, chat } = await turn();
    const row = transcript(80, 40)
      .split("\n")
      .findIndex((line) => line.includes("bash  npm test"));
    expect([chat.toggleAt(row), chat.toggleAt(0), chat.toggleAt(500)]).toEqual([true, false, false]);
    expect(transcript(80, 60)).toContain("  line 1\n");
    expect(transcript(80, 60)).not.toContain("\n  Then the rest");
    chat.toggle("block");
    expect(transcript(80, 60)).toContain("  line 1\n");
  });

  test("notes, shell commands, changes and damage have their signs", () => {
    const session = SessionManager.inMemory("/project");
    const root = session.appendMessage({ role: "user", content: "start", timestamp: 0 });
    session.branchWithSummary(root, "## Goal\n\nKept **words**");
    session.appendCompaction("what was before", root, 41_000);
    session.appendMessage({
      role: "bashExecution",
      command: "ls -l",
      output: "a\nb",
      exitCode: 2,
      cancelled: false,
      truncated: false,
      excludeFromContext: true,
      timestamp: 0,
    });
    session.appendCustomMessageEntry("weather", "rain", true);
    session.appendMessage({ ...answer("half"), stopReason: "error", errorMessage: "429 too many" });
    const { transcript, chat } = opened({ harness: { session }, branchName: () => "#1 main" });
    expect(transcript(60, 30)).toMatchInlineSnapshot(`
      "
      ● start

      ◆ summary of #1 main ▸

      ◆ compacted: 41k → 4 tokens ▸

      ✕ !!  ls -l  not shown to the model · exit code 2
        a
        b

      ○ weather
        rain

      ○ half

      ✕ 429 too many
        Send a prompt to try again, or choose another model with
        /model"
    `);
    chat.toggle("notes");
    expect(transcript(60, 40)).toContain("  Goal\n\n  Kept words\n");
  });

  test("an extension draws its own messages, as text, lines or a component, with colours and nothing else", () => {
    const session = SessionManager.inMemory("/project");
    for (const type of ["text", "lines", "component", "broken", "odd"])
      session.appendCustomMessageEntry(type, type, true);
    const renderers: Readonly<Record<string, () => unknown>> = {
      text: () => "one\ntwo\x1b]0;title\x07\x1b[2J",
      lines: () => ["\x1b[31mred\x1b[0m", "wide ".repeat(40)],
      component: () => ({ render: (width: number) => [`for ${width}`] }),
      broken: () => {
        throw new Error("no weather");
      },
      odd: () => 42,
    };
    const { chat, desk } = opened({ harness: { session }, renderer: (type) => renderers[type] });
    const { lines } = chat.drawTranscript({ width: 40, height: 20 });
    expect(lines.slice(0, 13)).toMatchInlineSnapshot(`
      [
        "",
        "one",
        "two",
        "",
        "[31mred[0m[0m",
        "wide wide wide wide wide wide wide wide ",
        "",
        "for 40",
        "",
        "○ broken",
        "  broken",
        "",
        "○ odd",
      ]
    `);
    expect(desk.statuses.map(({ message }) => message)).toEqual(["The renderer for broken failed: no weather"]);
  });

  test("an image that is not drawn is named", async () => {
    const session = SessionManager.inMemory("/project");
    const data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const content = [
      { type: "text", text: "look" },
      { type: "image", data, mimeType: "image/png" },
      { type: "image", data: "nonsense", mimeType: "image/x\x1b[2J" },
    ] as const;
    session.appendMessage({ role: "user", content, timestamp: 0 });
    const { transcript } = opened({ harness: { session } });
    expect(transcript()).toBe("\n● look\n  [image 1x1 png]\n  [image x]");
  });

  test("an introduction stands above the first entry, and what is said in passing below the last", () => {
    const { chat, transcript } = opened();
    chat.setIntro([[span("New session", "strong")]]);
    chat.note("Found 14 sessions.");
    expect(transcript()).toBe("New session\n\n· Found 14 sessions.");
  });
});

describe("scrolling", () => {
  test("ten thousand messages open, scroll and grow at the cost of the window", () => {
    const { chat, transcript, press } = opened({ harness: { session: longSession(5000) } });
    expect(transcript(80, 20)).toContain("○ answer 5000");
    const first = chat.cost.drawn;
    expect(first).toBeLessThan(20);
    for (let frame = 0; frame < 50; frame++) transcript(80, 20);
    expect(chat.cost.drawn).toBe(first);
    for (let page = 0; page < 100; page++) {
      press("pageup");
      transcript(80, 20);
    }
    expect(chat.cost.drawn).toBeLessThan(1200);
    expect(chat.cost.kept).toBeLessThan(4000);
    press("ctrl+home");
    expect(transcript(80, 20)).toContain("● prompt 1\n");
    expect(chat.cost.drawn).toBeLessThan(1300);
  });

  test("memory holds what is near the window, however far somebody scrolls", () => {
    const { chat, transcript } = opened({ harness: { session: longSession(3000) } });
    transcript(80, 20);
    for (let page = 0; page < 700; page++) chat.scrollPages(-1);
    expect(transcript(80, 20)).toContain("● prompt 1\n");
    expect(chat.cost.kept).toBeLessThan(2100);
  });

  test("the window stays where it is while things arrive, and says how many", () => {
    const { chat, transcript, session, event, press } = opened({ harness: { session: longSession(50) } });
    transcript(80, 10);
    press("pageup");
    const before = transcript(80, 10).split("\n");
    expect(chat.following).toBe(false);
    expect(before.at(-1)).toBe(" ↓ more below · Ctrl+End");
    for (const text of ["one", "two"]) {
      const message = answer(text);
      event({ type: "message_end", entryId: session.appendMessage(message), message });
    }
    const after = transcript(80, 10).split("\n");
    expect(after.slice(0, -1)).toEqual(before.slice(0, -1));
    expect(after.at(-1)).toBe(" ↓ 2 new · Ctrl+End");
    press("ctrl+end");
    expect([chat.following, transcript(80, 10).endsWith("○ two")]).toEqual([true, true]);
  });

  test("scrolling down to the end follows again, and a conversation that fits does not scroll", () => {
    const { chat, transcript } = opened({ harness: { session: longSession(10) } });
    transcript(80, 10);
    chat.scrollLines(-5);
    expect(chat.following).toBe(false);
    chat.scrollLines(4);
    expect(chat.following).toBe(false);
    chat.scrollLines(1);
    expect(chat.following).toBe(true);
    transcript(80, 100);
    chat.scrollLines(-3);
    expect(chat.following).toBe(true);
  });

  test("keys go from prompt to prompt and back to the end", () => {
    const { chat, transcript, press } = opened({ harness: { session: longSession(20) } });
    transcript(80, 10);
    press("alt+p");
    const first = transcript(80, 10).split("\n")[0];
    press("alt+p");
    expect([first, transcript(80, 10).split("\n")[0]]).toEqual(["● prompt 18", "● prompt 17"]);
    press("alt+n");
    expect(transcript(80, 10).split("\n")[0]).toBe("● prompt 18");
    press("alt+n", "alt+n", "alt+n");
    expect(chat.following).toBe(true);
  });

  test("an entry is shown and marked; one that is not on the path is not", () => {
    const session = longSession(100);
    const ids = session.getBranchIds();
    const { chat, transcript } = opened({ harness: { session } });
    transcript(80, 10);
    expect(chat.showEntry(ids[100] as string)).toBe(true);
    expect(transcript(80, 10).split("\n").slice(0, 5)).toEqual(["", "○ answer 50", "", "❯ ● prompt 51", ""]);
    session.branch(ids[0] as string);
    expect([chat.showEntry(ids[100] as string), chat.showEntry("nowhere")]).toEqual([false, false]);
  });

  test("after a move the end of the new path is shown", () => {
    const session = longSession(100);
    const { chat, transcript } = opened({ harness: { session } });
    transcript(80, 10);
    chat.scrollPages(-3);
    session.branch(session.getBranchIds()[3] as string);
    chat.refresh();
    expect(transcript(80, 10)).toBe("\n● prompt 1\n\n○ answer 1\n\n● prompt 2\n\n○ answer 2");
  });

  test("the window may change its size at any time", () => {
    const { chat, transcript } = opened({ harness: { session: longSession(30) } });
    transcript(80, 10);
    chat.scrollLines(-20);
    for (const [width, height] of [
      [20, 3],
      [120, 50],
      [40, 1],
      [21, 7],
    ] as const) {
      expect(transcript(width, height)).toMatch(/answer|prompt|more below/);
    }
  });
});

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
    const made = opened({ harness: { session } });
    made.event({ type: "notice", level: "error", message: NASTY });
    made.event({ type: "message_start", role: "assistant" });
    // A sequence in two pieces is one sequence.
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
    const { transcript, chat } = opened({ harness: { session } });
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
    const { transcript } = opened({ harness: { session } });
    for (let width = 20; width < 60; width++) expect(transcript(width, 30)).not.toBe("");
  });
});
