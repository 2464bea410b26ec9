import { describe, expect, test } from "vitest";
import { hooksOf, opened as opening } from "../../agent/agent-harness.test-support.js";
import { SessionManager } from "../../session/index.js";
import type { TestDesk } from "../desk/desk.test-support.js";
import { parserSession } from "./parser-session.test-support.js";
import { type TestAppOptions, testApp } from "./screen-app.test-support.js";
import { TREE_KEYS } from "./tree-keys.js";

const NOW = Date.UTC(2025, 0, 1, 13);

interface TreeOptions extends Partial<TestAppOptions> {
  readonly select?: string;
  readonly search?: string;
  readonly purpose?: "move" | "fork";
}

async function opened({ select, search, purpose, ...options }: TreeOptions = {}) {
  const app = testApp({ session: parserSession(), width: 80, height: 20, now: NOW, ...options });
  const closed = app.open({
    screen: "tree",
    ...(select === undefined ? {} : { select }),
    ...(search === undefined ? {} : { search }),
    ...(purpose === undefined ? {} : { purpose }),
  });
  await app.desk.settle();
  return { ...app, closed };
}

/** Lets things go on until a panel is on top. */
async function shown(desk: TestDesk, name: string): Promise<void> {
  for (let rounds = 1000; desk.top?.name !== name && rounds > 0; rounds--) await desk.settle();
  expect(desk.top?.name).toBe(name);
}

describe("the tree", () => {
  test("says as many tokens as the question about a summary says", async () => {
    const { desk } = await opened({ select: "K" });
    const [, footer] = /leaves \d+ entries \(≈(\S+) tokens\)/.exec(desk.screen) ?? [];
    desk.press("enter");
    await shown(desk, "leaving");
    const [, question] = /Leaving #1 main: \d+ entries, ≈(\S+) tokens/.exec(desk.screen) ?? [];
    expect(footer).toBeDefined();
    expect(footer).toBe(question);
  });

  test("shows the trunk with folded branches, a preview, and what Enter does", async () => {
    const { desk } = await opened();
    desk.press("ctrl+u", "up");
    expect(desk.screen).toMatchInlineSnapshot(`
      " Tree · parser session · user-only            6 turns · 3 branches · on #1 main
       ───────────────────────────────────────────────────────────────────────────────
         ●  wire the tokenizer into the CLI                               1 tool  12h
         ├─▸ #2  try a hand-written lexer      2 turns                            12h
         ├─▸ #3  use an off-the-shelf grammar  1 turn  ✕ failed                   12h
         ●  keep the generated one, add tests                            2 tools  12h
       ❯ ●  fix the failing edge cases  [good]                                    12h
         @  you are here · reply finished                                         12h






       ───────────────────────────────────────────────────────────────────────────────
       fix the failing edge cases
       → All green, grammar kept. What was tried, in what order, and why it did not …
       ───────────────────────────────────────────────────────────────────────────────
       Enter edit & resend from here · leaves 2 entries (≈732 tokens), files stay
       c continue after   s go + summary   m label   / search   ? keys         5 of 6"
    `);
  });

  test("fits forty columns and ASCII", async () => {
    const { desk } = await opened({ width: 40, height: 14, glyphs: "ascii" });
    desk.press("ctrl+u", "up");
    expect(desk.screen).toMatchInlineSnapshot(`
      " Tree - on #1 main - user... 3 branches
       ---------------------------------------
         *  wire the tokenizer into the CLI
         |+ #2 try a hand-written lexer   2t
         |+ #3 use an off-the-shelf ...   1t x
         *  keep the generated one, add tests
       > *  fix the failing edge cases [good]
         @  you are here - reply finished




       ---------------------------------------
       Enter edit  c continue  v view  ? keys"
    `);
  });

  test("puts the preview beside the rows on a hundred and twenty columns", async () => {
    const { desk } = await opened({ width: 120, height: 14 });
    desk.press("ctrl+u", "up");
    expect(desk.screen).toMatchInlineSnapshot(`
      " Tree · parser session · user-only                                                    6 turns · 3 branches · on #1 main
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
         ●  wire the tokenizer into the CLI           1 tool  12h │ fix the failing edge cases
         ├─▸ #2  try a hand-written lexer     2 turns         12h │ → All green, grammar kept. What was tried, in what order,
         ├─▸ #3  use an off-the-shelf gra…  1 turn  ✕ failed  12h │ and why it did not work out in the end. What was tried,
         ●  keep the generated one, add tests        2 tools  12h │ in what order, and why it did not work out in the end.
       ❯ ●  fix the failing edge cases  [good]                12h │ What was tried, in what order, an
         @  you are here · reply finished                     12h │
                                                                  │
                                                                  │
                                                                  │
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       Enter edit & resend from here · leaves 2 entries (≈732 tokens), files stay
       c continue after   s go + summary   m label   / search   Tab filter   ? keys                                    5 of 6"
    `);
  });

  test("opens on the entry it was asked for", async () => {
    const { desk } = await opened({ select: "S" });
    const row = desk.lines.find((line) => line.includes("❯"));
    expect(row).toContain("drop the table, use switch");
  });

  test("an empty session says how it begins", async () => {
    const { desk } = await opened({ session: SessionManager.inMemory() });
    expect(desk.screen).toContain("Nothing here yet. Send a prompt and it becomes the first entry.");
  });
});

