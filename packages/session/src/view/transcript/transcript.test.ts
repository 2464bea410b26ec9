import { describe, expect, test } from "vitest";
import { answer, says, tree, user } from "../../context/tree-notation.test-support.js";
import type { SessionEntry } from "../../entry/index.js";
import { ASCII_GLYPHS } from "../glyphs.js";
import { displayWidth } from "../text/display-width.js";
import { blockTitle } from "./block-title.test-support.js";
import { entryBlocks } from "./entry-blocks.js";
import { finderAt, pathBlocks } from "./path-blocks.js";
import { toolTitle } from "./tool-title.js";
import { transcriptMarkdown } from "./transcript-markdown.js";

const call = (id: string, name: string, input: Record<string, unknown>) => ({
  type: "toolCall" as const,
  id,
  name,
  arguments: input,
});

const result = (toolCallId: string, text: string, rest: Record<string, unknown> = {}) =>
  says({ role: "toolResult", toolCallId, toolName: "x", content: [{ type: "text", text }], isError: false, ...rest });

const DIFF = "--- src/lex.ts\n+++ src/lex.ts\n@@ -1 +1 @@\n-a\n+b\n";

const CONVERSATION = tree("m-p-a-r1-r2-a2-s-c-b-e", {
  m: { type: "model_change", provider: "acme", modelId: "m-1" },
  p: says({
    role: "user",
    content: [
      { type: "text", text: "fix the tests" },
      { type: "image", data: "AA", mimeType: "image/png" },
    ],
    timestamp: 1,
  }),
  a: says(
    answer(
      { type: "thinking", thinking: "first the lexer" },
      "I look at it.",
      call("1", "bash", { command: "npm test" }),
      call("2", "edit", { path: "src/lex.ts" }),
      call("3", "read", { path: "src/lex.ts", offset: 10, limit: 5 }),
    ),
  ),
  r1: result("1", "2 failing\n[Exit code 1]", {
    isError: true,
    details: { exitCode: 1, truncated: true, fullOutputPath: "/tmp/out" },
  }),
  r2: result("2", "done", { details: { change: "changed", added: 3, removed: 1, diff: DIFF } }),
  a2: says({ ...answer("All"), stopReason: "error", errorMessage: "overloaded" }),
  s: says({
    role: "bashExecution",
    command: "git status",
    output: "clean",
    exitCode: 0,
    cancelled: false,
    truncated: false,
    excludeFromContext: true,
    timestamp: 1,
  }),
  c: { type: "compaction", summary: "We fixed the lexer.", tokensBefore: 41_000, tokensAfter: 3_000 },
  b: { type: "branch_summary", fromId: "r2", summary: "Tried a table." },
  e: { type: "custom_message", customType: "todo", content: "write docs", display: true },
}).entries;

const titles = (entries: readonly SessionEntry[], width = 60) =>
  pathBlocks(entries, { branchName: (id) => (id === "r2" ? "#4 lexer" : undefined) }).map((block) =>
    blockTitle(block, width),
  );

