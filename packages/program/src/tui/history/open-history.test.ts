import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { drawSession, says, user } from "@bough/agent/agent/operation-parts.test-support.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { type ListApp, listApp, until } from "../list/screen-app.test-support.js";
import { openHistory } from "./open-history.js";

/** This session has two branches; another one in the folder has two prompts, one of them identical. */
function historyApp(): ListApp {
  const cwd = tempFolder();
  const sessionDir = join(cwd, "sessions");
  mkdirSync(sessionDir, { recursive: true });
  const other = SessionManager.create(cwd, sessionDir);
  for (const content of ["run the tests", "explain\nthe cache"])
    other.appendMessage({ role: "user", content, timestamp: Date.UTC(2025, 0, 1) });
  other.close();
  const session = drawSession("A-b-C*; b-X", {
    A: says(user("run the tests")),
    C: says(user("rename the parser")),
    X: says(user("try a lexer")),
  });
  return listApp({ now: Date.UTC(2025, 0, 1, 3), height: 10, cwd, sessionDir, agent: { session } });
}

describe("the prompt history", () => {
  test("has the prompts of every branch and of other sessions, newest first, each once", async () => {
    const { app, host } = historyApp();
    void openHistory(app);
    await until(host, (screen) => screen.includes("4 prompts") && !screen.includes("searching"));
    const at = (width: number): string => {
      host.resize({ width, height: 10 });
      // The other session was written just now, so its age depends on the clock.
      return `\n${host.screen.replace(/(explain the cache.*?)\s+\S+$/m, "$1")}\n`;
    };
    expect(at(40)).toMatchInlineSnapshot(`
      "
       Prompt history · 4 prompts in this fol…
       > type part of the prompt
       ───────────────────────────────────────
       ❯ try a lexer                        2h
         rename the parser                  2h
         run the tests                      2h
         explain the cache
       Enter edit it  Tab all folders
      "
    `);
    expect(at(80)).toMatchInlineSnapshot(`
      "
       Prompt history · 4 prompts in this folder
       > type part of the prompt
       ───────────────────────────────────────────────────────────────────────────────
       ❯ try a lexer                                                                2h
         rename the parser                                                          2h
         run the tests                                                              2h
         explain the cache
       Enter edit it   Tab all folders   Esc close                              1 of 4
      "
    `);
    expect(at(120)).toMatchInlineSnapshot(`
      "
       Prompt history · 4 prompts in this folder
       > type part of the prompt
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       ❯ try a lexer                                                                                                        2h
         rename the parser                                                                                                  2h
         run the tests                                                                                                      2h
         explain the cache
       Enter edit it   Tab all folders   Esc close                                                                      1 of 4
      "
    `);
  });

  test("gives the whole text of what is chosen", async () => {
    const { app, host } = historyApp();
    const chosen = openHistory(app);
    await until(host, (screen) => screen.includes("4 prompts"));
    host.type("cache");
    expect(host.lines[0]).toContain("1 of 4 prompts");
    host.press("enter");
    await chosen;
    expect(host.editorText()).toBe("explain\nthe cache");
  });

  test("Esc clears the words, then closes without a choice", async () => {
    const { app, host } = historyApp();
    const chosen = openHistory(app);
    await until(host, (screen) => screen.includes("4 prompts"));
    host.type("zzz");
    expect(host.screen).toContain('No prompt matches "zzz". Esc clears the search.');
    host.press("enter");
    expect(host.top?.name).toBe("history");
    host.press("esc");
    expect(host.screen).toContain("rename the parser");
    host.press("esc");
    await chosen;
    expect(host.editorText()).toBe("");
  });
});