describe("going somewhere", () => {
  test("Enter on a prompt asks about a summary, moves, fills the editor and closes", async () => {
    const { desk, session, closed } = await opened({ select: "K", editorText: "half a thought" });
    desk.press("enter");
    await desk.settle();
    expect(desk.top?.name).toBe("leaving");
    desk.press("enter");
    await closed;
    expect(session.getBranch().at(-1)?.id).toBe("we");
    await desk.settle();
    expect(desk.editorText()).toBe("keep the generated one, add tests");
    expect(desk.statusLine?.message).toMatch(
      /^Moved just before "keep the generated one, add tests"\. #1 keeps its \d+ entries\./,
    );
  });

  test("staying leaves everything as it was, in the tree", async () => {
    const { desk, session } = await opened({ select: "K" });
    const leaf = session.getLeafId();
    desk.press("enter");
    await desk.settle();
    desk.press("esc");
    await desk.settle();
    expect(session.getLeafId()).toBe(leaf);
    expect(desk.top?.name).toBe("tree");
    expect(desk.screen).toContain("Nothing changed.");
  });

  test("s brings a summary, which Esc stops", async () => {
    const { desk, session } = await opened({ select: "K", steps: [{ text: "## Goal", hang: true }] });
    const leaf = session.getLeafId();
    desk.press("s");
    await shown(desk, "summary-progress");
    expect(desk.lines[0]).toContain("Summarising #1");
    desk.press("esc");
    await shown(desk, "tree");
    await desk.settle();
    expect(session.getLeafId()).toBe(leaf);
    expect(desk.screen).toContain("You are still on #1 main.");
  });

  test("s writes the summary first, then moves", async () => {
    const { desk, session, closed } = await opened({ select: "we", steps: ["## Goal\nA parser"] });
    desk.press("s");
    await closed;
    expect(session.getBranch().some(({ type }) => type === "branch_summary")).toBe(true);
    expect(desk.top).toBeUndefined();
  });

  test("a summary that fails leaves one where one was, a key from going without", async () => {
    const failing = { failure: { message: "rate-limited (429)", retryable: false } } as never;
    const { desk, session, closed } = await opened({ select: "we", steps: [failing] });
    desk.press("s");
    await shown(desk, "summary-failed");
    expect(desk.screen).toContain("rate-limited (429)");
    desk.press("enter");
    await closed;
    expect(session.getBranch().at(-1)?.id).toBe("we");
  });

  test("Esc stops a move that an extension takes its time over, and the tree stays", async () => {
    const asked = opening();
    const hooks = hooksOf({
      session_before_tree: ({ signal }) => {
        asked.open();
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined), { once: true }));
      },
    });
    const { desk, session, agent } = await opened({ select: "we", agent: { hooks } });
    const leaf = session.getLeafId();
    desk.press("c");
    await shown(desk, "leaving");
    desk.press("enter");
    await asked.promise;
    desk.press("esc");
    await agent.whenIdle();
    await desk.settle();
    expect(desk.screen).toContain("Stopped. You are still on #1 main.");
    expect(session.getLeafId()).toBe(leaf);
  });

  test("c continues after the turn, without text for the editor", async () => {
    const { desk, session, closed } = await opened({ select: "K", editorText: "mine" });
    desk.press("c");
    await desk.settle();
    if (desk.top?.name === "leaving") desk.press("enter");
    await closed;
    expect(session.getBranch().at(-1)?.id).toBe("ke");
    expect(desk.editorText()).toBe("mine");
  });

  test("z takes the last move back and stays in the tree", async () => {
    const { desk, session, agent } = await opened({ select: "K" });
    const leaf = session.getLeafId();
    await agent.navigateTree("we");
    desk.press("z");
    await desk.settle();
    expect(session.getLeafId()).toBe(leaf);
    expect(desk.top?.name).toBe("tree");
    expect(desk.screen).toContain("Back on #1 main.");
    desk.press("Z");
    await desk.settle();
    expect(session.getLeafId()).toBe("we");
  });

  test("b and the choice for a fork make a new session from a prompt", async () => {
    const { desk, session, closed } = await opened({ select: "K", purpose: "fork" });
    const before = session.getSessionId();
    expect(desk.lines.at(-2)).toBe(" Enter fork into a new session from before this prompt · this one stays");
    desk.press("down", "enter");
    expect(desk.screen).toContain("A fork starts from one of your prompts.");
    desk.press("up", "enter");
    await closed;
    expect(session.getSessionId()).not.toBe(before);
    await desk.settle();
    expect(desk.editorText()).toBe("keep the generated one, add tests");
  });

  test("B12: choosing a prompt for a fork moves nothing in the session, and the footer says only what is true", async () => {
    const { desk, session } = await opened({ select: "K", purpose: "fork" });
    const leaf = session.getLeafId();
    expect(desk.lines.slice(-2)).toMatchInlineSnapshot(`
      [
        " Enter fork into a new session from before this prompt · this one stays",
        " m label   / search   Tab filter   ? keys                               7 of 12",
      ]
    `);
    desk.press("down");
    expect(desk.lines.slice(-2)).toMatchInlineSnapshot(`
      [
        " A fork starts from one of your prompts.",
        " m label   / search   Tab filter   ? keys                               8 of 12",
      ]
    `);
    for (const key of ["e", "c", "s", "p", "M", "z", "Z"]) {
      desk.press(key);
      await desk.settle();
      expect(desk.top?.name).toBe("tree");
      expect(desk.lines.at(-1)).toBe(" Choose a prompt to fork from here. To move in this session, use /tree.");
    }
    expect(session.getLeafId()).toBe(leaf);
  });

  test("B12: in forty columns the footer names the fork too", async () => {
    const { desk } = await opened({ select: "K", purpose: "fork", width: 40 });
    expect(desk.lines.at(-1)).toMatchInlineSnapshot(`" Enter fork  v view  ? keys"`);
  });
});

