import { says, tool } from "@bough/agent/agent/agent-harness.test-support.js";
import { scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import type { MessageRenderer } from "@bough/agent/extension/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { span } from "@bough/session/view/index.js";
import { afterEach, describe, expect, test } from "vitest";
import { ALL_KEYS } from "../keys/all-keys.js";
import { createKeyMap } from "../keys/create-key-map.js";
import { createTheme } from "../theme/create-theme.js";
import { answer, closeChats, type TestChat, type TestChatOptions, testChat } from "./chat-harness.test-support.js";

afterEach(closeChats);

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
    const made = testChat({ model: scriptedModel([TURN, "All pass."]), harness: { tools: TOOLS }, ...options });
    await made.chat.submit("wire the tokenizer");
    return made;
  };

  test("after a move inside a turn, results that are not on the path are gone", async () => {
    const { transcript, agent } = await turn();
    expect(transcript(80, 40)).toContain("line 12");
    const path = agent.session.getBranch();
    const first = path.find((entry) => entry.type === "message" && entry.message.role === "toolResult");
    await agent.switchTo(first?.id as string, { files: "stay" });
    expect(transcript(80, 40)).not.toContain("line 12");
  });

  test("80 columns", async () => {
    const { transcript } = await turn();
    expect(transcript(80, 40)).toMatchInlineSnapshot(`
      "· model scripted/script

      ● wire the tokenizer

      ○ thinking: The tokenizer comes first. Then the rest.

      ○ Plan

        Start from here:

        ts
          const a = 1;

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
        1  same
        2 -old
        2 +new

      ○ All pass."
    `);
  });

  test("40 columns in ASCII", async () => {
    const { transcript } = await turn({ testHost: { glyphs: "ascii" } });
    expect(transcript(40, 40)).toMatchInlineSnapshot(`
      "- model scripted/script

      * wire the tokenizer

      o thinking: The tokenizer comes first...

      o Plan

        Start from here:

        ts
          const a = 1;

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
        1  same
        2 -old
        2 +new

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

        ts
          const a = 1;

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
        1  same
        2 -old
        2 +new

      ○ All pass."
    `);
  });

  test("thinking and tools open with their keys and fold again", async () => {
    const { transcript, press, host } = await turn();
    const folded = transcript(80, 60);
    expect(folded).toContain("~ 6 more lines · Ctrl+O");
    press("ctrl+t", "ctrl+o");
    const shown = transcript(80, 60);
    expect(shown).toContain("  Then the rest.");
    expect(shown).toContain("  line 1\n  line 2\n");
    expect(host.statuses.map(({ message }) => message)).toEqual(["Thinking: open.", "Tool output: open."]);
    press("ctrl+t", "ctrl+o");
    expect(transcript(80, 60)).toBe(folded);
  });

  test("one block opens individually, by a click or as the lowest one", async () => {
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
    const { transcript, chat } = testChat({ harness: { session }, branchName: () => "#1 main" });
    expect(transcript(60, 30)).toMatchInlineSnapshot(`
      "
      ● start

      ◆ summary of #1 main ▸

      ◆ summarized 41k tokens ▸

      ✕ !!  ls -l  not shown to the model · exit code 2
        a
        b

      ◈ weather
        rain

      ○ half

      ✕ 429 too many
        Send again to retry, or /model for another model"
    `);
    chat.toggle("notes");
    expect(transcript(60, 40)).toContain("  Goal\n\n  Kept words\n");
  });

  test("a failure whose cause is known says only what helps against it", () => {
    const session = SessionManager.inMemory("/project");
    session.appendMessage({ ...answer(""), stopReason: "error", errorMessage: "openai rejected the key (401)" });
    const { transcript, chat } = testChat({ harness: { session } });
    expect(transcript()).toContain("(401)\n  Send again to retry, or /model for another model");
    const failure = { kind: "auth", message: "", hint: "Check the key for openai.", retryable: false } as const;
    chat.handleEvent({ type: "run_end", outcome: { kind: "failed", failure } });
    expect(transcript().trim()).toBe("✕ openai rejected the key (401)\n\n· Check the key for openai.");
  });

  test("how a command ended stays longer than that the model does not see it", () => {
    const session = SessionManager.inMemory("/project");
    const shell = {
      command: "npm run build",
      output: "",
      exitCode: 1,
      cancelled: false,
      truncated: false,
      timestamp: 0,
    };
    session.appendMessage({ role: "bashExecution", ...shell, excludeFromContext: true });
    const { transcript } = testChat({ harness: { session } });
    expect([80, 40, 20].map((width) => transcript(width, 4).trim())).toEqual([
      "✕ !!  npm run build  not shown to the model · exit code 1",
      "✕ !!  npm run build  exit code 1",
      "✕ !!  npm run build",
    ]);
  });

  test("an extension draws its own messages, as text, lines or a component, with colors and nothing else", () => {
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
    const { chat, host } = testChat({
      harness: { session },
      renderer: (type) => renderers[type] as MessageRenderer | undefined,
    });
    const { lines } = chat.drawTranscript({ width: 40, height: 20 });
    expect(lines.slice(0, 18)).toMatchInlineSnapshot(`
      [
        "",
        "◈ text",
        "  one",
        "  two",
        "",
        "◈ lines",
        "  [31mred[0m[0m",
        "  wide wide wide wide wide wide wide wid",
        "",
        "◈ component",
        "  for 38",
        "",
        "◈ broken",
        "  broken",
        "",
        "◈ odd",
        "  odd",
        "",
      ]
    `);
    expect(host.statuses.map(({ message }) => message)).toEqual(["The renderer for broken failed: no weather"]);
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
    const { transcript } = testChat({ harness: { session } });
    expect(transcript()).toBe("\n● look\n  [image 1x1 png]\n  [image x]");
  });

  test("the introduction is above the first entry, and notices are below the last", () => {
    const { chat, transcript } = testChat();
    chat.setIntro([[span("New session", "strong")]]);
    chat.note("Found 14 sessions.");
    expect(transcript()).toBe("New session\n\n· Found 14 sessions.");
  });
});

