import { existsSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { buildSessionContext } from "../context/index.js";
import { all, HEADER, idsOf, line, temporaryFolder, writeLines } from "./search/search.test-support.js";
import { type SearchProgress, searchSessions } from "./search-sessions.js";
import { SessionManager } from "./session-manager.js";

/** Files of a folder that this process has open, if the system lists them. */
function openFilesIn(folder: string): string[] {
  if (!existsSync("/proc/self/fd")) return [];
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const target = readlinkSync(join("/proc/self/fd", fd));
      return target.startsWith(folder) ? [target] : [];
    } catch {
      // The descriptor of the listing itself is gone by now.
      return [];
    }
  });
}

describe("a hit", () => {
  test("names session, entry, role, time, excerpt and state", async () => {
    const folder = temporaryFolder();
    const path = writeLines(folder, [
      HEADER,
      line("a", null, { type: "session_info", name: "Parser" }),
      line("b", "a", "Write the\n  Tokenizer first, the tokenizer!"),
    ]);
    expect(await all(searchSessions("tokenizer", { dir: folder }))).toEqual([
      {
        path,
        sessionId: "s1",
        sessionName: "Parser",
        entryId: "b",
        entryType: "message",
        role: "user",
        timestamp: "2025-01-01T00:00:01.000Z",
        excerpt: "Write the Tokenizer first, the tokenizer!",
        matches: [
          [10, 19],
          [31, 40],
        ],
        state: "active",
        address: "s1#b",
      },
    ]);
  });

  test("is in texts, never in ids, keys, types, times or images", async () => {
    const folder = temporaryFolder();
    writeLines(folder, [
      HEADER,
      line("message", null, {
        message: {
          role: "assistant",
          timestamp: 2025,
          content: [
            { type: "text", text: "plain" },
            { type: "image", data: "cXVlbmNo", mimeType: "image/png" },
            { type: "toolCall", id: "call", name: "bash", arguments: { command: "npm test", timeout: 90 } },
          ],
        },
      }),
    ]);
    const search = (query: string) => idsOf(searchSessions(query, { dir: folder }));
    for (const query of ["message", "assistant", "content", "cXVlbmNo", "2025", "call", "command", "image", "s1"]) {
      expect([query, await search(query)]).toEqual([query, []]);
    }
    for (const query of ["plain", "bash", "test npm", "90"])
      expect([query, await search(query)]).toEqual([query, ["message"]]);
  });

  test("can be requested by role, or by type if the entry has none", async () => {
    const folder = temporaryFolder();
    writeLines(folder, [
      HEADER,
      line("a", null, "fox"),
      line("b", "a", { message: { role: "assistant", content: [{ type: "text", text: "fox" }] } }),
      line("c", "b", { type: "compaction", summary: "fox", firstKeptEntryId: "b" }),
    ]);
    expect(await idsOf(searchSessions("fox", { dir: folder, roles: ["assistant"] }))).toEqual(["b"]);
    expect(await idsOf(searchSessions("fox", { dir: folder, roles: ["user", "compaction"] }))).toEqual(["a", "c"]);
  });
});