describe("while others are at work", () => {
  test("moving is off with its reason while the agent works, and looking is not", async () => {
    const { desk, agent } = await opened({ select: "K", steps: [{ text: "hm", hang: true }] });
    const run = agent.prompt("go on");
    await desk.settle();
    for (const key of ["enter", "e", "c", "s", "b", "z", "p", "M"]) {
      desk.press(key);
      expect(desk.screen).toContain("Agent is working. Esc stops it, then you can move.");
    }
    desk.press("up");
    expect(desk.top?.name).toBe("tree");
    agent.abort();
    await run;
  });

  test("entries of the agent appear and the selection stays", async () => {
    const { desk, agent } = await opened({ select: "K", steps: ["done"], height: 30 });
    const selected = () => desk.lines.find((line) => line.includes("❯"));
    const before = selected();
    await agent.prompt("and now the docs");
    expect(desk.screen).toContain("and now the docs");
    expect(selected()?.trim()).toBe(before?.trim());
  });

  test("entries of another process are counted until r", async () => {
    const { desk, follow } = await opened();
    follow({ kind: "entries", ids: ["x1", "x2"] });
    expect(desk.screen).toContain("Another process added 2 entries. r reloads.");
    desk.press("r");
    expect(desk.screen).not.toContain("Another process added");
  });

  test("a session that is only looked at says so", async () => {
    const { desk } = await opened({ readOnly: true, select: "K" });
    for (const key of ["enter", "e", "c", "s", "b", "m"]) {
      desk.press(key);
      expect(desk.screen).toContain("Open in another process. You can look; moving is off.");
    }
  });
});

