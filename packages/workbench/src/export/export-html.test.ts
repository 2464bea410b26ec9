import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answer, drawSession, user } from "@bough/session/session/draw-session.test-support.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { exportHtml, type HtmlExportRequest } from "./export-html.js";

const TEMPLATE = "<title><!--bough:title--></title>[<!--bough:facts-->|<!--bough:rest-->]";
const NOW = new Date("2026-03-02T12:00:00Z");

function request(session: SessionManager, changes: Partial<HtmlExportRequest> = {}): HtmlExportRequest {
  const folder = tempFolder();
  const template = join(folder, "template.html");
  writeFileSync(template, TEMPLATE);
  return {
    source: session.getSource(),
    header: session.getHeader(),
    file: join(folder, "out", "page.html"),
    now: NOW,
    newSessionId: () => "the-copy",
    template,
    ...changes,
  };
}

/** Contents of a page: its facts, and the header followed by the lines of all chunks in order. */
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

async function given(session: SessionManager, changes: Partial<HtmlExportRequest> = {}) {
  const made = await exportHtml(request(session, changes));
  const page = readPage(made.file);
  const path = join(tempFolder(), "copy.jsonl");
  writeFileSync(path, page.jsonl);
  return { made, ...page, copy: SessionManager.open(path) };
}

/** a, b, c, a compaction d that keeps everything from b, and e, in a file with changed lines. */
function damaged(change: (lines: string[]) => string[]): SessionManager {
  const folder = tempFolder();
  const names = ["a", "b", "c", "d", "e"];
  const session = SessionManager.create("/somewhere", folder, { newId: () => names.shift() ?? "more" });
  for (const text of ["one", "two", "three"]) session.appendMessage(user(text));
  session.appendCompaction("so far", "b", 100);
  session.appendMessage(user("four"));
  const file = session.getSessionFile() as string;
  session.close();
  const lines = readFileSync(file, "utf8").trimEnd().split("\n").slice(0, 6);
  writeFileSync(file, `${change(lines).join("\n")}\n`);
  return SessionManager.open(file, undefined, { readOnly: true });
}

const ids = (session: SessionManager) => session.getEntries().map(({ id }) => id);
const drawn = () => drawSession("A-b-C-d*; b-E-f; d-G");

describe("the entries of a page", () => {
  test("are all entries of the session, and its position", async () => {
    const session = drawn();
    session.appendLabelChange("E", "other way");
    session.branch("d");
    const { copy, made } = await given(session);
    expect(ids(copy)).toEqual([...ids(session), "position-2"]);
    expect([copy.getLeafId(), copy.getLabel("E")]).toEqual(["d", "other way"]);
    expect(made).toMatchObject({ branches: 2, entries: copy.getEntries().length });
    expect(made.bytes).toBe(statSync(made.file).size);
  });

  test("are the readable ones; children of an unreadable one move up, and compactions keep them", async () => {
    const session = damaged((lines) => lines.with(2, (lines[2] as string).slice(0, -20)));
    const { copy, facts } = await given(session);
    expect(copy.getBranch().map(({ parentId }) => parentId)).toEqual([null, "a", "c", "d"]);
    expect([copy.getLeafId(), facts.leaf]).toEqual(["e", 3]);
    expect(copy.buildSessionContext().messages.map(({ role }) => role)).toEqual(["compactionSummary", "user", "user"]);
  });
});

describe("what is in the file", () => {
  test("no text of the session can end a block or start a tag", async () => {
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

  test("without scripts, readers get the path from first prompt to last answer, and names of branches", async () => {
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
  test("the file is private, and an existing file stays unless it may be replaced", async () => {
    const first = request(drawn());
    const { file } = await exportHtml(first);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = readFileSync(file, "utf8");
    await expect(exportHtml({ ...first, title: "another" })).rejects.toMatchObject({ code: "export-failed" });
    expect(readFileSync(file, "utf8")).toBe(before);
    await exportHtml({ ...first, title: "another", existing: "replace" });
    expect(readFileSync(file, "utf8")).toContain("<title>another</title>");
    expect(readdirSync(join(file, ".."))).toEqual(["page.html"]);
  });

  test("an abort or an error leaves nothing behind", async () => {
    const session = SessionManager.inMemory();
    for (let i = 0; i < 5; i++) session.appendMessage(user("long ".repeat(40_000)));
    const stop = new AbortController();
    const stopped = request(session, { signal: stop.signal, onProgress: () => stop.abort(new Error("enough")) });
    await expect(exportHtml(stopped)).rejects.toThrow("enough");
    expect(existsSync(stopped.file)).toBe(false);
    expect(readdirSync(join(stopped.file, ".."))).toEqual([]);
  });

  test("an empty session is refused, and a missing page template is named", async () => {
    await expect(exportHtml(request(SessionManager.inMemory()))).rejects.toMatchObject({ code: "no-content" });
    const missing = request(drawn(), { template: join(tempFolder(), "none.html") });
    await expect(exportHtml(missing)).rejects.toMatchObject({ code: "export-failed" });
    expect(existsSync(missing.file)).toBe(false);
  });
});

test("IDs that are names of prototype properties work like any other", async () => {
  const names = ["__proto__", "constructor", "toString"];
  const session = SessionManager.inMemory("/somewhere", { newId: () => names.shift() as string });
  for (const text of ["a", "b", "c"]) session.appendMessage(user(text));
  const { copy } = await given(session);
  expect(copy.getBranch().map(({ id }) => id)).toEqual(["__proto__", "constructor", "toString"]);
});
