import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRunner } from "@bough/agent/extension/run.js";
import type { AgentMessage, SessionEntry } from "@bough/session/entry/index.js";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { adaptFactory } from "../adapter/adapt-factory.js";
import { DynamicBorder, renderDiff, truncateToVisualLines } from "./components.js";
import { convertToLlm, serializeConversation } from "./conversation.js";
import { generateDiffString, generateUnifiedPatch } from "./diffs.js";
import { findCutPoint, shouldCompact } from "./estimates.js";
import { createEventBus } from "./event-bus.js";
import { withFileMutationQueue } from "./file-queue.js";
import { parseFrontmatter, stripFrontmatter } from "./front-matter.js";
import { getPackageDir } from "./places.js";
import { buildContextEntries } from "./session-parts.js";
import { SettingsManager } from "./settings-manager.js";
import { collectEntriesForBranchSummary } from "./summaries.js";
import { detectSupportedImageMimeTypeFromFile, formatSkillsForPrompt, loadSkillsFromDir } from "./system.js";
import { getLanguageFromPath, highlightCode, Theme, useTheme } from "./theme.js";
import { formatSize, truncateHead, truncateLine, truncateTail } from "./truncate.js";

beforeEach(() => useTheme());

describe("truncation", () => {
  test("keeps whole lines from the start, up to either limit", () => {
    expect(truncateHead("a\nb\nc\n", { maxLines: 2 })).toMatchObject({
      content: "a\nb",
      truncatedBy: "lines",
      totalLines: 3,
      outputLines: 2,
    });
    expect(truncateHead("aaaa\nbbbb\ncccc", { maxBytes: 9 })).toMatchObject({
      content: "aaaa\nbbbb",
      truncatedBy: "bytes",
    });
    expect(truncateHead("x".repeat(20), { maxBytes: 5 })).toMatchObject({ content: "", firstLineExceedsLimit: true });
    expect(truncateHead("short")).toMatchObject({ content: "short", truncated: false, truncatedBy: null });
  });

  test("keeps the end, and half a last line rather than nothing, but never half a character", () => {
    expect(truncateTail("a\nb\nc", { maxLines: 2 })).toMatchObject({ content: "b\nc", truncatedBy: "lines" });
    expect(truncateTail("日本語", { maxBytes: 4 })).toMatchObject({ content: "語", lastLinePartial: true });
  });

  test("says sizes and cuts lines", () => {
    expect([512, 1536, 3 * 1024 * 1024].map(formatSize)).toEqual(["512B", "1.5KB", "3.0MB"]);
    expect(truncateLine("abcdef", 3)).toEqual({ text: "abc... [truncated]", wasTruncated: true });
  });
});

test("front matter has values of their kind", () => {
  const text = [
    "---",
    "name: scout # the first one",
    "count: 3",
    "on: true",
    "tools: [read, 'a, b']",
    "list:",
    "- one",
    "- two",
    "nested:",
    "  deep: yes",
    "text: |",
    "  two",
    "  lines",
    "none:",
    "---",
    "",
    "The body",
  ].join("\r\n");
  expect(parseFrontmatter(text)).toEqual({
    frontmatter: {
      name: "scout",
      count: 3,
      on: true,
      tools: ["read", "a, b"],
      list: ["one", "two"],
      nested: { deep: "yes" },
      text: "two\nlines\n",
      none: null,
    },
    body: "The body",
  });
  expect(stripFrontmatter("no head")).toBe("no head");
});

test("changes of one file wait for each other, those of others do not", async () => {
  const file = join(tempFolder(), "a.txt");
  writeFileSync(file, "");
  const order: string[] = [];
  const work = (name: string) => async () => {
    order.push(`${name} starts`);
    await new Promise((resolve) => setImmediate(resolve));
    order.push(`${name} ends`);
  };
  const failed = withFileMutationQueue(file, async () => {
    throw new Error("no");
  });
  await Promise.all([
    expect(failed).rejects.toThrow("no"),
    withFileMutationQueue(file, work("first")),
    withFileMutationQueue(file, work("second")),
  ]);
  expect(order).toEqual(["first starts", "first ends", "second starts", "second ends"]);
});

const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 1 });

test("a conversation becomes text, with long results cut and extension messages as the user's", () => {
  const messages = [
    user("hi"),
    { role: "custom", customType: "x", content: "a note", display: true, timestamp: 2 },
    {
      role: "assistant",
      content: [
        { type: "text", text: "I read" },
        { type: "toolCall", id: "1", name: "read", arguments: { path: "a" } },
      ],
    },
    { role: "toolResult", toolCallId: "1", toolName: "read", content: [{ type: "text", text: "r".repeat(2003) }] },
  ] as unknown as AgentMessage[];
  const text = serializeConversation(convertToLlm(messages));
  expect(text.replace(/r{2000}/, "…")).toBe(
    [
      "[User]: hi",
      "[User]: a note",
      "[Assistant]: I read",
      '[Assistant tool calls]: read(path="a")',
      "[Tool result]: …",
      "[... 3 more characters truncated]",
    ].join("\n\n"),
  );
});

function entry(id: string, parentId: string | null, message: AgentMessage): SessionEntry {
  return { type: "message", id, parentId, timestamp: "", message };
}

