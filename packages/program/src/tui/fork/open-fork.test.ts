import { drawSession, says, user } from "@bough/agent/agent/operation-parts.test-support.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { type ListApp, type ListAppOptions, listApp } from "../list/screen-app.test-support.js";
import { openFork } from "./open-fork.js";
import { PromptList } from "./prompt-list.js";

function forkApp(options: ListAppOptions = {}): ListApp {
  const session = drawSession("A-b-C-d-E*; b-X", {
    A: says(user("wire the tokenizer into the CLI")),
    C: says(user("keep the generated one,\nadd \x1b[31mtests")),
    E: says(user("fix the failing edge cases: empty input, a lone quote, CRLF inside strings and other things")),
    X: says(user("try a hand-written lexer")),
  });
  return listApp({ now: Date.UTC(2025, 0, 1, 3), ...options, agent: { session } });
}

describe("the list of prompts to fork from", () => {
  it("has the prompts of this path, newest first", () => {
    const { app, host } = forkApp({ height: 10 });
    void openFork(app, { screen: "fork" });
    const at = (width: number): string => {
      host.resize({ width, height: 10 });
      return `\n${host.screen}\n`;
    };
    expect(at(40)).toMatchInlineSnapshot(`
      "
       Fork · 3 prompts
       > type part of the prompt
       ───────────────────────────────────────
       ❯ fix the failing edge cases: em…    2h
         keep the generated one, add te…    2h
         wire the tokenizer into the CLI    2h
       Enter new session from just before it
      "
    `);
    expect(at(80)).toMatchInlineSnapshot(`
      "
       Fork · 3 prompts
       > type part of the prompt
       ───────────────────────────────────────────────────────────────────────────────
       ❯ fix the failing edge cases: empty input, a lone quote, CRLF inside str…    2h
         keep the generated one, add tests                                          2h
         wire the tokenizer into the CLI                                            2h
       Enter new session from just before it   Tab in the tree   Esc close      1 of 3
      "
    `);
    expect(at(120)).toMatchInlineSnapshot(`
      "
       Fork · 3 prompts
       > type part of the prompt
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       ❯ fix the failing edge cases: empty input, a lone quote, CRLF inside strings and other things                        2h
         keep the generated one, add tests                                                                                  2h
         wire the tokenizer into the CLI                                                                                    2h
       Enter new session from just before it   Tab in the tree   Esc close                                              1 of 3
      "
    `);
  });

  it("narrows down by typing and says where nothing is left", () => {
    const { app, host } = forkApp();
    void openFork(app, { screen: "fork" });
    host.type("tests gen");
    expect(host.lines[3]).toContain("keep the generated one");
    expect(host.lines[0]).toContain("1 of 3 prompts");
    host.type("zzz");
    expect(host.screen).toContain('No prompt matches "tests genzzz". Esc clears the search.');
    host.press("esc");
    expect(host.lines[0]).toContain("3 prompts");
  });

  it("makes a new session from before the chosen prompt and puts its text into the editor", async () => {
    const { app, host, session } = forkApp();
    const before = session.getSessionId();
    const closed = openFork(app, { screen: "fork" });
    host.press("down", "down", "enter");
    await closed;
    expect(host.editorText()).toBe("wire the tokenizer into the CLI");
    expect(session.getSessionId()).not.toBe(before);
    expect(host.statusLine?.message).toContain("New session from just before");
  });

  it("changes nothing when it is closed, and hands over to the tree", async () => {
    const { app, host, asked, session } = forkApp();
    const before = session.getSessionId();
    const closed = openFork(app, { screen: "fork" });
    host.press("esc");
    await closed;
    expect(session.getSessionId()).toBe(before);
    const again = openFork(app, { screen: "fork" });
    host.press("tab");
    await again;
    expect(asked).toEqual([{ screen: "tree", purpose: "fork" }]);
  });

  it("reads only the prompts that are shown", () => {
    const session = SessionManager.inMemory("/project");
    for (let i = 0; i < 5000; i++) session.appendMessage(user(`prompt ${i}`));
    const source = session.getSource();
    let read = 0;
    const counting = {
      ...source,
      tree: source.tree,
      leaf: source.leaf,
      entryAt: (n: number) => {
        read += 1;
        return source.entryAt(n);
      },
    };
    const prompts = new PromptList(counting);
    expect([prompts.total, prompts.row(0)?.text, prompts.row(4999)?.text]).toEqual([5000, "prompt 4999", "prompt 0"]);
    expect(read).toBe(2);
    prompts.search("4998");
    prompts.advance(() => true);
    expect([prompts.isComplete, read]).toEqual([false, 2]);
    expect(prompts.advance(() => false)).toBe("done");
    expect(prompts.row(0)?.text).toBe("prompt 4998");
  });
});
