import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawSession } from "@bough/agent/agent/operation-parts.test-support.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it, vi } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
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
    file: options.file,
  });
  return { ...made, closed, cwd };
}

describe("exporting", () => {
  it("says what is written and what leaves this machine with it", () => {
    const { host } = exportApp();
    const at = (width: number): string => {
      host.resize({ width, height: 16 });
      return `\n${host.screen}\n`;
    };
    expect(at(40)).toMatchInlineSnapshot(`
      "
       Export
       ───────────────────────────────────────
         format   a page, for a browser
         part     everything, all branches
       ❯ file     lexer-work.html
       All 7 entries of all 2 branches,
       including abandoned ones.
       One HTML page with the tree; works
       offline. Includes thinking, tools and
       images.
       Includes file contents and command
       output. Values that look like secrets
       are masked, but no scan finds
       everything.
       Only you can read the file; review it
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
       All 7 entries of all 2 branches, including abandoned ones.
       One HTML page with the tree; works offline. Includes thinking, tools and
       images.
       Includes file contents and command output. Values that look like secrets are
       masked, but no scan finds everything.
       Only you can read the file; review it before sharing.
       Enter write it   Tab next line   Esc close
      "
    `);
  });

  it("writes a page unless something else is wanted", async () => {
    const { host, closed, cwd } = exportApp();
    host.press("enter");
    await closed;
    expect(existsSync(join(cwd, "lexer-work.html"))).toBe(true);
    expect(host.statusLine?.message).toContain("No secrets found");
  });

  it("writes the path as Markdown, private, under the name of the session", async () => {
    const { host, closed, cwd } = exportApp({ file: "lexer-work.md" });
    host.press("enter");
    await closed;
    const file = join(cwd, "lexer-work.md");
    expect(readFileSync(file, "utf8")).toMatch(/^# Lexer work\n/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(host.statusLine?.message).toContain(`Wrote 5 entries to ${file}`);
  });

  it("writes everything as JSONL that opens again", async () => {
    const { host, closed, cwd, session } = exportApp();
    host.press("up", "right", "left", "up", "left");
    expect(host.screen).toContain("everything");
    expect(host.screen).toContain("lexer-work.jsonl");
    host.press("enter");
    await closed;
    const copy = SessionManager.open(join(cwd, "lexer-work.jsonl"), undefined, { readOnly: true });
    expect([copy.getProblems(), copy.getLeafId(), copy.getEntry("E")?.id]).toEqual([[], session.getLeafId(), "E"]);
    copy.close();
  });

  it("takes the format from the name that is typed", async () => {
    const { host, closed, cwd } = exportApp();
    host.press("ctrl+u");
    host.type("sub folder/x.jsonl");
    expect(host.screen).toContain("JSONL, to open with Bough");
    host.press("enter");
    await closed;
    expect(existsSync(join(cwd, "sub folder", "x.jsonl"))).toBe(true);
  });

  it("asks before it replaces a file", async () => {
    const { host, closed, cwd } = exportApp({ file: "mine.md" });
    const file = join(cwd, "mine.md");
    writeFileSync(file, "mine");
    host.press("enter");
    await host.settle();
    expect(host.screen).toContain("File already exists:");
    host.press("esc");
    await host.settle();
    expect(readFileSync(file, "utf8")).toBe("mine");
    host.press("enter");
    await host.settle();
    host.press("enter");
    await closed;
    expect(readFileSync(file, "utf8")).toContain("# Lexer work");
  });

  it.each([
    ["page.pdf", "The file name must end in .html, .md or .jsonl."],
    ["notes", "The file name must end in .html, .md or .jsonl."],
  ])("does not write %s and says why", (file, reason) => {
    const { host, cwd } = exportApp({ file });
    expect(host.screen).toContain(reason);
    host.press("enter");
    expect(host.statusLine?.message).toBe(reason);
    expect(existsSync(join(cwd, file))).toBe(false);
  });

  it("says what went wrong and stays open", async () => {
    const { host, cwd } = exportApp({ file: "blocked/x.md" });
    writeFileSync(join(cwd, "blocked"), "a file in the place of the folder");
    host.press("enter");
    await vi.waitFor(() => expect(host.statusLine?.level).toBe("error"), { timeout: 60_000 });
    expect(host.top?.name).toBe("export");
  });

  it("has nothing to write for an empty session", async () => {
    const { app, host } = listApp({ agent: { session: SessionManager.inMemory("/project") } });
    await openExport(app, { screen: "export" });
    expect(host.statusLine?.message).toContain("Nothing here yet.");
  });
});
