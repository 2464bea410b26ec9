import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../test/support/temp-folder.js";
import { SessionManager } from "../session/index.js";
import {
  applyExportSession,
  type ExportSessionRequest,
  exportFormatOf,
  exportSession,
  planExportSession,
  suggestedExportName,
} from "./export-session.js";
import { answer, drawSession, operationParts, result, says, user } from "./operation-parts.test-support.js";

type Wish = Partial<ExportSessionRequest>;

function exported(session: SessionManager, wish: Wish = {}): { readonly text: string; readonly file: string } {
  const format = wish.format ?? "jsonl";
  const file = wish.file ?? join(tempFolder(), format === "jsonl" ? "part.jsonl" : "part.md");
  exportSession(operationParts({ session }), {
    ...{ format, scope: "path", file, newSessionId: () => "the-copy" },
    ...wish,
  });
  return { text: readFileSync(file, "utf8"), file };
}

function idsIn(text: string): string[] {
  const lines = text.trim().split("\n").slice(1);
  return lines.map((line) => (JSON.parse(line) as { id: string }).id);
}

const drawn = () => drawSession("A-b-C-d*; b-E-f; d-G");

describe("JSONL", () => {
  it("has the path, the branch with what hangs below it, or everything", () => {
    expect(idsIn(exported(drawn()).text)).toEqual(["A", "b", "C", "d"]);
    expect(idsIn(exported(drawn(), { scope: "branch" }).text)).toEqual(["C", "d", "G"]);
    expect(idsIn(exported(drawn(), { scope: "all" }).text)).toEqual(["A", "b", "C", "d", "E", "f", "G", "position"]);
  });

  it("opens as a session of its own, at the same place", () => {
    const session = drawn();
    const { file } = exported(session, { scope: "all" });
    const copy = SessionManager.open(file, undefined, { readOnly: true });
    expect([copy.getProblems(), copy.getSessionId(), copy.getLeafId()]).toEqual([[], "the-copy", "d"]);
    expect(copy.buildSessionContext()).toEqual(session.buildSessionContext());
    copy.close();
  });

  it("takes the whole path for a branch where nothing ever forked", () => {
    expect(idsIn(exported(drawSession("A-b*"), { scope: "branch" }).text)).toEqual(["A", "b"]);
  });
});

describe("Markdown", () => {
  it("reads from the first prompt to the leaf", () => {
    const session = drawSession("A-b-r-C*", {
      A: says(user("fix the lexer")),
      b: says(answer("I look first.", { calls: [{ id: "c1", name: "read", path: "src/lex.ts" }] })),
      r: says(result("c1", "```ts\nlet a;\n```")),
      C: says(user("and now?")),
    });
    session.appendSessionInfo("Lexer work");
    expect(exported(session, { format: "markdown" }).text).toMatchInlineSnapshot(`
      "# Lexer work

      Exported 2025-01-01 from session session-1-of-8

      ## Prompt

      fix the lexer

      ## Answer

      I look first.

      **read**

      \`\`\`
      {
        "path": "src/lex.ts"
      }
      \`\`\`

      <details>
      <summary>Result of read</summary>

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

  it("tells each branch as a chapter, the fork named by its words", () => {
    const { text } = exported(drawn(), { format: "markdown", scope: "all" });
    const order = text.split("\n").filter((line) => /^# |^[A-Za-z]$/.test(line));
    expect(order).toEqual(["# Session", "# Branch 1", "A", "b", "C", "d", "G", "# Branch 2, after “b”", "E", "f"]);
  });

  it("has only this branch where that is wanted", () => {
    const { text } = exported(drawn(), { format: "markdown", scope: "branch" });
    expect(text.split("\n").filter((line) => /^[A-Za-z]$/.test(line))).toEqual(["C", "d"]);
  });

  it("tells a failed answer with its reason and leaves out what an extension hides", () => {
    const session = drawSession("A-b*", {
      b: says({ ...answer("half", { stopReason: "error" }), errorMessage: "boom" }),
    });
    session.appendCustomMessageEntry("secret", "not for people", false);
    const { text } = exported(session, { format: "markdown" });
    expect(text).toContain("half\n\n*Failed: boom*");
    expect(text).not.toContain("not for people");
  });

  it("copes with a hundred thousand branches at one place", () => {
    const session = SessionManager.inMemory("/project");
    const root = session.appendMessage(user("start"));
    for (let i = 0; i < 130_000; i++) {
      session.branch(root);
      session.appendMessage(user("x"));
    }
    const { text } = exported(session, { format: "markdown", scope: "all" });
    expect(text).toContain("# Branch 130000");
  });
});

describe("the file", () => {
  it("is private, in a folder that is made for it, and nothing else stays behind", () => {
    const folder = join(tempFolder(), "deep", "er");
    exported(drawn(), { file: join(folder, "a.jsonl") });
    expect(statSync(join(folder, "a.jsonl")).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["a.jsonl"]);
  });

  it("is never overwritten without being asked for", () => {
    const parts = operationParts({ session: drawn() });
    const file = join(tempFolder(), "mine.jsonl");
    writeFileSync(file, "mine");
    const request = { format: "jsonl", scope: "path", file } as const;
    expect(planExportSession(parts, request).exists).toBe(true);
    expect(() => exportSession(parts, request)).toThrow(expect.objectContaining({ code: "export-failed" }));
    expect(readFileSync(file, "utf8")).toBe("mine");
    exportSession(parts, { ...request, existing: "replace" });
    expect(readFileSync(file, "utf8")).toContain('"type":"session"');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("is refused where somebody made it after the plan", () => {
    const parts = operationParts({ session: drawn() });
    const file = join(tempFolder(), "late.md");
    const plan = planExportSession(parts, { format: "markdown", scope: "path", file });
    writeFileSync(file, "theirs");
    expect(() => applyExportSession(parts, plan)).toThrow(/late.md was not written: there is a file already/);
    expect(readFileSync(file, "utf8")).toBe("theirs");
  });

  it("is refused where its folder cannot be made", () => {
    const folder = tempFolder();
    writeFileSync(join(folder, "blocked"), "a file in the place of the folder");
    const request = { format: "jsonl", scope: "path", file: join(folder, "blocked", "x.jsonl") } as const;
    const failing = () => exportSession(operationParts({ session: drawn() }), request);
    expect(failing).toThrow(expect.objectContaining({ code: "export-failed" }));
  });

  it("does not take the place of a folder", () => {
    const folder = tempFolder();
    mkdirSync(join(folder, "x.jsonl"));
    const parts = operationParts({ session: drawn() });
    const request = { format: "jsonl", scope: "path", file: join(folder, "x.jsonl"), existing: "replace" } as const;
    expect(() => exportSession(parts, request)).toThrow(expect.objectContaining({ code: "export-failed" }));
    expect(readdirSync(folder)).toEqual(["x.jsonl"]);
  });

  it("leaves pages to others, and says that an empty session has nothing", () => {
    const file = join(tempFolder(), "a.html");
    const parts = operationParts({ session: drawn() });
    expect(() => exportSession(parts, { format: "markdown", scope: "path", file })).toThrow("Pages are not made here");
    const empty = operationParts({ session: SessionManager.inMemory("/project") });
    expect(() => exportSession(empty, { format: "jsonl", scope: "all", file: "a.jsonl" })).toThrow(
      expect.objectContaining({ code: "no-content" }),
    );
    expect(existsSync(file)).toBe(false);
  });

  it("has its format from its ending, and a name from the session's", () => {
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
