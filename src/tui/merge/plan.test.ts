import { describe, expect, test } from "vitest";
import { parserSession } from "../tree/parser-session.test-support.js";
import { testApp } from "../tree/screen-app.test-support.js";
import { PLAN_KEYS } from "./plan-panel.js";

const LEXER = ["L", "l", "lr", "le", "S", "s"];

describe("the plan of a cherry-pick", () => {
  test("shows turns with tools and tokens, collisions, and what it does not do", async () => {
    const { open, desk } = testApp({ session: parserSession(), height: 9 });
    void open({ screen: "cherry-pick", ids: LEXER });
    await desk.settle();
    expect(desk.screen).toMatchInlineSnapshot(`
      " Cherry-pick 2 turns from #2 try a hand-written lexer onto @
       ❯ ! try a hand-written lexer      1 tool, results included           ≈38 tokens
         + drop the table, use switch                                       ≈23 tokens
         ! 1 turn edits src/lex.ts, which #1 changed later
       Conversation only: files on disk are not touched.
       Enter add to #1   Space drop a turn   Esc back   ? keys"
    `);
    desk.resize({ width: 40, height: 9 });
    expect(desk.screen).toMatchInlineSnapshot(`
      " Cherry-pick 2 turns from #2 try a hand…
       ❯ ! try a hand-writte…       ≈38 tokens
         + drop the table, u…       ≈23 tokens
         ! 1 turn edits src/lex.ts, which #1
           changed later
       Conversation only: files on disk are
       not touched.
       Enter add to #1  Esc back  ? keys"
    `);
  });

  test("Space leaves a turn out, Enter copies the others and closes", async () => {
    const { open, desk, session } = testApp({ session: parserSession(), height: 9 });
    const closed = open({ screen: "cherry-pick", ids: LEXER });
    await desk.settle();
    desk.press("space");
    expect(desk.screen).toContain("left out");
    desk.press("down", "enter");
    await closed;
    await desk.settle();
    const copies = session
      .getBranch()
      .slice(-3)
      .filter(({ type }) => type === "message");
    expect(copies.map((entry) => (entry.type === "message" ? entry.message.role : ""))).toEqual(["user", "assistant"]);
    expect(desk.statuses.at(-1)?.level).toBe("good");
    expect(desk.top).toBeUndefined();
  });

  test("Esc changes nothing", async () => {
    const { open, desk, session } = testApp({ session: parserSession() });
    const before = session.getCounts();
    const closed = open({ screen: "cherry-pick", ids: LEXER });
    await desk.settle();
    desk.press("esc");
    await closed;
    expect(session.getCounts()).toEqual(before);
  });

  test("with every turn left out Enter says so", async () => {
    const { open, desk } = testApp({ session: parserSession() });
    void open({ screen: "cherry-pick", ids: LEXER });
    await desk.settle();
    desk.press("space", "down", "space", "enter");
    expect(desk.screen).toContain("Every turn is left out.");
  });

  test("what is on this path already is said at once, without a plan", async () => {
    const { open, desk } = testApp({ session: parserSession() });
    await open({ screen: "cherry-pick", ids: ["W"] });
    expect(desk.top).toBeUndefined();
    expect(desk.statuses).toHaveLength(1);
  });
});

describe("the plan of a merge", () => {
  test("has two forms, named by what they bring", async () => {
    const { open, desk } = testApp({ session: parserSession(), height: 10 });
    void open({ screen: "merge", tipId: "s" });
    await desk.settle();
    expect(desk.screen).toMatchInlineSnapshot(`
      " Merge #2 try a hand-written lexer into #1 main
         ✓ bring a summary of #2        about 600 tokens, written by the model
           bring its turns              2 turns, ≈61 tokens
         ! try a hand-written lexer      1 tool, results included           ≈38 tokens
         + drop the table, use switch                                       ≈23 tokens
         ! 1 turn edits src/lex.ts, which #1 changed later
       Conversation only: files on disk are not touched.
       Enter bring a summary   Tab bring its turns   Esc back   ? keys"
    `);
    desk.press("space");
    expect(desk.lines.at(-1)).toBe(" A summary covers the whole branch. Tab brings its turns instead.");
    desk.press("tab");
    expect(desk.screen).toMatchInlineSnapshot(`
      " Merge #2 try a hand-written lexer into #1 main
           bring a summary of #2        about 600 tokens, written by the model
         ✓ bring its turns              2 turns, ≈61 tokens
       ❯ ! try a hand-written lexer      1 tool, results included           ≈38 tokens
         + drop the table, use switch                                       ≈23 tokens
         ! 1 turn edits src/lex.ts, which #1 changed later
       Conversation only: files on disk are not touched.
       Enter add to #1   Space drop a turn   Tab bring a summary   Esc back   ? keys"
    `);
  });

  test("brings a summary of the branch, with what to keep", async () => {
    const app = testApp({ session: parserSession(), steps: ["## Goal\nA lexer"], height: 10 });
    const { open, desk, session } = app;
    const closed = open({ screen: "merge", tipId: "s" });
    await desk.settle();
    desk.press("w");
    desk.type("why switch won");
    desk.press("enter");
    await desk.settle();
    desk.press("enter");
    await closed;
    await desk.settle();
    expect(session.getBranch().some(({ type }) => type === "branch_summary")).toBe(true);
    expect(desk.top).toBeUndefined();
  });

  test("brings the turns themselves", async () => {
    const { open, desk, session } = testApp({ session: parserSession(), height: 10 });
    const before = session.getBranch().length;
    const closed = open({ screen: "merge", tipId: "s" });
    await desk.settle();
    desk.press("tab", "enter");
    await closed;
    expect(session.getBranch().length).toBeGreaterThan(before + LEXER.length - 1);
  });

  test("a summary that failed asks, and can be left", async () => {
    const failing = { failure: { message: "rate-limited (429)", retryable: false } } as never;
    const { open, desk } = testApp({ session: parserSession(), steps: [failing], height: 10 });
    void open({ screen: "merge", tipId: "s" });
    await desk.settle();
    desk.press("enter");
    for (let rounds = 1000; desk.top?.name !== "summary-failed" && rounds > 0; rounds--) await desk.settle();
    desk.press("esc");
    await desk.settle();
    expect(desk.top?.name).toBe("plan");
  });
});

describe("keys of a plan", () => {
  test("each has an effect or a reason", async () => {
    for (const { id, keys } of PLAN_KEYS.actions) {
      for (const key of keys) {
        const { open, desk } = testApp({ session: parserSession(), steps: ["summary"], height: 12 });
        void open({ screen: "merge", tipId: "s" });
        await desk.settle();
        const panel = desk.top;
        const before = desk.screen;
        const reason = panel?.disabledReason?.(id);
        expect(desk.press(key)).toBe(true);
        await desk.settle();
        if (reason !== undefined) expect(desk.screen).toContain(reason.slice(0, 40));
        else expect(desk.top === panel && desk.screen === before, `${id} by ${key}`).toBe(false);
      }
    }
  });
});