describe("the blocks of a path", () => {
  test("a label is a separate block below what it names, even if that is drawn elsewhere", () => {
    const entry = CONVERSATION.find(({ type }) => type === "message") as SessionEntry;
    const find = { resultOf: () => undefined, label: () => "good\u001b[31m one" };
    const blocks = entryBlocks(entry, find);
    expect(blocks.at(-1)).toMatchObject({ kind: "label", text: "good one" });
    expect(blockTitle(blocks.at(-1) as (typeof blocks)[number], 40)).toBe("⚑ good one");
  });

  test("a compaction says how large the whole context was and is, and never the size of its summary", () => {
    const title = (fields: object) =>
      titles(tree("c", { c: { type: "compaction", summary: "Done.", ...fields } }).entries)[0];
    expect(title({ tokensBefore: 15_000, tokensAfter: 3_400 })).toBe("◆ summarized 15k tokens into 3.4k");
    expect(title({ tokensBefore: 15_000 })).toBe("◆ summarized 15k tokens");
    expect(title({})).toBe("◆ summarized older messages");
  });

  test("pair calls with results and name what each thing is", () => {
    expect(titles(CONVERSATION)).toEqual([
      "· model acme/m-1",
      "● fix the tests",
      "○ thinking: first the lexer",
      "○ I look at it.",
      "✕ bash  npm test  · exit code 1",
      "· edit  src/lex.ts +3 -1",
      "✕ read  src/lex.ts:10-14  · interrupted",
      "○ All",
      "✕ overloaded",
      "· !! git status",
      "◆ summarized 41k tokens into 3k",
      "◆ summary of #4 lexer",
      "◈ todo: write docs",
    ]);
  });

  test("hold what a fold opens: output, diff, exit code, where the rest is", () => {
    const [bash, edit] = pathBlocks(CONVERSATION).filter((block) => block.kind === "tool");
    expect(bash).toMatchObject({
      id: "a:call:1",
      state: "failed",
      output: "2 failing\n[Exit code 1]",
      exitCode: 1,
      truncated: true,
      fullOutputPath: "/tmp/out",
      resultEntryId: "r1",
    });
    expect(edit).toMatchObject({ state: "done", diff: DIFF, exitCode: undefined, truncated: false });
    expect(pathBlocks(CONVERSATION)[1]).toMatchObject({ kind: "prompt", images: [{ mimeType: "image/png" }] });
  });

  test("have unique IDs that stay the same when the conversation continues", () => {
    const ids = pathBlocks(CONVERSATION).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(pathBlocks(CONVERSATION.slice(0, 4)).map(({ id }) => id)).toEqual(ids.slice(0, 7));
  });

  test("show a result whose call is gone, and of two results the first with its call", () => {
    const { entries } = tree("r-a-x-y", {
      r: result("9", "from nowhere"),
      a: says(answer(call("1", "ls", {}))),
      x: result("1", "first"),
      y: result("1", "second"),
    });
    expect(pathBlocks(entries).map((block) => [block.id, block.kind === "tool" ? block.output : ""])).toEqual([
      ["r:result", "from nowhere"],
      ["a:call:1", "first"],
      ["y:result", "second"],
    ]);
  });

  test("name merges and picks by where they came from, and leave bookkeeping out", () => {
    const { entries } = tree("l-n-u-h-o-q-b-p-d-x", {
      l: { type: "label", targetId: "l", label: "good" },
      n: { type: "session_info", name: "parser" },
      u: { type: "custom", customType: "bough.position" },
      h: { type: "custom_message", customType: "secret", content: "hidden", display: false },
      o: {
        type: "custom",
        customType: "bough.cherry-pick",
        data: { via: "merge", sourceIds: ["r1", "r2"], tipId: "r2" },
      },
      q: { type: "custom", customType: "bough.cherry-pick", data: { via: "cherry-pick", sourceIds: ["zz"] } },
      b: { type: "branch_summary", fromId: "r1", summary: "s", details: { mergedTipId: "r2" } },
      p: { type: "custom", customType: "bough.pin", data: { targetId: "r1", pinned: true } },
      d: { type: "custom", customType: "bough.driver", data: { agent: "x", version: "1.2", records: "protocol" } },
      x: { type: "unreadable", reason: "not JSON" },
    });
    expect(titles(entries)).toEqual([
      "◆ merged 2 entries from #4 lexer",
      "◆ picked 1 entry from another branch",
      "◆ merged #4 lexer",
      "· pinned: r1",
      "· turns by x 1.2, recorded from the protocol",
      "✕ This entry could not be read: not JSON",
    ]);
  });

  test("are made of anything a file may hold, without control characters", () => {
    const odd = tree("a-b-c-d-e-f-g", {
      a: says(null),
      b: says({ role: "user", content: 7 }),
      c: says({ role: "assistant", content: "just\u001b[31m text\u0007" }),
      d: says({ role: "toolResult", content: [{ type: "text", text: "\u001b]0;title\u0007out" }] }),
      e: { type: "surprise", anything: [1] },
      f: says({ role: "prophet", content: "told" }),
      g: { type: "model_change" },
    }).entries;
    expect(titles(odd)).toEqual(["● (empty)", "○ just text", "· tool", "◈ prophet: told"]);
    expect(JSON.stringify(pathBlocks(odd))).not.toMatch(/\\u001b|\\u0007/);
  });
});