describe("labels", () => {
  test("are edited in place; empty removes", async () => {
    const { desk, session } = await opened({ select: "K" });
    desk.press("m");
    desk.type("kept");
    expect(desk.screen).toContain("kept");
    expect(desk.cursor).toBeDefined();
    desk.press("enter");
    await desk.settle();
    expect(session.getLabel("K")).toBe("kept");
    expect(desk.screen).toContain('Labelled "kept".');
    desk.press("L", "ctrl+u");
    for (let i = 0; i < 4; i++) desk.press("backspace");
    desk.press("enter");
    await desk.settle();
    expect(session.getLabel("K")).toBeUndefined();
  });

  test("Esc keeps the old one", async () => {
    const { desk, session } = await opened({ select: "F" });
    desk.press("m");
    expect(desk.lines.at(-1)).toBe(" Enter gives the label · Esc leaves it as it was · an empty one takes it away");
    desk.type("er");
    desk.press("esc");
    expect(desk.screen).not.toContain("gives the label");
    expect(session.getLabel("F")).toBe("good");
    expect(desk.top?.name).toBe("tree");
  });

  test("a label that is taken is moved by Enter and kept by Esc", async () => {
    const { desk, session } = await opened({ select: "K" });
    desk.press("m");
    desk.type("good");
    desk.press("enter");
    await desk.settle();
    expect(desk.lines).toEqual([
      ' "good" is on "fix the failing edge cases".',
      "   Enter  moves it here",
      "   Esc    keeps it there",
    ]);
    desk.press("esc");
    await desk.settle();
    expect(session.getLabel("F")).toBe("good");
    desk.press("m");
    desk.type("good");
    desk.press("enter");
    await desk.settle();
    desk.press("enter");
    await desk.settle();
    expect([session.getLabel("K"), session.getLabel("F")]).toEqual(["good", undefined]);
    expect(desk.screen).toContain('Labelled "good".');
  });
});

describe("looking closer", () => {
  test("v puts the preview over everything, where a page is a page of the text", async () => {
    const { desk } = await opened({ select: "f", height: 14 });
    for (let more = 5; more > 0 && !desk.screen.includes("Preview full screen."); more--) desk.press("v");
    expect(desk.screen).toContain("All green, grammar kept.");
    desk.press("pagedown");
    expect(desk.screen).not.toContain("All green, grammar kept.");
    for (let page = 0; page < 20; page++) desk.press("pagedown");
    expect(desk.screen).toContain("This is the end of the text.");
    desk.press("up");
    expect(desk.screen).toContain("fix the failing edge cases");
  });

  test("e corrects a summary that has not been read yet", async () => {
    const { desk, session, agent } = await opened({ steps: ["## Goal\nA parser"] });
    await agent.navigateTree("we", { summarize: true });
    desk.press("@");
    desk.press("e");
    await desk.settle();
    expect(desk.top?.name).toBe("edit-summary");
    desk.type("Mind the CRLF");
    desk.press("enter");
    await desk.settle();
    const { messages } = session.buildSessionContext();
    expect(JSON.stringify(messages.at(-1))).toContain("Mind the CRLF");
    expect(desk.screen).toContain("The model reads your words.");
  });
});

