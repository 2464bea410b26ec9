import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answer, drawSession, result, says, tick, user } from "@bough/session/session/draw-session.test-support.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { sampledRuns } from "../../../../test/support/sampled.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { exportFormatOf, suggestedExportName } from "./export-name.js";
import { type ExportRequest, exportSession } from "./export-session.js";

type TestOptions = Partial<ExportRequest>;

async function exported(session: SessionManager, options: TestOptions = {}): Promise<{ text: string; file: string }> {
  const format = options.format ?? "jsonl";
  const file = options.file ?? join(tempFolder(), format === "jsonl" ? "part.jsonl" : "part.md");
  await exportSession(session, {
    format,
    scope: "path",
    file,
    newSessionId: () => "the-copy",
    now: tick(),
    ...options,
  });
  return { text: readFileSync(file, "utf8"), file };
}

function idsIn(text: string): string[] {
  const lines = text.trim().split("\n").slice(1);
  return lines.map((line) => (JSON.parse(line) as { id: string }).id);
}

const drawn = () => drawSession("A-b-C-d*; b-E-f; d-G");

describe("JSONL", () => {
  it("has the path, the branch with everything below it, or all branches", async () => {
    expect(idsIn((await exported(drawn())).text)).toEqual(["A", "b", "C", "d"]);
    expect(idsIn((await exported(drawn(), { scope: "branch" })).text)).toEqual(["C", "d", "G", "position-d"]);
    expect(idsIn((await exported(drawn(), { scope: "all" })).text)).toEqual([
      "A",
      "b",
      "C",
      "d",
      "E",
      "f",
      "G",
      "position",
    ]);
  });

  it("opens as a separate session, at the same position", async () => {
    const session = drawn();
    const { file } = await exported(session, { scope: "all" });
    const copy = SessionManager.open(file, undefined, { readOnly: true });
    expect([copy.getProblems(), copy.getSessionId(), copy.getLeafId()]).toEqual([[], "the-copy", "d"]);
    expect(copy.buildSessionContext()).toEqual(session.buildSessionContext());
    copy.close();
  });

  it("takes the whole path for a branch where nothing ever forked", async () => {
    expect(idsIn((await exported(drawSession("A-b*"), { scope: "branch" })).text)).toEqual(["A", "b"]);
  });
});

describe("Markdown", () => {
  it("reads from the first prompt to the leaf", async () => {
    const session = drawSession("A-b-r-C*", {
      A: says(user("fix the lexer")),
      b: says(answer("I look first.", { calls: [{ id: "c1", name: "read", path: "src/lex.ts" }] })),
      r: says(result("c1", "```ts\nlet a;\n```")),
      C: says(user("and now?")),
    });
    session.appendSessionInfo("Lexer work");
    expect((await exported(session, { format: "markdown" })).text).toMatchInlineSnapshot(`
      "# Lexer work

      Exported 2025-01-01 from session session-1-of-8

      ## Prompt

      fix the lexer

      ## Answer

      I look first.

      **read** \`src/lex.ts\`

      \`\`\`
      {
        "path": "src/lex.ts"
      }
      \`\`\`

      <details><summary>Result</summary>

      \`\`\`\`
      \`\`\`ts
      let a;
      \`\`\`
      \`\`\`\`

      </details>

      ## Prompt

      and now?
      "
    `);
  });

  it("tells each branch as a chapter, the fork named by its words", async () => {
    const { text } = await exported(drawn(), { format: "markdown", scope: "all" });
    const order = text.split("\n").filter((line) => /^# |^[A-Za-z]$/.test(line));
    expect(order).toEqual(["# Session", "# Branch 1", "A", "b", "C", "d", "G", "# Branch 2, after “b”", "E", "f"]);
  });

  it("has only this branch and what is below it if that is wanted", async () => {
    const { text } = await exported(drawn(), { format: "markdown", scope: "branch" });
    expect(text.split("\n").filter((line) => /^[A-Za-z]$/.test(line))).toEqual(["C", "d", "G"]);
  });

  it("shows a failed answer with its reason, and omits what an extension hides", async () => {
    const session = drawSession("A-b*", {
      b: says({ ...answer("half", { stopReason: "error" }), errorMessage: "boom" }),
    });
    session.appendCustomMessageEntry("secret", "not for people", false);
    const { text } = await exported(session, { format: "markdown" });
    expect(text).toContain("half\n\n**Failed:** boom");
    expect(text).not.toContain("not for people");
  });

  it("copes with very many branches at one place", async () => {
    const COUNT = sampledRuns({ all: 130_000, some: 13_000 });
    const session = SessionManager.inMemory("/project");
    const root = session.appendMessage(user("start"));
    for (let i = 0; i < COUNT; i++) {
      session.branch(root);
      session.appendMessage(user("x"));
    }
    const { text } = await exported(session, { format: "markdown", scope: "all" });
    expect(text).toContain(`# Branch ${COUNT}`);
  });
});

describe("the file", () => {
  it("is private, in a folder that is made for it, and nothing else stays behind", async () => {
    const folder = join(tempFolder(), "deep", "er");
    await exported(drawn(), { file: join(folder, "a.jsonl") });
    expect(statSync(join(folder, "a.jsonl")).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["a.jsonl"]);
  });

  it("is never overwritten without being asked for", async () => {
    const file = join(tempFolder(), "mine.jsonl");
    writeFileSync(file, "mine");
    const request = { format: "jsonl", scope: "path", file } as const;
    await expect(exportSession(drawn(), request)).rejects.toMatchObject({ code: "export-failed" });
    expect(readFileSync(file, "utf8")).toBe("mine");
    await exportSession(drawn(), { ...request, existing: "replace" });
    expect(readFileSync(file, "utf8")).toContain('"type":"session"');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("is refused if it appeared while the session was read", async () => {
    const file = join(tempFolder(), "late.md");
    const onProgress = () => writeFileSync(file, "theirs");
    const exporting = exportSession(drawn(), { format: "markdown", scope: "path", file, onProgress });
    await expect(exporting).rejects.toThrow(/late.md was not written: the file already exists/);
    expect(readFileSync(file, "utf8")).toBe("theirs");
  });

  it("is refused if its folder cannot be created, and never takes the place of a folder", async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, "blocked"), "a file in the place of the folder");
    mkdirSync(join(folder, "x.jsonl"));
    for (const name of ["blocked/x.jsonl", "x.jsonl"]) {
      const request = { format: "jsonl", scope: "path", file: join(folder, name), existing: "replace" } as const;
      await expect(exportSession(drawn(), request)).rejects.toMatchObject({ code: "export-failed" });
    }
    expect(readdirSync(folder).sort()).toEqual(["blocked", "x.jsonl"]);
  });

  it("has its format from its ending, and a name from the session's", async () => {
    expect(["a.jsonl", "b.MD", "c.markdown", "d.html", "e.txt"].map(exportFormatOf)).toEqual([
      ...["jsonl", "markdown", "markdown", "html", undefined],
    ]);
    const session = drawn();
    expect(suggestedExportName(session, "jsonl")).toBe("session-session.jsonl");
    session.appendSessionInfo("../Parser: Überarbeitung!/");
    expect(suggestedExportName(session, "markdown")).toBe("parser-überarbeitung.md");
    session.appendSessionInfo("\u001b]0;owned\u0007\u001b[31mred\u001b[0m \u202eparser");
    expect(suggestedExportName(session, "markdown")).toBe("red-parser.md");
  });
});