test("of several changes of the thinking level in a row only the last has a row", () => {
  const change = (id: string, thinkingLevel: string) =>
    ({ type: "thinking_level_change", id, parentId: null, timestamp: "", thinkingLevel }) as unknown as SessionEntry;
  const message = { role: "user", content: "go", timestamp: 0 };
  const prompt = { type: "message", id: "p", parentId: null, timestamp: "", message } as unknown as SessionEntry;
  const shown = pathBlocks([
    change("a", "low"),
    change("b", "medium"),
    change("c", "high"),
    prompt,
    change("d", "off"),
  ]);
  expect(shown.map((block) => ("text" in block ? block.text : block.kind))).toEqual([
    "thinking high",
    "go",
    "thinking off",
  ]);
});

describe("the blocks of one entry", () => {
  const source = { entryAt: (n: number) => CONVERSATION[n] as SessionEntry };
  const path = CONVERSATION.map((_, index) => index);

  test("are the same as those of the whole path, found from its position", () => {
    const single = path.flatMap((at) => entryBlocks(source.entryAt(at), finderAt(source, path, at)));
    expect(single).toEqual(pathBlocks(CONVERSATION));
  });

  test("show a call at work as running", () => {
    const blocks = entryBlocks(source.entryAt(2), { resultOf: () => undefined, isRunning: (id) => id === "3" });
    expect(blocks.flatMap((block) => (block.kind === "tool" ? [block.state] : []))).toEqual([
      "interrupted",
      "interrupted",
      "running",
    ]);
  });
});

describe("titles", () => {
  test.each([
    ["bash", { command: "npm test\n--watch" }, {}, "bash  npm test --watch"],
    ["read", { path: "a.ts", offset: 3 }, {}, "read  a.ts:3-"],
    ["write", { path: "a.ts" }, { change: "created" }, "write  a.ts (new)"],
    ["grep", { pattern: "TODO", path: "src", glob: "*.ts" }, {}, "grep  TODO  src  *.ts"],
    ["find", { pattern: "*.ts" }, {}, "find  *.ts"],
    ["ls", {}, {}, "ls  ."],
    ["deploy", { target: "test", force: true, parts: ["a"] }, {}, "deploy  target: test  force: true"],
    ["clock", {}, {}, "clock"],
  ])("of %s say what it does", (name, input, details, title) => {
    expect(toolTitle(name, input, details)).toBe(title);
  });

  test("are cut by width, in either alphabet", () => {
    const [block] = pathBlocks(tree("p", { p: says(user("修正失败的边界情况 and more")) }).entries);
    if (block === undefined) throw new Error("no block");
    expect(blockTitle(block, 14)).toBe("● 修正失败的…");
    expect(blockTitle(block, 14, ASCII_GLYPHS)).toBe("* 修正失败...");
    for (let width = 0; width < 40; width++) expect(displayWidth(blockTitle(block, width))).toBeLessThanOrEqual(width);
  });
});

describe("Markdown", () => {
  test("reads from the first entry to the last", () => {
    expect(transcriptMarkdown(CONVERSATION, { title: "parser", branchName: () => "#4 lexer" })).toMatchInlineSnapshot(`
      "# parser

      _model acme/m-1_

      ## Prompt

      fix the tests

      _1 image not included_

      ## Answer

      I look at it.

      **bash** \`npm test\` (exit code 1)

      \`\`\`
      2 failing
      [Exit code 1]
      \`\`\`

      **edit** \`src/lex.ts +3 -1\`

      \`\`\`diff
      --- src/lex.ts
      +++ src/lex.ts
      @@ -1 +1 @@
      -a
      +b
      \`\`\`

      **read** \`src/lex.ts:10-14\` (interrupted)

      All

      **Failed:** overloaded

      **!** \`git status\`

      \`\`\`
      clean
      \`\`\`

      > **summarized 41k tokens into 3k**
      >
      > We fixed the lexer.

      > **summary of #4 lexer**
      >
      > Tried a table.

      **todo**

      write docs
      "
    `);
  });

  test("keeps output inside its fence, and leaves it out on request", () => {
    const { entries } = tree("a-r", {
      a: says(answer(call("1", "bash", { command: "echo `x`" }))),
      r: result("1", "```\n# not a heading\n```"),
    });
    expect(transcriptMarkdown(entries)).toContain("````\n```\n# not a heading\n```\n````");
    expect(transcriptMarkdown(entries, { tools: "names" })).toBe("## Answer\n\n**bash** `` echo `x` ``\n");
  });
});