describe("searching", () => {
  test("shows the first match while typing, n the next, Esc clears and then closes", async () => {
    const { desk, closed } = await opened();
    desk.press("/");
    desk.type("table");
    const selected = () => desk.lines.find((line) => line.includes("❯"));
    expect(desk.lines.at(-1)).toMatch(/^ \/ table +2 found$/);
    desk.press("enter");
    expect(desk.lines.at(-1)).toMatch(/match 1 of 2$/);
    desk.press("n");
    expect(desk.screen).toMatch(/match 2 of 2/);
    expect(selected()).toContain("table");
    desk.press("esc");
    expect(desk.screen).not.toMatch(/match \d/);
    desk.press("esc");
    await closed;
  });

  test("says once where nothing matches, and keeps the keys in view", async () => {
    const { desk } = await opened({ search: "lexr" });
    expect(desk.screen.match(/No entry matches "lexr"/g)).toHaveLength(1);
    expect(desk.lines.at(-1)).toContain("Esc clear");
    desk.press("esc", "/");
    desk.type("lexr");
    desk.press("enter");
    expect(desk.screen.match(/No entry matches "lexr"/g)).toHaveLength(1);
  });

  test("Esc while typing goes back to where one was", async () => {
    const { desk } = await opened({ select: "K" });
    const before = desk.screen;
    desk.press("/");
    desk.type("switch");
    desk.press("esc");
    expect(desk.screen).toBe(before);
  });

  test("each key starts it over, and the search before ends", async () => {
    const { desk } = await opened({ slices: "manual" });
    while (desk.runSlice()) {
      // What is found out ahead of keys is done first.
    }
    desk.press("/");
    desk.type("tab");
    let slices = 0;
    while (desk.runSlice()) slices += 1;
    expect(slices).toBeLessThanOrEqual(3);
    expect(desk.lines.at(-1)).toMatch(/^ \/ tab +2 found$/);
  });
});

describe("copying and comparing", () => {
  test("y copies text, id, link or command", async () => {
    const { desk } = await opened({ select: "K" });
    for (const key of ["t", "i", "c"]) {
      desk.press("y");
      await desk.settle();
      desk.press(key);
      await desk.settle();
    }
    expect(desk.copied).toEqual(["keep the generated one, add tests", "K", "/switch K"]);
  });

  test("d compares with where one is, or the two picked ones", async () => {
    const { desk } = await opened({ select: "S" });
    desk.press("d");
    await desk.settle();
    expect(desk.lines[0]).toContain("#1 main  ↔  #2");
    desk.press("esc");
    desk.press("space");
    expect(desk.screen).toContain("✓");
  });

  test("Space and p plan a cherry-pick of whole turns; doing it closes the tree", async () => {
    const { desk, closed } = await opened({ select: "S" });
    desk.press("space", "p");
    await desk.settle();
    expect(desk.lines[0]).toContain("Cherry-pick 1 turn");
    desk.press("enter");
    await closed;
    expect(desk.top).toBeUndefined();
  });

  test("M plans a merge of the branch", async () => {
    const { desk } = await opened({ select: "S" });
    desk.press("M");
    await desk.settle();
    expect(desk.lines[0]).toContain("Merge #2");
  });
});

describe("keys of the tree", () => {
  test("each has an effect or a reason, on any row", async () => {
    for (const select of ["K", "S", "f"]) {
      for (const { id, keys } of TREE_KEYS.actions) {
        for (const key of keys) {
          const { desk } = await opened({ select, steps: ["a summary"] });
          const panel = desk.top;
          const before = desk.screen;
          const reason = panel?.disabledReason?.(id);
          expect(desk.press(key), `${id} by ${key}`).toBe(true);
          await desk.settle();
          if (reason !== undefined) expect(desk.screen, `${id} by ${key} on ${select}`).toContain(reason);
          else expect(desk.top === panel && desk.screen === before, `${id} by ${key} on ${select}`).toBe(false);
        }
      }
    }
  });

  test("a letter without a meaning is given back, for the terminal to say so", async () => {
    const { desk } = await opened();
    expect(desk.press("x")).toBe(false);
    expect(desk.press("f2")).toBe(false);
  });

  test("follow the person's own bindings", async () => {
    const { desk, closed } = await opened({ keys: { "tree.close": ["x"] } });
    expect(desk.press("q")).toBe(false);
    expect(desk.top?.name).toBe("tree");
    desk.press("x");
    await closed;
  });

  test("A20: o is not bound, and the help does not mention a viewer", async () => {
    const { desk } = await opened();
    expect(desk.press("o")).toBe(false);
    expect(desk.keys.actionsOf("tree").filter(({ help }) => /web/i.test(help))).toEqual([]);
  });
});
