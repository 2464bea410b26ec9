import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { tempFolder } from "../../../test/support/temp-folder.js";
import { drawSession } from "../../agent/operation-parts.test-support.js";
import { SessionManager } from "../../session/index.js";
import { type ListApp, type ListAppOptions, listApp } from "../list/screen-app.test-support.js";
import { openExport } from "./open-export.js";

function exportApp(
  options: ListAppOptions & { readonly file?: string } = {},
): ListApp & { readonly closed: Promise<void>; readonly cwd: string } {
  const cwd = tempFolder();
  const session = drawSession("A-b-C-d*; b-E");
  session.appendSessionInfo("Lexer work");
  const made = listApp({ ...options, cwd, agent: { session } });
  const closed = openExport(made.app, {
    screen: "export",
    ...(options.file === undefined ? {} : { file: options.file }),
  });
  return { ...made, closed, cwd };
}

describe("exporting", () => {
  it("says what is written and what leaves this machine with it", () => {
    const { desk } = exportApp();
    const at = (width: number): string => {
      desk.resize({ width, height: 16 });
      return `\n${desk.screen}\n`;
    };
    expect(at(40)).toMatchInlineSnapshot(`
      "
       Export
       ───────────────────────────────────────
         format   a page, for a browser
         part     everything, all branches
       ❯ file     lexer-work.html
       All 7 entries of all 2 branches, those
       you left included.
       One page with its tree, for a browser;
       it needs no network. Thinking, tools
       and images are in it.
       Text of files that were read and
       output of commands are in it. What
       looks like a secret is masked first;
       no scan finds everything.
       The file is readable by you alone;
       Enter write it  Tab next line
      "
    `);
    expect(at(80)).toMatchInlineSnapshot(`
      "
       Export
       ───────────────────────────────────────────────────────────────────────────────
         format   a page, for a browser
         part     everything, all branches
       ❯ file     lexer-work.html
       All 7 entries of all 2 branches, those you left included.
       One page with its tree, for a browser; it needs no network. Thinking, tools
       and images are in it.
       Text of files that were read and output of commands are in it. What looks like
       a secret is masked first; no scan finds everything.
       The file is readable by you alone; review it before sharing.
       Enter write it   Tab next line   Esc close
      "
    `);
  });

  it("writes a page unless something else is wanted", async () => {
    const { desk, closed, cwd } = exportApp();
    desk.press("enter");
    await closed;
    expect(existsSync(join(cwd, "lexer-work.html"))).toBe(true);
    expect(desk.statusLine?.message).toContain("No secrets found");
  });

  it("writes the path as Markdown, private, under the name of the session", async () => {
    const { desk, closed, cwd } = exportApp({ file: "lexer-work.md" });
    desk.press("enter");
    await closed;
    const file = join(cwd, "lexer-work.md");
    expect(readFileSync(file, "utf8")).toMatch(/^# Lexer work\n/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(desk.statusLine?.message).toContain(`Wrote 5 entries to ${file}`);
  });

  it("writes everything as JSONL that opens again", async () => {
    const { desk, closed, cwd, session } = exportApp();
    desk.press("up", "right", "left", "up", "left");
    expect(desk.screen).toContain("everything");
    expect(desk.screen).toContain("lexer-work.jsonl");
    desk.press("enter");
    await closed;
    const copy = SessionManager.open(join(cwd, "lexer-work.jsonl"), undefined, { readOnly: true });
    expect([copy.getProblems(), copy.getLeafId(), copy.getEntry("E")?.id]).toEqual([[], session.getLeafId(), "E"]);
    copy.close();
  });

  it("takes the format from the name that is typed", async () => {
    const { desk, closed, cwd } = exportApp();
    desk.press("ctrl+u");
    desk.type("sub folder/x.jsonl");
    expect(desk.screen).toContain("JSONL, to open with Bough");
    desk.press("enter");
    await closed;
    expect(existsSync(join(cwd, "sub folder", "x.jsonl"))).toBe(true);
  });

  it("asks before it replaces a file", async () => {
    const { desk, closed, cwd } = exportApp({ file: "mine.md" });
    const file = join(cwd, "mine.md");
    writeFileSync(file, "mine");
    desk.press("enter");
    await desk.settle();
    expect(desk.screen).toContain("File already exists:");
    desk.press("esc");
    await desk.settle();
    expect(readFileSync(file, "utf8")).toBe("mine");
    desk.press("enter");
    await desk.settle();
    desk.press("enter");
    await closed;
    expect(readFileSync(file, "utf8")).toContain("# Lexer work");
  });

  it.each([
    ["page.pdf", "The name has to end in .html, .md or .jsonl, so that others know what it is."],
    ["notes", "The name has to end in .html, .md or .jsonl, so that others know what it is."],
  ])("does not write %s and says why", (file, reason) => {
    const { desk, cwd } = exportApp({ file });
    expect(desk.screen).toContain(reason);
    desk.press("enter");
    expect(desk.statusLine?.message).toBe(reason);
    expect(existsSync(join(cwd, file))).toBe(false);
  });

  it("says what went wrong and stays open", async () => {
    const { desk, cwd } = exportApp({ file: "blocked/x.md" });
    writeFileSync(join(cwd, "blocked"), "a file in the place of the folder");
    desk.press("enter");
    await vi.waitFor(() => expect(desk.statusLine?.level).toBe("error"));
    expect(desk.top?.name).toBe("export");
  });

  it("has nothing to write for an empty session", async () => {
    const { app, desk } = listApp({ agent: { session: SessionManager.inMemory("/project") } });
    await openExport(app, { screen: "export" });
    expect(desk.statusLine?.message).toContain("Nothing here yet.");
  });
});
