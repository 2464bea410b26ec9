import { describe, expect, test } from "vitest";
import { estimateTextTokens } from "../../model/internal.js";
import { answer, drawSession, result, says, user } from "../operation-parts.test-support.js";
import { filesTouched } from "./file-tracking.js";
import { joinSummary, summaryBody } from "./summary-parts.js";
import { summaryText } from "./summary-text.js";
import { contextTokens, estimateMessageTokens } from "./token-estimate.js";

describe("a conversation as text for a summariser", () => {
  test("shows who said what, calls with their input, and summaries; bookkeeping is left out", () => {
    const session = drawSession("A-b-r-s-k-m-x*", {
      b: says(answer("looking", { calls: [{ id: "1", name: "read", path: "a.ts" }] })),
      r: says(result("1", "not there", true)),
      s: (on) => void on.branchWithSummary("r", "tried it"),
      k: (on) => void on.appendThinkingLevelChange("high"),
      m: (on) => void on.appendCustomMessageEntry("lint", "clean", true),
      x: says({
        role: "bashExecution",
        command: "ls",
        output: "a.ts",
        cancelled: false,
        truncated: false,
        timestamp: 1,
      }),
    });
    expect(summaryText(session.getBranch())).toBe(
      [
        "[User]: A",
        '[Assistant]: looking\n[Assistant calls read]: {"path":"a.ts"}',
        "[Result of read (error)]: not there",
        "[Summary of another branch]: tried it",
        "[Note (lint)]: clean",
        "[User ran a command]: ls\na.ts",
      ].join("\n\n"),
    );
  });

  test("cuts tool results to 2,000 characters, never through a character", () => {
    const text = `${"x".repeat(1999)}😀${"y".repeat(500)}`;
    const session = drawSession("A-r*", { r: says(result("1", text)) });
    expect(summaryText(session.getBranch())).toBe(
      `[User]: A\n\n[Result of read]: ${"x".repeat(1999)}\n[… 502 more characters]`,
    );
  });

  test("leaves out the oldest where it would be too long, and says so", () => {
    const session = drawSession("A-b-C-d*", { A: says(user("long ".repeat(100))) });
    expect(summaryText(session.getBranch(), { maxTokens: 20 })).toBe(
      "[1 earlier entries omitted]\n\n[Assistant]: b\n\n[User]: C\n\n[Assistant]: d",
    );
  });
});

describe("token estimates", () => {
  test("count by script: four ASCII characters, but one ideograph, kana or hangul, make a token", () => {
    expect([
      estimateTextTokens("a".repeat(400)),
      estimateTextTokens("漢字かな".repeat(100)),
      estimateTextTokens("한국어".repeat(100)),
      estimateTextTokens("привет".repeat(100)),
      estimateTextTokens("😀".repeat(10)),
      estimateTextTokens(""),
    ]).toEqual([100, 400, 300, 250, 20, 0]);
  });

  test("count images, thinking and tool calls", () => {
    const image = { type: "image", data: "x".repeat(100_000), mimeType: "image/png" } as const;
    expect(estimateMessageTokens({ role: "user", content: [image], timestamp: 1 })).toBe(1504);
    const content = [
      { type: "thinking", thinking: "abcd" },
      { type: "toolCall", id: "1", name: "read", arguments: { path: "abc" } },
    ] as const;
    expect(estimateMessageTokens({ ...answer(""), content })).toBe(4 + 1 + 5);
  });

  test("the last count of a provider is used, and only what follows is estimated", () => {
    const usage = { input: 100, output: 20, cacheRead: 300, cacheWrite: 80 };
    const session = drawSession("A-b-C*", { b: says(answer("b", { usage })), C: says(user("abcdabcd")) });
    expect(contextTokens(session)).toEqual({ tokens: 506, counted: 500 });
  });

  test("a count from before a compaction or an edit, and one of an answer that failed, does not count", () => {
    const usage = { input: 90_000, output: 0, cacheRead: 0, cacheWrite: 0 };
    const counted = says(answer("b", { usage }));
    const compacted = drawSession("A-b-k*", { b: counted, k: (on) => void on.appendCompaction("sum", "b", 1) });
    const edited = drawSession("A-b-k*", { b: counted, k: (on) => void on.appendContextEdit("A", null) });
    const failed = drawSession("A-b*", { b: says(answer("b", { usage, stopReason: "error" })) });
    expect([compacted, edited, failed].map(contextTokens)).toEqual([
      { tokens: 10, counted: 0 },
      { tokens: 5, counted: 0 },
      { tokens: 10, counted: 0 },
    ]);
  });
});

describe("files", () => {
  test("are sorted, named once, and changed ones are not listed as read; failed calls did nothing", () => {
    const calls = [
      { id: "1", name: "read", path: "b.ts" },
      { id: "2", name: "read", path: "a.ts" },
      { id: "3", name: "edit", path: "b.ts" },
      { id: "4", name: "write", path: "gone.ts" },
      { id: "5", name: "bash", path: "not a file" },
    ];
    const session = drawSession("A-b-r*", { b: says(answer("", { calls })), r: says(result("4", "no", true)) });
    expect(filesTouched(session.getBranch())).toEqual({ readFiles: ["a.ts"], modifiedFiles: ["b.ts"] });
  });

  test("details that are not file lists are left alone", () => {
    const session = drawSession("A-k*", { k: (on) => void on.appendCompaction("s", "A", 1, { readFiles: "x", v: 2 }) });
    expect(filesTouched(session.getBranch())).toEqual({ readFiles: [], modifiedFiles: [] });
  });
});

describe("the parts of a summary", () => {
  test("splits into the parts it was built from", () => {
    const files = { readFiles: ["a.ts"], modifiedFiles: ["b.ts"] };
    const whole = joinSummary("## Goal\nx", { pins: ["one\n\ntwo"], files });
    expect(whole).toBe(
      "## Goal\nx\n\n## Pinned (verbatim)\n\n<pinned>\none\n\ntwo\n</pinned>\n\n<read-files>\na.ts\n</read-files>\n\n<modified-files>\nb.ts\n</modified-files>",
    );
    expect(summaryBody(whole)).toBe("## Goal\nx");
    expect(summaryBody("only text")).toBe("only text");
    expect(summaryBody("older\n\n## Pinned, word for word\n\n<pinned>\none\n</pinned>")).toBe("older");
    expect(summaryBody("<read-files>\na\n</read-files>")).toBe("");
  });
});
