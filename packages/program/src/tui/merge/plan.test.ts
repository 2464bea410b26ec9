import { describe, expect, test } from "vitest";
import { parserSession } from "../tree/parser-session.test-support.js";
import { testApp } from "../tree/screen-app.test-support.js";
import { PLAN_KEYS } from "./plan-panel.js";

const LEXER = ["L", "l", "lr", "le", "S", "s"];

describe("the plan of a cherry-pick", () => {
  test("shows turns with tools and tokens, collisions, and what it does not do", async () => {
    const { open, host } = testApp({ session: parserSession(), height: 9 });
    void open({ screen: "cherry-pick", ids: LEXER });
    await host.settle();
    expect(host.screen).toMatchInlineSnapshot(`
      " Cherry-pick 2 turns from #2 try a hand-written lexer into #1
       ❯ ! try a hand-written lexer      1 tool, results included           ≈38 tokens
         + drop the table, use switch                                       ≈23 tokens
         ! 1 turn edits src/lex.ts, which #1 changed later
       Conversation only: files on disk are unchanged.
       Enter add to #1   Space drop a turn   Esc back   ? keys"
    `);
    host.resize({ width: 40, height: 9 });
    expect(host.screen).toMatchInlineSnapshot(`
      " Cherry-pick 2 turns from #2 try a hand…
       ❯ ! try a hand-writte…       ≈38 tokens
         + drop the table, u…       ≈23 tokens
         ! 1 turn edits src/lex.ts, which #1
           changed later
       Conversation only: files on disk are
       unchanged.
       Enter add to #1  Esc back  ? keys"
    `);
  });

  test("Space leaves a turn out, Enter copies the others and closes", async () => {
    const { open, host, session } = testApp({ session: parserSession(), height: 9 });
    const closed = open({ screen: "cherry-pick", ids: LEXER });
    await host.settle();
    host.press("space");
    expect(host.screen).toContain("left out");
    host.press("down", "enter");
    await closed;
    await host.settle();
    const copies = session
      .getBranch()
      .slice(-3)
      .filter(({ type }) => type === "message");
    expect(copies.map((entry) => (entry.type === "message" ? entry.message.role : ""))).toEqual(["user", "assistant"]);
    expect(host.statuses.at(-1)?.level).toBe("good");
    expect(host.top).toBeUndefined();
  });

  test("Esc changes nothing", async () => {
    const { open, host, session } = testApp({ session: parserSession() });
    const before = session.getCounts();
    const closed = open({ screen: "cherry-pick", ids: LEXER });
    await host.settle();
    host.press("esc");
    await closed;
    expect(session.getCounts()).toEqual(before);
  });

  test("with every turn excluded, Enter says so", async () => {
    const { open, host } = testApp({ session: parserSession() });
    void open({ screen: "cherry-pick", ids: LEXER });
    await host.settle();
    host.press("space", "down", "space", "enter");
    expect(host.screen).toContain("Every turn is excluded.");
  });

  test("what is already on this path is reported at once, without a plan", async () => {
    const { open, host } = testApp({ session: parserSession() });
    await open({ screen: "cherry-pick", ids: ["W"] });
    expect(host.top).toBeUndefined();
    expect(host.statuses).toHaveLength(1);
  });
});

describe("the plan of a merge", () => {
  test("has two forms, named by what they add", async () => {
    const { open, host } = testApp({ session: parserSession(), height: 10 });
    void open({ screen: "merge", tipId: "s" });
    await host.settle();
    expect(host.screen).toMatchInlineSnapshot(`
      " Merge #2 try a hand-written lexer into #1
         ✓ bring a summary of #2        about 600 tokens, written by the model
           bring its turns              2 turns, ≈61 tokens
         ! try a hand-written lexer      1 tool, results included           ≈38 tokens
         + drop the table, use switch                                       ≈23 tokens
         ! 1 turn edits src/lex.ts, which #1 changed later
       Conversation only: files on disk are unchanged.
       Enter bring a summary   Tab bring its turns   Esc back   ? keys"
    `);
    host.press("space");
    expect(host.lines.at(-1)).toBe(" A summary covers the whole branch. Tab brings its turns instead.");
    host.press("tab");
    expect(host.screen).toMatchInlineSnapshot(`
      " Merge #2 try a hand-written lexer into #1
           bring a summary of #2        about 600 tokens, written by the model
         ✓ bring its turns              2 turns, ≈61 tokens
       ❯ ! try a hand-written lexer      1 tool, results included           ≈38 tokens
         + drop the table, use switch                                       ≈23 tokens
         ! 1 turn edits src/lex.ts, which #1 changed later
       Conversation only: files on disk are unchanged.
       Enter add to #1   Space drop a turn   Tab bring a summary   Esc back   ? keys"
    `);
  });

  test("brings a summary of the branch, with what to keep", async () => {
    const app = testApp({ session: parserSession(), steps: ["## Goal\nA lexer"], height: 10 });
    const { open, host, session } = app;
    const closed = open({ screen: "merge", tipId: "s" });
    await host.settle();
    host.press("w");
    host.type("why switch won");
    host.press("enter");
    await host.settle();
    host.press("enter");
    await closed;
    await host.settle();
    expect(session.getBranch().some(({ type }) => type === "branch_summary")).toBe(true);
    expect(host.top).toBeUndefined();
  });

  test("brings the turns themselves", async () => {
    const { open, host, session } = testApp({ session: parserSession(), height: 10 });
    const before = session.getBranch().length;
    const closed = open({ screen: "merge", tipId: "s" });
    await host.settle();
    host.press("tab", "enter");
    await closed;
    expect(session.getBranch().length).toBeGreaterThan(before + LEXER.length - 1);
  });

  test("a summary that failed asks, and can be left", async () => {
    const failing = { failure: { message: "rate-limited (429)", retryable: false } } as never;
    const { open, host } = testApp({ session: parserSession(), steps: [failing], height: 10 });
    void open({ screen: "merge", tipId: "s" });
    await host.settle();
    host.press("enter");
    for (let rounds = 1000; host.top?.name !== "summary-failed" && rounds > 0; rounds--) await host.settle();
    host.press("esc");
    await host.settle();
    expect(host.top?.name).toBe("plan");
  });
});

describe("keys of a plan", () => {
  test("each has an effect or a reason", async () => {
    for (const { id, keys } of PLAN_KEYS.actions) {
      for (const key of keys) {
        const { open, host } = testApp({ session: parserSession(), steps: ["summary"], height: 12 });
        void open({ screen: "merge", tipId: "s" });
        await host.settle();
        const panel = host.top;
        const before = host.screen;
        const reason = panel?.disabledReason?.(id);
        expect(host.press(key)).toBe(true);
        await host.settle();
        if (reason !== undefined) expect(host.screen).toContain(reason.slice(0, 40));
        else expect(host.top === panel && host.screen === before, `${id} by ${key}`).toBe(false);
      }
    }
  });
});