describe("the state of a hit", () => {
  /**
   *     a ─ b ─ c ─ old ─ d ─ e ─ new(keeps from d) ─ f*
   *         └─ x
   */
  const lines = [
    line("a", null, "fox"),
    line("b", "a", "fox"),
    line("x", "b", "fox"),
    line("c", "b", "fox"),
    line("old", "c", { type: "compaction", summary: "fox", firstKeptEntryId: "c" }),
    line("d", "old", "fox"),
    line("e", "d", "fox"),
    line("new", "e", { type: "compaction", summary: "fox", firstKeptEntryId: "d" }),
    line("f", "new", "fox"),
    line("on-x", "f", { type: "label", targetId: "x", label: "fox" }),
    line("on-a", "f", { type: "label", targetId: "a", label: "fox" }),
    line("on-f", "f", { type: "label", targetId: "f", label: "fox" }),
    line("name", "x", { type: "session_info", name: "fox" }),
  ];

  async function states(more: readonly string[] = []): Promise<Record<string, string>> {
    const folder = temporaryFolder();
    writeLines(folder, [HEADER, ...lines, ...more]);
    const hits = await all(searchSessions("fox", { dir: folder }));
    return Object.fromEntries(hits.map((hit) => [hit.entryId, hit.state]));
  }

  test("distinguishes the active path, other branches, and what is before the latest compaction", async () => {
    expect(await states()).toEqual({
      a: "compacted",
      b: "compacted",
      x: "abandoned",
      c: "compacted",
      old: "compacted",
      d: "active",
      e: "active",
      new: "active",
      f: "active",
      "on-x": "abandoned",
      "on-a": "compacted",
      "on-f": "active",
      name: "active",
    });
  });

  test("follows the leaf", async () => {
    const moved = line("p", "x", { type: "custom", customType: "bough.position" });
    expect(await states([moved])).toMatchObject({
      a: "active",
      b: "active",
      x: "active",
      c: "abandoned",
      f: "abandoned",
    });
  });

  test("is compacted for everything above a compaction that keeps nothing", async () => {
    const more = [line("all", "f", { type: "compaction", summary: "fox", firstKeptEntryId: "all" })];
    expect(await states(more)).toMatchObject({ d: "compacted", f: "compacted", new: "compacted", all: "active" });
  });

  test("is active exactly for the messages of the built context", async () => {
    const folder = temporaryFolder();
    const session = SessionManager.create("/w", folder);
    const say = (text: string) => session.appendMessage({ role: "user", content: `fox ${text}`, timestamp: 1 });
    const ids = ["one", "two", "three", "four"].map(say);
    session.branch(ids[1] as string);
    say("left");
    session.branch(ids[3] as string);
    session.appendCompaction("fox summary", ids[2] as string, 10);
    say("five");
    const shown = buildSessionContext(session.getEntries(), session.getLeafId()).messages.map((message) =>
      "content" in message ? message.content : "fox summary",
    );
    session.close();
    const hits = await all(searchSessions("fox", { dir: folder }));
    const active = hits.filter((hit) => hit.state === "active").map((hit) => hit.excerpt);
    expect(active.sort()).toEqual(shown.sort());
    expect(hits.map((hit) => hit.state).sort()).toEqual([
      "abandoned",
      ...Array(4).fill("active"),
      "compacted",
      "compacted",
    ]);
  });
});

describe("the files of a search", () => {
  test("are those of the folders, of folders right below them, and those named; newest first, each once", async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, "project", "deeper"), { recursive: true });
    const other = temporaryFolder();
    writeLines(root, [HEADER, line("old", null, "fox")], { name: "old.jsonl", modified: 1000 });
    writeLines(join(root, "project"), [HEADER, line("new", null, "fox")], { modified: 3000 });
    writeLines(join(root, "project", "deeper"), [HEADER, line("deep", null, "fox")]);
    writeLines(root, [HEADER, line("text", null, "fox")], { name: "notes.txt" });
    const named = writeLines(other, [HEADER, line("named", null, "fox")], { modified: 2000 });
    const dir = [root, root];
    expect(await idsOf(searchSessions("fox", { dir, files: [named] }))).toEqual(["new", "named", "old"]);
    expect(await idsOf(searchSessions("fox", { files: [named] }))).toEqual(["named"]);
    expect(await idsOf(searchSessions("fox", { dir: join(root, "nowhere") }))).toEqual([]);
  });

  test("can be old: hits have the ids of the upgrade, and nothing is written", async () => {
    const folder = temporaryFolder();
    const path = writeLines(folder, [
      '{"type":"session","id":"v1","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/w"}',
      '{"type":"message","timestamp":"t1","message":{"role":"user","content":"one fox"}}',
      '{"type":"message","timestamp":"t2","message":{"role":"user","content":"two f\\u006fxes"}}',
    ]);
    const hits = await all(searchSessions("fox", { dir: folder }));
    const opened = SessionManager.open(path, folder, { readOnly: true });
    expect(hits.map((hit) => [hit.entryId, hit.excerpt, hit.state])).toEqual(
      opened.getEntries().map((entry, n) => [entry.id, ["one fox", "two foxes"][n], "active"]),
    );
    expect(readdirSync(folder)).toEqual(["s1.jsonl"]);
  });

  test("can be damaged: only what cannot be read is missing", async () => {
    const folder = temporaryFolder();
    const whole = line("c", "a", "fox");
    writeFileSync(
      join(folder, "a.jsonl"),
      [
        HEADER,
        line("a", null, "fox"),
        line("b", "a", "fox").slice(0, -4),
        `${line("d", "c", "no").slice(0, 20)}${whole}`,
        "fox",
        '["fox"]',
        "",
        line("a", null, "fox"),
        line("a", "c", "another fox"),
        line("e", "c", "fox"),
      ].join("\n"),
    );
    writeFileSync(join(folder, "binary.jsonl"), Buffer.from([0, 255, 10, 0x66, 0x6f, 0x78, 200, 10, 0]));
    writeFileSync(join(folder, "empty.jsonl"), "");
    writeFileSync(join(folder, "headless.jsonl"), line("h", null, "fox"));
    const problems: unknown[] = [];
    const search = searchSessions("fox", {
      dir: folder,
      onProgress: (progress) => problems.push(...progress.problems),
    });
    const hits = (await all(search)).map(({ address, state, excerpt }) => `${address} ${state} ${excerpt}`);
    expect(hits.sort()).toEqual([
      "headless#h active fox",
      "s1#a abandoned another fox",
      "s1#a active fox",
      "s1#c active fox",
      "s1#e active fox",
    ]);
    expect(problems).toEqual([]);
  });

  test("that cannot be read are problems, and the others are searched", async () => {
    const folder = temporaryFolder();
    writeLines(folder, [HEADER, line("a", null, "fox")]);
    const missing = join(folder, "missing.jsonl");
    let last: SearchProgress | undefined;
    const search = searchSessions("fox", {
      dir: folder,
      files: [missing, folder],
      onProgress: (progress) => {
        last = progress;
      },
    });
    expect(await idsOf(search)).toEqual(["a"]);
    expect(last?.filesDone).toBe(3);
    expect(last?.problems.map(({ path, code }) => ({ path, code }))).toEqual(
      expect.arrayContaining([
        { path: missing, code: "read-failed" },
        { path: folder, code: "read-failed" },
      ]),
    );
    expect(last?.problems.length).toBe(2);
  });
});

