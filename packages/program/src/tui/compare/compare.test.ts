import { describe, expect, test, vi } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { parserSession } from "../tree/parser-session.test-support.js";
import { type TestAppOptions, testApp } from "../tree/screen-app.test-support.js";
import { COMPARE_KEYS } from "./compare-panel.js";

async function compared(options: Partial<TestAppOptions> = {}) {
  const app = testApp({ session: parserSession(), width: 100, height: 24, ...options });
  const closed = app.open({ screen: "compare", a: "f", b: "s" });
  await app.host.settle();
  return { ...app, closed };
}

describe("comparing two branches", () => {
  test("lines the turns up where there is room, with the sizes that a merge shows", async () => {
    const { host } = await compared({ width: 120 });
    expect(host.screen).toMatchInlineSnapshot(`
      " Compare   #1 wire the tokenizer into the CLI  ↔  #2 try a hand-written lexer
       parted at "wire the tokenizer into the CLI" · 1y ago
       ───────────────────────────────────────────────────────────┬───────────────────────────────────────────────────────────
       #1 wire the tokenizer into the CLI   2 turns  ≈787 tokens  │ #2 try a hand-written lexer   2 turns  ≈61 tokens
       files  1 only here · 1 in both · 0 only there
         both  src/lex.ts                                         │
         only  src/lex.test.ts                                    │
       ───────────────────────────────────────────────────────────┼───────────────────────────────────────────────────────────
       ● keep the generated one, add tests                        │❯● try a hand-written lexer
         2 tools · All 38 tests pass.                             │   1 tool · The table works, slowly.
       ● fix the failing edge cases                               │ ● drop the table, use switch
         All green, grammar kept. What was tried, in what order,… │   Faster by 3x, two cases open.
       ───────────────────────────────────────────────────────────┼───────────────────────────────────────────────────────────
       ends: All green, grammar kept. What was tried, in what or… │ ends: Faster by 3x, two cases open.
       Tab side   Enter go there   Space pick turn   p cherry-pick   M merge   w words   e export   d diff   ? keys"
    `);
  });

  test("stacks the sides below ninety columns, also in ASCII", async () => {
    const { host } = await compared({ width: 80 });
    expect(host.screen).toMatchInlineSnapshot(`
      " Compare   #1 wire the tokenizer into the CLI  ↔  #2 try a hand-written lexer
       parted at "wire the tokenizer into the CLI" · 1y ago
       ───────────────────────────────────────────────────────────────────────────────
       files  1 only in #1 · 1 in both · 0 only in #2
        both  src/lex.ts
        only #1  src/lex.test.ts
       ───────────────────────────────────────────────────────────────────────────────
       #1 wire the tokenizer into the CLI   2 turns  ≈787 tokens
         ● keep the generated one, add tests
           2 tools · All 38 tests pass.
         ● fix the failing edge cases
           All green, grammar kept. What was tried, in what order, and why it did not…
       #2 try a hand-written lexer   2 turns  ≈61 tokens
       ❯ ● try a hand-written lexer
           1 tool · The table works, slowly.
         ● drop the table, use switch
           Faster by 3x, two cases open.
       ───────────────────────────────────────────────────────────────────────────────
       #1 ends: All green, grammar kept. What was tried, in what order, and why it di…
       #2 ends: Faster by 3x, two cases open.
       Tab side   Enter go there   Space pick turn   p cherry-pick   M merge   ? keys"
    `);
    const narrow = await compared({ width: 40, glyphs: "ascii" });
    expect(narrow.host.screen).toMatchInlineSnapshot(`
      " Compare   #1 wire ...  <->  #2 try a...
       parted at "wire the toke..." - 1y ago
       ---------------------------------------
       files  1 only in #1 - 1 in both - 0 ...
        both  src/lex.ts
        only #1  src/lex.test.ts
       ---------------------------------------
       #1 wire the t...   2 turns  ~787 tokens
         * keep the generated one, add tests
           2 tools - All 38 tests pass.
         * fix the failing edge cases
           All green, grammar kept. What wa...
       #2 try a hand-...   2 turns  ~61 tokens
       > * try a hand-written lexer
           1 tool - The table works, slowly.
         * drop the table, use switch
           Faster by 3x, two cases open.
       ---------------------------------------
       #1 ends: All green, grammar kept. Wh...
       #2 ends: Faster by 3x, two cases open.
       Tab side  Enter go there  ? keys"
    `);
  });

  test("names the files that were recorded, also those that only a command changed, and d shows how they differ", async () => {
    const session = parserSession();
    const file = { hash: "0".repeat(64), mode: "644", size: 1 };
    const record = (below: string, tool: string, path: string) => {
      session.branch(below);
      session.appendCustomEntry("bough.files", {
        v: 1,
        by: "tool",
        tool,
        changes: [{ path, before: null, after: file }],
      });
    };
    record("f", "edit", "src/lex.ts");
    record("s", "bash", "gen/table\u001b[2J.js");
    const { host, asked } = await compared({ session, agent: { files: { home: tempFolder() } } });
    await vi.waitFor(() => expect(host.screen).toContain("1 only here · 0 in both · 1 only there"), {
      timeout: 60_000,
    });
    expect(host.screen).toContain("gen/table");
    expect(host.screen).not.toContain("\u001b");
    host.press("d");
    await host.settle();
    expect(asked.at(-1)).toEqual({
      screen: "diff",
      from: "f",
      to: "s",
      title: expect.stringContaining("From #1 wire the tokenizer into the CLI"),
    });
  });

  test("Enter goes to the end of the side and closes", async () => {
    const { host, session, closed } = await compared();
    host.press("enter");
    await expect.poll(() => host.top?.name).toBe("leaving");
    host.press("enter");
    await closed;
    expect(session.getLeafId()).toBe("s");
    await host.settle();
    expect(host.statusLine?.level).toBe("good");
  });

  test("Enter on the side of the current position says so", async () => {
    const { host, session } = await compared();
    session.branch("f");
    host.press("left", "enter");
    expect(host.lines.at(-1)).toBe(" You are already here.");
  });

  test("Space picks turns and p plans to copy all of their entries", async () => {
    const { host } = await compared();
    host.press("space", "down", "space", "p");
    await host.settle();
    expect(host.top?.name).toBe("plan");
    expect(host.lines[0]).toBe(" Cherry-pick 2 turns from #2 try a hand-written lexer into #1");
  });

  test("p without picks takes the selected turn", async () => {
    const { host } = await compared();
    host.press("down", "p");
    await host.settle();
    expect(host.screen).toContain("drop the table, use switch");
    expect(host.lines[0]).toContain("Cherry-pick 1 turn");
  });

  test("closes with the plan that was carried out", async () => {
    const { host, closed } = await compared();
    host.press("p");
    await host.settle();
    host.press("enter");
    await closed;
    expect(host.top).toBeUndefined();
  });

  test("w shows the word diff of two turns, Esc returns, then closes", async () => {
    const { host, closed } = await compared();
    host.press("w");
    expect(host.screen).toMatchInlineSnapshot(`
      " Compare   #1 wire the tokenizer into the CLI  ↔  #2 try a hand-written lexer
       ───────────────────────────────────────────────────────────────────────────────────────────────────
       asked
         [-keep-]{+try+} [-the-]{+a+} [-generated-]{+hand-written+} [-one, add tests-]{+lexer+}
       answered
         [-All-]{+The+} [-38-]{+table+} [-tests-]{+works,+} [-pass-]{+slowly+}.
       Esc back   ? keys"
    `);
    host.press("esc");
    expect(host.screen).toContain("ends:");
    host.press("esc");
    await closed;
  });

  test("e writes the side to a session file", async () => {
    const { host } = await compared();
    host.press("e");
    await vi.waitFor(() => expect(host.screen).toContain("Wrote"), { timeout: 60_000 });
  });
});

describe("keys of the comparison", () => {
  test("each has an effect or a reason", async () => {
    for (const { id, keys } of COMPARE_KEYS.actions) {
      for (const key of keys) {
        const { host } = await compared();
        const panel = host.top;
        const before = host.screen;
        const reason = panel?.disabledReason?.(id);
        expect(host.press(key)).toBe(true);
        await host.settle();
        if (reason !== undefined) expect(host.screen).toContain(reason);
        else expect(host.top === panel && host.screen === before, `${id} by ${key}`).toBe(false);
      }
    }
  });

  test("moving is off while another process has the session, and says so", async () => {
    const { host } = await compared({ readOnly: true });
    for (const key of ["enter", "p", "M"]) {
      host.press(key);
      expect(host.lines.at(-1)).toBe(" Open in another process. You can browse but not move.");
    }
  });
});