describe("changes of files", () => {
  function changed(
    name: string,
    given: Readonly<Record<string, unknown>>,
    details: unknown,
    isError = false,
  ): TestChat {
    const session = SessionManager.inMemory("/project");
    const call = { type: "toolCall", id: "c1", name, arguments: given } as const;
    session.appendMessage({ ...answer(""), content: [call], stopReason: "toolUse" });
    session.appendMessage({
      role: "toolResult",
      toolCallId: "c1",
      toolName: name,
      content: [{ type: "text", text: "written" }],
      details,
      isError,
      timestamp: 0,
    });
    return testChat({ harness: { session } });
  }

  test("a removed line that looks like the head of a diff is shown", () => {
    const diff = "--- a.sql\n+++ a.sql\n@@ -1,2 +1,1 @@\n--- a comment\n kept\n\\ No newline at end of file\n";
    const { transcript } = changed("edit", { path: "a.sql" }, { change: "changed", added: 0, removed: 1, diff });
    expect(transcript()).toBe("· edit  a.sql +0 -1\n  1 --- a comment\n  1  kept");
  });

  test("two places of a file have the numbers of their lines, and a mark between them", () => {
    const diff = "--- a.ts\n+++ a.ts\n@@ -8,2 +8,2 @@\n x\n-old\n+new\n@@ -120,1 +120,2 @@\n y\n+more\n";
    const { transcript } = changed("edit", { path: "a.ts" }, { change: "changed", added: 2, removed: 1, diff });
    expect(transcript()).toBe("· edit  a.ts +2 -1\n    8  x\n    9 -old\n    9 +new\n  ⋯\n  120  y\n  121 +more");
  });

  test("a call that was not allowed is refused, and has not failed", () => {
    const { transcript } = changed("edit", { path: "a.ts" }, { denied: true }, true);
    expect(transcript()).toMatch(/^✕ edit {2}a\.ts {2}refused/);
  });

  test("a new file is shown as added lines, a few until it is expanded", () => {
    const content = Array.from({ length: 9 }, (_, i) => `\tline ${i + 1}\x1b[2J`).join("\n");
    const { transcript, chat } = changed("write", { path: "new.ts", content }, { change: "created" });
    expect(transcript()).toBe(
      "· write  new.ts (new)\n  1 +  line 1\n  2 +  line 2\n  3 +  line 3\n  4 +  line 4\n  ~ 5 more lines · Ctrl+O",
    );
    chat.toggle("tools");
    expect(transcript()).toContain("  9 +  line 9");
  });
});

describe("another look", () => {
  test("is taken at once when settings change the theme or the keys", () => {
    const session = SessionManager.inMemory("/project");
    session.appendMessage(answer("# Heading"));
    session.appendMessage({ role: "user", content: Array.from({ length: 30 }, () => "x").join("\n"), timestamp: 0 });
    const { chat, host } = testChat({ harness: { session } });
    const before = chat.drawTranscript({ width: 40, height: 60 }).lines.join("\n");
    const theme = createTheme({ name: "dark", colours: "all" });
    const keys = createKeyMap({ scopes: ALL_KEYS, overrides: { "chat.foldBlock": ["alt+v"] } });
    Object.defineProperties(host, { theme: { value: theme }, keys: { value: keys } });
    const after = chat.drawTranscript({ width: 40, height: 60 }).lines.join("\n");
    expect([before.includes("\x1b["), before.includes("Alt+O")]).toEqual([false, true]);
    expect([after.includes("\x1b["), after.includes("Alt+V")]).toEqual([true, true]);
  });
});