describe("paths", () => {
  const entries = ["a", "b", "c", "d"].map((id, at, all) => entry(id, all[at - 1] ?? null, user(id)));

  test("a compaction comes before what it kept", () => {
    const compaction = {
      type: "compaction",
      id: "k",
      parentId: "d",
      timestamp: "",
      summary: "s",
      firstKeptEntryId: "c",
      tokensBefore: 1,
    };
    const after = entry("e", "k", user("e"));
    const path = [...entries, compaction as SessionEntry, after];
    expect(buildContextEntries(path).map(({ id }) => id)).toEqual(["k", "c", "d", "e"]);
    expect(buildContextEntries(path, "b").map(({ id }) => id)).toEqual(["a", "b"]);
  });

  test("what is left by a move is what the new path does not have", () => {
    const paths: Record<string, SessionEntry[]> = { d: entries, b: entries.slice(0, 2) };
    const session = { getBranch: (id = "d") => paths[id] ?? [] };
    const left = collectEntriesForBranchSummary(session, "d", "b");
    expect([left.entries.map(({ id }) => id), left.commonAncestorId]).toEqual([["c", "d"], "b"]);
  });

  test("a cut keeps enough and never starts with a result", () => {
    const result = {
      role: "toolResult",
      toolCallId: "1",
      toolName: "x",
      content: [],
      isError: false,
      timestamp: 1,
    } as const;
    const path = [entry("a", null, user("x".repeat(400))), entry("b", "a", user("y")), entry("c", "b", result)];
    expect(findCutPoint(path, 0, 3, 5).firstKeptEntryIndex).toBe(1);
    expect(findCutPoint(path, 0, 3, 50).firstKeptEntryIndex).toBe(0);
    expect(shouldCompact(90, 100, { enabled: true, reserveTokens: 20, keepRecentTokens: 1 })).toBe(true);
  });
});

test("a diff has line numbers, and its colors come from the theme", () => {
  expect(generateDiffString("a\nb\nc", "a\nB\nc")).toEqual({ diff: " 1 a\n-2 b\n+2 B\n 3 c", firstChangedLine: 2 });
  expect(generateUnifiedPatch("f.txt", "a\n", "b\n")).toContain("-a\n+b");
  expect(renderDiff("+new\n-old")).toBe("+new\n-old");
});

test("a theme paints by name, in both kinds of color", () => {
  const theme = new Theme({ accent: "#ff8000", dim: 240 }, { selectedBg: 5 }, "truecolor", { name: "mine" });
  expect(theme.fg("accent", "x")).toBe("\x1b[38;2;255;128;0mx\x1b[39m");
  expect(theme.fg("dim", "x")).toBe("\x1b[38;5;240mx\x1b[39m");
  expect(theme.bg("selectedBg", theme.bold("x"))).toBe("\x1b[48;5;5m\x1b[1mx\x1b[22m\x1b[49m");
  expect(theme.fg("unknown", "x")).toBe("\x1b[39mx\x1b[39m");
  expect(new DynamicBorder((text) => `<${text}>`).render(3)).toEqual(["<───>"]);
});

test("code, languages and wrapped lines", () => {
  expect(highlightCode("const a = 1;\nb", "ts")).toEqual(["const a = 1;", "b"]);
  expect(["a.tsx", "B.PY", "x"].map(getLanguageFromPath)).toEqual(["typescript", "python", undefined]);
  expect(truncateToVisualLines("one two three", 1, 8)).toEqual({ visualLines: ["three"], skippedCount: 1 });
});

test("images are known by their content, skills by their files", async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, "a.txt"), Buffer.from("89504e470d0a1a0a00", "hex"));
  writeFileSync(join(folder, "b.png"), "no image");
  expect(await detectSupportedImageMimeTypeFromFile(join(folder, "a.txt"))).toBe("image/png");
  expect(await detectSupportedImageMimeTypeFromFile(join(folder, "b.png"))).toBeNull();
  mkdirSync(join(folder, "skills", "deep", "prune"), { recursive: true });
  writeFileSync(join(folder, "skills", "deep", "prune", "SKILL.md"), "---\ndescription: Cuts\n---\nx");
  writeFileSync(join(folder, "skills", "bare.md"), "nothing said");
  const { skills, diagnostics } = loadSkillsFromDir({ dir: join(folder, "skills"), source: "test" });
  expect(skills.map(({ name, description }) => [name, description])).toEqual([["prune", "Cuts"]]);
  expect(diagnostics).toHaveLength(1);
  expect(formatSkillsForPrompt(skills)).toContain("<name>prune</name>");
});

test("settings are read from Bough's, and places are Bough's", () => {
  const home = tempFolder();
  writeFileSync(join(home, "settings.json"), JSON.stringify({ model: "anthropic/some-model", theme: "dark" }));
  const settings = SettingsManager.create(tempFolder(), home);
  expect([settings.getDefaultProvider(), settings.getDefaultModel(), settings.getTheme()]).toEqual([
    "anthropic",
    "some-model",
    "dark",
  ]);
  expect(getPackageDir().endsWith("src")).toBe(false);
});

test("a handler of a bus that fails is reported by the name of its extension, and nothing is printed", async () => {
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  const problems: unknown[] = [];
  let bus: ReturnType<typeof createEventBus> | undefined;
  const factory = adaptFactory(() => {
    bus = createEventBus();
  });
  await createRunner([{ name: "busy", factory }], { onProblem: (problem) => problems.push(problem) });
  const heard: unknown[] = [];
  bus?.on("news", () => {
    throw new Error("no luck");
  });
  const end = bus?.on("news", (data) => void heard.push(data));
  bus?.emit("news", 1);
  end?.();
  bus?.emit("news", 2);
  bus?.clear();
  bus?.emit("news", 3);
  const message = "A handler of the channel news failed: no luck";
  expect(problems).toEqual([1, 2].map(() => ({ extension: "busy", event: expect.any(String), message })));
  expect(heard).toEqual([1]);
  expect(printed).not.toHaveBeenCalled();
});
