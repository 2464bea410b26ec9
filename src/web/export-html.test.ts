import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../test/support/temp-folder.js";
import { answer, drawSession, user } from "../agent/operation-parts.test-support.js";
import { SessionManager } from "../session/index.js";
import { exportHtml, type HtmlExportRequest, htmlExportEntries } from "./index.js";

const TEMPLATE = "<title><!--bough:title--></title>[<!--bough:facts-->|<!--bough:rest-->]";
const NOW = new Date("2026-03-02T12:00:00Z");

function request(session: SessionManager, wish: Partial<HtmlExportRequest> = {}): HtmlExportRequest {
  const folder = tempFolder();
  const template = join(folder, "template.html");
  writeFileSync(template, TEMPLATE);
  return {
    source: session.getSource(),
    header: session.getHeader(),
    file: join(folder, "out", "page.html"),
    scope: { kind: "all" },
    now: NOW,
    newSessionId: () => "the-copy",
    template,
    ...wish,
  };
}

/** What the page holds: the lines of all chunks in their order, its header first, and the facts. */
function readPage(file: string) {
  const text = readFileSync(file, "utf8");
  const blocks = new Map<string, string>();
  for (const [, id, inside] of text.matchAll(/<script type="application\/json" id="([^"]*)">([^<]*)<\/script>/g)) {
    blocks.set(id as string, inside as string);
  }
  const facts = JSON.parse(blocks.get("bough-facts") ?? "null");
  const chunks = (facts.chunks as number[]).map((_, chunk) => blocks.get(`bough-chunk-${chunk}`) as string);
  return { text, facts, blocks, jsonl: `${JSON.stringify(facts.header)}\n${chunks.join("\n")}\n` };
}

async function given(session: SessionManager, wish: Partial<HtmlExportRequest> = {}) {
  const made = await exportHtml(request(session, wish));
  const page = readPage(made.file);
  const path = join(tempFolder(), "copy.jsonl");
  writeFileSync(path, page.jsonl);
  return { made, ...page, copy: SessionManager.open(path) };
}

const ids = (session: SessionManager) => session.getEntries().map(({ id }) => id);
const drawn = () => drawSession("A-b-C-d*; b-E-f; d-G");

describe("the scope of an export", () => {
  test("all: everything, and the position", async () => {
    const session = drawn();
    session.appendLabelChange("E", "other way");
    session.branch("d");
    const { copy, made } = await given(session);
    expect(ids(copy)).toEqual([...ids(session), "position-2"]);
    expect([copy.getLeafId(), copy.getLabel("E")]).toEqual(["d", "other way"]);
    expect(made).toMatchObject({ branches: 2, entries: copy.getEntries().length });
    expect(made.bytes).toBe(statSync(made.file).size);
  });

  test("a path: to the leaf or to an entry, with the name and the labels that stand on it", async () => {
    const session = drawn();
    session.appendSessionInfo("two ways");
    session.appendLabelChange("C", "good");
    session.appendLabelChange("E", "elsewhere");
    session.branch("d");
    const { copy } = await given(session, { scope: { kind: "path" } });
    expect(ids(copy)).toEqual(["A", "b", "C", "d", "name", "label-C", "position"]);
    expect([copy.getLeafId(), copy.getLabel("C"), copy.getSessionName()]).toEqual(["d", "good", "two ways"]);
    const other = await given(session, { scope: { kind: "path", entryId: "f" } });
    expect(other.copy.getBranch().map(({ id }) => id)).toEqual(["A", "b", "E", "f"]);
  });

  test("a subtree: its first entry becomes a root, and the leaf is in it", async () => {
    const { copy, facts } = await given(drawn(), { scope: { kind: "subtree", entryId: "C" } });
    expect(copy.getEntry("C")?.parentId).toBeNull();
    expect(copy.getLeafId()).toBe("d");
    expect(facts.leaf).toBe(1);
    const away = await given(drawn(), { scope: { kind: "subtree", entryId: "E" } });
    expect(away.copy.getLeafId()).toBe("f");
  });

  test("a compaction keeps what it kept, where its first kept entry stays behind", async () => {
    const session = SessionManager.inMemory();
    const ids = ["one", "two", "three"].map((text) => session.appendMessage(user(text)));
    session.appendCompaction("so far", ids[0] as string, 100);
    session.appendMessage(user("four"));
    const { copy } = await given(session, { scope: { kind: "subtree", entryId: ids[1] as string } });
    expect(copy.buildSessionContext().messages.map(({ role }) => role)).toEqual([
      "compactionSummary",
      "user",
      "user",
      "user",
    ]);
  });

  test("what would be scanned for secrets is what is in the file", async () => {
    const session = drawn();
    const scope = { kind: "subtree", entryId: "C" } as const;
    const { copy } = await given(session, { scope });
    const scanned = [...htmlExportEntries({ source: session.getSource(), scope, now: NOW })];
    expect(scanned).toEqual(copy.getEntries());
  });
});

