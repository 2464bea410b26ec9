import { hooksOf, opened as opening } from "@bough/agent/agent/agent-harness.test-support.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import type { TestHost } from "../host/host.test-support.js";
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
    select,
    search,
    purpose,
  });
  await app.host.settle();
  return { ...app, closed };
}

/** Lets work continue until a panel is on top. */
async function shown(host: TestHost, name: string): Promise<void> {
  for (let rounds = 1000; host.top?.name !== name && rounds > 0; rounds--) await host.settle();
  expect(host.top?.name).toBe(name);
}

describe("the tree", () => {
  test("says as many tokens as the question about a summary says", async () => {
    const { host } = await opened({ select: "K" });
    const [, footer] = /leaves \d+ entries \(≈(\S+) tokens\)/.exec(host.screen) ?? [];
    host.press("enter");
    await shown(host, "leaving");
    const [, question] =
      /Leaving #1 wire the tokenizer into the CLI: \d+ entries, ≈(\S+) tokens/.exec(host.screen) ?? [];
    expect(footer).toBeDefined();
    expect(footer).toBe(question);
  });

  test("shows the trunk with folded branches, a preview, and what Enter does", async () => {
    const { host } = await opened();
    host.press("ctrl+u", "up");
    expect(host.screen).toMatchInlineSnapshot(`
      " Tree · parser session · user-only 6 turns · 3 branches · on #1 wire the token…
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
       Enter edit & resend from here · leaves 2 entries (≈732 tokens), files unchanged
       c continue after   s go + summary   m label   / search   ? keys         5 of 6"
    `);
  });

  test("fits forty columns and ASCII", async () => {
    const { host } = await opened({ width: 40, height: 14, glyphs: "ascii" });
    host.press("ctrl+u", "up");
    expect(host.screen).toMatchInlineSnapshot(`
      " Tree - on #1 - user-only    3 branches
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
    const { host } = await opened({ width: 120, height: 14 });
    host.press("ctrl+u", "up");
    expect(host.screen).toMatchInlineSnapshot(`
      " Tree · parser session · user-only                         6 turns · 3 branches · on #1 wire the tokenizer into the CLI
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
       Enter edit & resend from here · leaves 2 entries (≈732 tokens), files unchanged
       c continue after   s go + summary   m label   / search   Tab filter   F2 full screen   ? keys                   5 of 6"
    `);
  });

  test("opens on the entry it was asked for", async () => {
    const { host } = await opened({ select: "S" });
    const row = host.lines.find((line) => line.includes("❯"));
    expect(row).toContain("drop the table, use switch");
  });

  test("an empty session says how to start", async () => {
    const { host } = await opened({ session: SessionManager.inMemory() });
    expect(host.screen).toContain("Nothing here yet. Send a prompt and it becomes the first entry.");
  });
});

describe("going somewhere", () => {
  test("Enter on a prompt asks about a summary, moves, fills the editor and closes", async () => {
    const { host, session, closed } = await opened({ select: "K", editorText: "half a thought" });
    host.press("enter");
    await host.settle();
    expect(host.top?.name).toBe("leaving");
    host.press("enter");
    await closed;
    expect(session.getBranch().at(-1)?.id).toBe("we");
    await host.settle();
    expect(host.editorText()).toBe("keep the generated one, add tests");
    expect(host.statusLine?.message).toMatch(
      /^Moved just before "keep the generated one, add tests"\. #1 keeps its \d+ entries\./,
    );
  });

  test("cancelling leaves everything unchanged, in the tree", async () => {
    const { host, session } = await opened({ select: "K" });
    const leaf = session.getLeafId();
    host.press("enter");
    await host.settle();
    host.press("esc");
    await host.settle();
    expect(session.getLeafId()).toBe(leaf);
    expect(host.top?.name).toBe("tree");
    expect(host.screen).toContain("Nothing changed.");
  });

  test("s writes a summary, which Esc stops", async () => {
    const { host, session } = await opened({ select: "K", steps: [{ text: "## Goal", hang: true }] });
    const leaf = session.getLeafId();
    host.press("s");
    await shown(host, "summary-progress");
    expect(host.lines[0]).toContain("Summarizing #1");
    host.press("esc");
    await shown(host, "tree");
    await host.settle();
    expect(session.getLeafId()).toBe(leaf);
    expect(host.screen).toContain("You are still on #1 wire the tokenizer into the CLI.");
  });

  test("s writes the summary first, then moves", async () => {
    const { host, session, closed } = await opened({ select: "we", steps: ["## Goal\nA parser"] });
    host.press("s");
    await closed;
    expect(session.getBranch().some(({ type }) => type === "branch_summary")).toBe(true);
    expect(host.top).toBeUndefined();
  });

  test("a failed summary leaves the position unchanged, one key away from going without", async () => {
    const failing = { failure: { message: "rate-limited (429)", retryable: false } } as never;
    const { host, session, closed } = await opened({ select: "we", steps: [failing] });
    host.press("s");
    await shown(host, "summary-failed");
    expect(host.screen).toContain("rate-limited (429)");
    host.press("enter");
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
    const { host, session, agent } = await opened({ select: "we", agent: { hooks } });
    const leaf = session.getLeafId();
    host.press("c");
    await shown(host, "leaving");
    host.press("enter");
    await asked.promise;
    // It is not the agent that works.
    expect(host.screen).toContain("Your last move is not finished. You can browse but not move.");
    host.press("esc");
    await agent.whenIdle();
    await host.settle();
    expect(host.screen).toContain("Stopped. You are still on #1 wire the tokenizer into the CLI.");
    expect(session.getLeafId()).toBe(leaf);
  });

  test("c continues after the turn, without text for the editor", async () => {
    const { host, session, closed } = await opened({ select: "K", editorText: "mine" });
    host.press("c");
    await host.settle();
    if (host.top?.name === "leaving") host.press("enter");
    await closed;
    expect(session.getBranch().at(-1)?.id).toBe("ke");
    expect(host.editorText()).toBe("mine");
  });

  test("z takes the last move back and stays in the tree", async () => {
    const { host, session, agent } = await opened({ select: "K" });
    const leaf = session.getLeafId();
    await agent.navigateTree("we");
    host.press("z");
    await host.settle();
    expect(session.getLeafId()).toBe(leaf);
    expect(host.top?.name).toBe("tree");
    expect(host.screen).toContain("Back on #1 wire the tokenizer into the CLI.");
    host.press("Z");
    await host.settle();
    expect(session.getLeafId()).toBe("we");
  });

  test("b and the choice for a fork make a new session from a prompt", async () => {
    const { host, session, closed } = await opened({ select: "K", purpose: "fork" });
    const before = session.getSessionId();
    expect(host.lines.at(-2)).toBe(" Enter fork into a new session from just before this prompt · this one is kept");
    host.press("down", "enter");
    expect(host.screen).toContain("A fork starts from one of your prompts.");
    host.press("up", "enter");
    await closed;
    expect(session.getSessionId()).not.toBe(before);
    await host.settle();
    expect(host.editorText()).toBe("keep the generated one, add tests");
  });

  test("choosing a prompt for a fork moves nothing in the session, and the footer says only what is true", async () => {
    const { host, session } = await opened({ select: "K", purpose: "fork" });
    const leaf = session.getLeafId();
    expect(host.lines.slice(-2)).toMatchInlineSnapshot(`
      [
        " Enter fork into a new session from just before this prompt · this one is kept",
        " m label   / search   Tab filter   F2 full screen   ? keys              7 of 12",
      ]
    `);
    host.press("down");
    expect(host.lines.slice(-2)).toMatchInlineSnapshot(`
      [
        " A fork starts from one of your prompts.",
        " m label   / search   Tab filter   F2 full screen   ? keys              8 of 12",
      ]
    `);
    for (const key of ["e", "c", "s", "p", "M", "z", "Z"]) {
      host.press(key);
      await host.settle();
      expect(host.top?.name).toBe("tree");
      expect(host.lines.slice(-2)).toEqual([
        " Choose a prompt to fork from here.",
        " To move in this session, use /tree.",
      ]);
    }
    expect(session.getLeafId()).toBe(leaf);
  });

  test("in forty columns the footer names the fork too", async () => {
    const { host } = await opened({ select: "K", purpose: "fork", width: 40 });
    expect(host.lines.at(-1)).toMatchInlineSnapshot(`" Enter fork  v view  ? keys"`);
  });
});

describe("while others are at work", () => {
  test("moving is off with its reason while the agent works, and looking is not", async () => {
    const { host, agent } = await opened({ select: "K", steps: [{ text: "hm", hang: true }] });
    const run = agent.prompt("go on");
    await host.settle();
    for (const key of ["enter", "e", "c", "s", "b", "z", "p", "M"]) {
      host.press(key);
      expect(host.screen).toContain("Agent is working.\n Esc stops it, then you can move.");
    }
    host.press("up");
    expect(host.top?.name).toBe("tree");
    agent.abort();
    await run;
  });

  test("entries of the agent appear and the selection stays", async () => {
    const { host, agent } = await opened({ select: "K", steps: ["done"], height: 30 });
    const selected = () => host.lines.find((line) => line.includes("❯"));
    const before = selected();
    await agent.prompt("and now the docs");
    expect(host.screen).toContain("and now the docs");
    expect(selected()?.trim()).toBe(before?.trim());
  });

  test("entries of another process are counted until r", async () => {
    const { host, follow } = await opened();
    follow({ kind: "entries", ids: ["x1", "x2"] });
    expect(host.screen).toContain("Another window added 2 entries. r reloads.");
    host.press("r");
    expect(host.screen).not.toContain("Another window added");
  });

  test("a read-only session says so", async () => {
    const { host } = await opened({ readOnly: true, select: "K" });
    for (const key of ["enter", "e", "c", "s", "b", "m"]) {
      host.press(key);
      expect(host.screen).toContain("Open in another process. You can browse but not move.");
    }
  });
});

describe("labels", () => {
  test("are edited in place; empty removes", async () => {
    const { host, session } = await opened({ select: "K" });
    host.press("m");
    host.type("kept");
    expect(host.screen).toContain("kept");
    expect(host.cursor).toBeDefined();
    host.press("enter");
    await host.settle();
    expect(session.getLabel("K")).toBe("kept");
    expect(host.screen).toContain('Labeled "kept".');
    host.press("L", "ctrl+u");
    for (let i = 0; i < 4; i++) host.press("backspace");
    host.press("enter");
    await host.settle();
    expect(session.getLabel("K")).toBeUndefined();
  });

  test("Esc keeps the old one", async () => {
    const { host, session } = await opened({ select: "F" });
    host.press("m");
    expect(host.lines.at(-1)).toBe(" Enter sets the label · Esc cancels · empty removes it");
    host.type("er");
    host.press("esc");
    expect(host.screen).not.toContain("gives the label");
    expect(session.getLabel("F")).toBe("good");
    expect(host.top?.name).toBe("tree");
  });

  test("a label that is taken is moved by Enter and kept by Esc", async () => {
    const { host, session } = await opened({ select: "K" });
    host.press("m");
    host.type("good");
    host.press("enter");
    await host.settle();
    expect(host.lines).toEqual([
      ' "good" is on "fix the failing edge cases".',
      " ❯ 1 Enter  moves it here",
      "   2 Esc    keeps it there",
    ]);
    host.press("esc");
    await host.settle();
    expect(session.getLabel("F")).toBe("good");
    host.press("m");
    host.type("good");
    host.press("enter");
    await host.settle();
    host.press("enter");
    await host.settle();
    expect([session.getLabel("K"), session.getLabel("F")]).toEqual(["good", undefined]);
    expect(host.screen).toContain('Labeled "good".');
  });
});

describe("looking closer", () => {
  test("v puts the preview over everything, where a page is a page of the text", async () => {
    const { host } = await opened({ select: "f", height: 14 });
    for (let more = 5; more > 0 && !host.screen.includes("Preview full screen."); more--) host.press("v");
    expect(host.screen).toContain("All green, grammar kept.");
    host.press("pagedown");
    expect(host.screen).not.toContain("All green, grammar kept.");
    for (let page = 0; page < 20; page++) host.press("pagedown");
    expect(host.screen).toContain("This is the end of the text.");
    host.press("up");
    expect(host.screen).toContain("fix the failing edge cases");
  });

  test("e corrects a summary that has not been read yet", async () => {
    const { host, session, agent } = await opened({ steps: ["## Goal\nA parser"] });
    await agent.navigateTree("we", { summarize: true });
    host.press("@");
    host.press("e");
    await host.settle();
    expect(host.top?.name).toBe("edit-summary");
    host.type("Mind the CRLF");
    host.press("enter");
    await host.settle();
    const { messages } = session.buildSessionContext();
    expect(JSON.stringify(messages.at(-1))).toContain("Mind the CRLF");
    expect(host.screen).toContain("The model now sees your text.");
  });
});

describe("searching", () => {
  test("shows the first match while typing, n the next, Esc clears and then closes", async () => {
    const { host, closed } = await opened();
    host.press("/");
    host.type("table");
    const selected = () => host.lines.find((line) => line.includes("❯"));
    expect(host.lines.at(-1)).toMatch(/^ \/ table +2 found$/);
    host.press("enter");
    expect(host.lines.at(-1)).toMatch(/match 1 of 2$/);
    host.press("n");
    expect(host.screen).toMatch(/match 2 of 2/);
    expect(selected()).toContain("table");
    host.press("esc");
    expect(host.screen).not.toMatch(/match \d/);
    host.press("esc");
    await closed;
  });

  test("says once where nothing matches, and keeps the keys in view", async () => {
    const { host } = await opened({ search: "lexr" });
    expect(host.screen.match(/No entry matches "lexr"/g)).toHaveLength(1);
    expect(host.lines.at(-1)).toContain("Esc clear");
    host.press("esc", "/");
    host.type("lexr");
    host.press("enter");
    expect(host.screen.match(/No entry matches "lexr"/g)).toHaveLength(1);
  });

  test("Esc while typing returns to the previous position", async () => {
    const { host } = await opened({ select: "K" });
    const before = host.screen;
    host.press("/");
    host.type("switch");
    host.press("esc");
    expect(host.screen).toBe(before);
  });

  test("each key starts it over, and the search before ends", async () => {
    const { host } = await opened({ slices: "manual" });
    while (host.runSlice()) {
      // What is found out ahead of keys is done first.
    }
    host.press("/");
    host.type("tab");
    let slices = 0;
    while (host.runSlice()) slices += 1;
    expect(slices).toBeLessThanOrEqual(3);
    expect(host.lines.at(-1)).toMatch(/^ \/ tab +2 found$/);
  });
});

describe("copying and comparing", () => {
  test("y copies text, id, link or command", async () => {
    const { host } = await opened({ select: "K" });
    for (const [key, message] of [
      ["t", "Copied the text."],
      ["i", "Copied the ID."],
      ["c", "Copied the command."],
    ] as const) {
      host.press("y");
      await host.settle();
      host.press(key);
      await host.settle();
      expect(host.screen).toContain(message);
    }
    expect(host.copied).toEqual(["keep the generated one, add tests", "K", "/switch K"]);
  });

  test("d compares with the current position, or the two selected rows", async () => {
    const { host } = await opened({ select: "S" });
    host.press("d");
    await host.settle();
    expect(host.lines[0]).toContain("#1 wire the tokenizer into the CLI  ↔  #2");
    host.press("esc");
    host.press("space");
    expect(host.screen).toContain("✓");
  });

  test("Space and p plan a cherry-pick of whole turns; doing it closes the tree", async () => {
    const { host, closed } = await opened({ select: "S" });
    host.press("space", "p");
    await host.settle();
    expect(host.lines[0]).toContain("Cherry-pick 1 turn");
    host.press("enter");
    await closed;
    expect(host.top).toBeUndefined();
  });

  test("M plans a merge of the branch", async () => {
    const { host } = await opened({ select: "S" });
    host.press("M");
    await host.settle();
    expect(host.lines[0]).toContain("Merge #2");
  });
});

describe("keys of the tree", () => {
  test("each has an effect or a reason, on any row", async () => {
    for (const select of ["K", "S", "f"]) {
      for (const { id, keys } of TREE_KEYS.actions) {
        for (const key of keys) {
          const { host } = await opened({ select, steps: ["a summary"] });
          const panel = host.top;
          const before = host.screen;
          const reason = panel?.disabledReason?.(id);
          expect(host.press(key), `${id} by ${key}`).toBe(true);
          await host.settle();
          if (reason !== undefined) expect(host.oneLine, `${id} by ${key} on ${select}`).toContain(reason);
          else expect(host.top === panel && host.screen === before, `${id} by ${key} on ${select}`).toBe(false);
        }
      }
    }
  });

  test("a letter without a meaning is given back, for the terminal to say so", async () => {
    const { host } = await opened();
    expect(host.press("x")).toBe(false);
    expect(host.press("f2")).toBe(false);
  });

  test("follow the person's own bindings", async () => {
    const { host, closed } = await opened({ keys: { "tree.close": ["x"] } });
    expect(host.press("q")).toBe(false);
    expect(host.top?.name).toBe("tree");
    host.press("x");
    await closed;
  });

  test("o is not bound, and the help does not mention a viewer", async () => {
    const { host } = await opened();
    expect(host.press("o")).toBe(false);
    expect(host.keys.actionsOf("tree").filter(({ help }) => /web/i.test(help))).toEqual([]);
  });
});