describe("the course of a search", () => {
  function manyFiles(count: number): string {
    const folder = temporaryFolder();
    for (let n = 0; n < count; n++) {
      const lines = [line("a", null, "fox"), line("b", "a", "fox"), line("c", "b", "hen")];
      writeLines(folder, [HEADER, ...lines], { name: `${n}.jsonl`, modified: 1000 + n });
    }
    return folder;
  }

  test("ends at the limit", async () => {
    const folder = manyFiles(3);
    expect(await idsOf(searchSessions("fox", { dir: folder, limit: 3 }))).toEqual(["a", "b", "a"]);
    expect(await idsOf(searchSessions("fox", { dir: folder, limit: 0 }))).toEqual([]);
    expect(openFilesIn(folder)).toEqual([]);
  });

  test("reports progress that only grows and ends with everything, which the generator returns", async () => {
    const folder = manyFiles(5);
    const seen: SearchProgress[] = [];
    const search = searchSessions("hen", { dir: folder, onProgress: (progress) => seen.push(progress) });
    let step = await search.next();
    while (!step.done) step = await search.next();
    const numbers = seen.map((progress) => progress.bytesDone * 100 + progress.filesDone);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    const bytes =
      5 *
      Buffer.byteLength(
        `${[HEADER, line("a", null, "fox"), line("b", "a", "fox"), line("c", "b", "hen")].join("\n")}\n`,
      );
    expect(step.value).toEqual({ filesDone: 5, filesTotal: 5, bytesDone: bytes, bytesTotal: bytes, problems: [] });
    expect(seen.at(-1)).toEqual(step.value);
  });

  test("leaves nothing open when the caller stops", async () => {
    const folder = manyFiles(5);
    for await (const hit of searchSessions("fox", { dir: folder })) {
      expect(hit.entryId).toBe("a");
      break;
    }
    expect(openFilesIn(folder)).toEqual([]);
  });

  test("ends with aborted when the signal fires, before or in between, and leaves nothing open", async () => {
    const folder = manyFiles(5);
    const aborted = expect.objectContaining({ name: "SessionError", code: "aborted" });
    await expect(idsOf(searchSessions("fox", { dir: folder, signal: AbortSignal.abort() }))).rejects.toEqual(aborted);
    const controller = new AbortController();
    const found: string[] = [];
    const run = async () => {
      for await (const hit of searchSessions("fox", { dir: folder, signal: controller.signal })) {
        found.push(hit.entryId);
        controller.abort();
      }
    };
    await expect(run()).rejects.toEqual(aborted);
    expect(found).toEqual(["a"]);
    expect(openFilesIn(folder)).toEqual([]);
  });

  test("does not start with a bad query", () => {
    expect(() => searchSessions("re:(", { dir: "." })).toThrow(expect.objectContaining({ code: "bad-query" }));
    expect(() => searchSessions(" ")).toThrow(expect.objectContaining({ code: "bad-query" }));
  });

  test("finds a word in a line of 40 MB, and a word that is only split over two lines not at all", async () => {
    const folder = temporaryFolder();
    const lines = [line("a", null, `${"x ".repeat(20 << 20)} needle`), line("b", "a", "nee"), line("c", "b", "dle")];
    writeLines(folder, [HEADER, ...lines]);
    const hits = await all(searchSessions("needle", { dir: folder, maxExcerpt: 20 }));
    expect(hits.map(({ entryId, excerpt }) => [entryId, excerpt])).toEqual([["a", "…x needle"]]);
  });
});