describe("what is in the file", () => {
  test("nothing of what was said can end a block or begin a tag", async () => {
    const session = SessionManager.inMemory();
    const evil = "</script><!--<script>alert(1)</script><img src=x onerror=alert(1)>";
    const id = session.appendMessage(user(evil));
    session.appendMessage(answer(`**bold** ${evil} [x](javascript:alert(1))`));
    session.appendLabelChange(id, evil);
    session.appendSessionInfo(evil);
    const { text, copy } = await given(session);
    expect(text).not.toContain("<img");
    expect(text).not.toContain("<!--");
    expect(text.match(/<script/g)?.length).toBe(text.match(/<\/script>/g)?.length);
    expect(text).not.toMatch(/href="javascript/i);
    expect(copy.getEntries()).toEqual(session.getEntries());
  });

  test("everything passes the mask, the title and the folder too", async () => {
    const session = SessionManager.inMemory("/home/someone/hunter2");
    const id = session.appendMessage(user("my password is hunter2"));
    session.appendLabelChange(id, "hunter2");
    session.appendSessionInfo("about hunter2");
    const text = (value: string) => value.replaceAll("hunter2", "••••");
    const record = <Value>(value: Value): Value => JSON.parse(text(JSON.stringify(value))) as Value;
    const { text: page } = await given(session, { redact: { text, record } });
    expect(page).not.toContain("hunter2");
    expect(page).toContain("my password is ••••");
    expect(page).toContain("<title>about ••••</title>");
  });

  test("tools can be left at their names, and images and system prompts behind", async () => {
    const session = SessionManager.inMemory();
    const image = { type: "image", data: "aGk=", mimeType: "image/png" } as const;
    session.appendMessage({ role: "system", content: "be quiet", timestamp: 1 });
    session.appendMessage({ role: "user", content: [{ type: "text", text: "look" }, image], timestamp: 1 });
    session.appendMessage({
      ...answer("calling"),
      content: [{ type: "toolCall", id: "c", name: "bash", arguments: { command: "cat private" } }],
    });
    session.appendMessage({
      ...{ role: "toolResult", toolCallId: "c", toolName: "bash", isError: false, timestamp: 1 },
      content: [{ type: "text", text: "private words" }],
      details: { diff: "private diff" },
    });
    const { text } = await given(session, { tools: "names", leaveOut: { images: true, systemPrompt: true } });
    expect(text).not.toMatch(/private|aGk=|be quiet/);
    expect(text).toContain("bash");
    const full = await given(session);
    for (const words of ["cat private", "private words", "aGk=", "be quiet"]) expect(full.text).toContain(words);
  });

  test("readers without script get the path from the first prompt to the last answer, and the names of other branches", async () => {
    const session = SessionManager.inMemory();
    const first = session.appendMessage(user("first question"));
    session.appendMessage(answer("first **answer**"));
    const fork = session.getLeafId() as string;
    session.appendMessage(user("the way not taken"));
    session.branch(fork);
    session.appendMessage(user("last question"));
    session.appendMessage(answer("last answer, see https://example.org/x"));
    const { text } = await given(session);
    const plain = /<noscript>([\s\S]*)<\/noscript>/.exec(text)?.[1] ?? "";
    expect(plain).toMatch(/Prompt 1[\s\S]*first question[\s\S]*first <strong>answer<\/strong>[\s\S]*last question/);
    expect(plain).toContain('<a href="https://example.org/x" target="_blank" rel="noopener noreferrer nofollow">');
    expect(plain).toMatch(/Other branches[\s\S]*#1|#2/);
    expect(plain).toContain(`#e=${first}`);
  });

  test("tokens and cost are added up for each branch", async () => {
    const session = SessionManager.inMemory();
    const usage = {
      input: 10,
      output: 5,
      cacheRead: 1,
      cacheWrite: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.5 },
    };
    session.appendMessage(user("a"));
    session.appendMessage(answer("b", { usage }));
    const fork = session.getLeafId() as string;
    session.appendMessage(user("c"));
    session.appendMessage(answer("d", { usage }));
    session.branch(fork);
    session.appendMessage(user("e"));
    session.appendMessage(answer("f", { usage }));
    const { blocks } = await given(session);
    expect(JSON.parse(blocks.get("bough-usage") ?? "")).toEqual([
      [1, 20, 10, 2, 0, 1],
      [2, 10, 5, 1, 0, 0.5],
    ]);
  });
});

describe("writing", () => {
  test("the file is private, and a file that is there stays unless it may be replaced", async () => {
    const wish = request(drawn());
    const { file } = await exportHtml(wish);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = readFileSync(file, "utf8");
    await expect(exportHtml({ ...wish, title: "another" })).rejects.toMatchObject({ code: "export-failed" });
    expect(readFileSync(file, "utf8")).toBe(before);
    await exportHtml({ ...wish, title: "another", existing: "replace" });
    expect(readFileSync(file, "utf8")).toContain("<title>another</title>");
    expect(readdirSync(join(file, ".."))).toEqual(["page.html"]);
  });

  test("stopped in between, or where something throws, nothing is left behind", async () => {
    const session = SessionManager.inMemory();
    for (let i = 0; i < 5; i++) session.appendMessage(user("long ".repeat(40_000)));
    const stop = new AbortController();
    const wish = request(session, { signal: stop.signal, onProgress: () => stop.abort(new Error("enough")) });
    await expect(exportHtml(wish)).rejects.toThrow("enough");
    expect(existsSync(wish.file)).toBe(false);
    expect(readdirSync(join(wish.file, ".."))).toEqual([]);
  });

  test("an empty session has nothing to export, and a missing page is named", async () => {
    await expect(exportHtml(request(SessionManager.inMemory()))).rejects.toMatchObject({ code: "no-content" });
    const missing = request(drawn(), { template: join(tempFolder(), "none.html") });
    await expect(exportHtml(missing)).rejects.toMatchObject({ code: "export-failed" });
    expect(existsSync(missing.file)).toBe(false);
  });
});

test("ids that are names of prototypes are ids", async () => {
  const names = ["__proto__", "constructor", "toString"];
  const session = SessionManager.inMemory("/somewhere", { newId: () => names.shift() as string });
  for (const text of ["a", "b", "c"]) session.appendMessage(user(text));
  const { copy } = await given(session);
  expect(copy.getBranch().map(({ id }) => id)).toEqual(["__proto__", "constructor", "toString"]);
});
