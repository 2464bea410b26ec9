import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ASCII_GLYPHS, lineText, UNICODE_GLYPHS } from "@bough/session/view/index.js";
import { displayWidth } from "@bough/session/view/internal.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { type FooterFacts, footerLine } from "./footer-line.js";
import { gitBranch } from "./git-branch.js";

const FACTS: FooterFacts = {
  folder: "~/projects/parser",
  gitBranch: "main",
  sessionName: "parser session",
  branch: { number: 4, name: "try a hand-written lexer" },
  model: "anthropic/claude-sonnet",
  thinking: "medium",
  context: { tokens: 41_200, window: 200_000 },
  cost: { dollars: 0.42, complete: true },
  queued: 0,
  readOnly: false,
};

describe("the footer", () => {
  test("says less in less room, and in the end only where you are", () => {
    const lines = [160, 120, 80, 60, 40, 20].map((width) =>
      lineText(footerLine(FACTS, width, UNICODE_GLYPHS)).trimEnd(),
    );
    expect(lines).toMatchInlineSnapshot(`
      [
        " ~/projects/parser · (main) · parser session · #4 try a hand-written lexer                               21% of 200k · $0.42 · anthropic/claude-sonnet · medium",
        " parser · (main) · parser session · #4 try a hand-written lexer  21% of 200k · $0.42 · anthropic/claude-sonnet · medium",
        " parser · (main) · parser session · #4 try a hand-…         21% · claude-sonnet",
        " parser · #4 try a hand-…               21% · claude-sonnet",
        " #4 try a hand-…    21% · claude-sonnet",
        " #4             21%",
      ]
    `);
  });

  test("says that it works and how to stop it before anything else, down to 40 columns", () => {
    const working = { ...FACTS, mode: "ask", busy: "⠏ Working 3 s", stopKey: "Esc" } as const;
    const lines = [120, 80, 40, 30, 20].map((width) => lineText(footerLine(working, width, UNICODE_GLYPHS)).trimEnd());
    expect(lines).toMatchInlineSnapshot(`
      [
        " ⠏ Working 3 s · Esc stops · ask · parser · (main) · parser session · #4 try a hand-…       21% · $0.42 · claude-sonnet",
        " ⠏ Working 3 s · Esc stops · ask · #4 try a hand-…          21% · claude-sonnet",
        " ⠏ Working 3 s · Esc stops · #4     21%",
        " ⠏ Working 3 s · #4       21%",
        " ⠏ Working 3 s · #4",
      ]
    `);
  });

  test("says the permission mode; one that runs or refuses things stays longer than the mode ask", () => {
    const lines = (["ask", "plan", "edits", "auto"] as const).flatMap((mode) =>
      [120, 80, 40].map((width) => lineText(footerLine({ ...FACTS, mode }, width, UNICODE_GLYPHS)).trimEnd()),
    );
    expect(lines).toMatchInlineSnapshot(`
      [
        " ask · parser · (main) · parser session · #4 try a hand-written lexer     21% of 200k · $0.42 · anthropic/claude-sonnet",
        " ask · parser · (main) · parser session · #4 try a hand-…   21% · claude-sonnet",
        " #4 try a hand-…    21% · claude-sonnet",
        " plan mode · parser · (main) · parser session · #4 try a hand-written lexer         21% of 200k · $0.42 · claude-sonnet",
        " plan · parser · (main) · parser session · #4 try a hand-…  21% · claude-sonnet",
        " plan · #4          21% · claude-sonnet",
        " edits mode · parser · (main) · parser session · #4 try a hand-written lexer        21% of 200k · $0.42 · claude-sonnet",
        " edits · parser · parser session · #4 try a hand-…          21% · claude-sonnet",
        " edits · #4         21% · claude-sonnet",
        " auto mode · parser · (main) · parser session · #4 try a hand-written lexer         21% of 200k · $0.42 · claude-sonnet",
        " auto · parser · (main) · parser session · #4 try a hand-…  21% · claude-sonnet",
        " auto · #4          21% · claude-sonnet",
      ]
    `);
  });

  test("while something runs, that stays longest", () => {
    const busy = { ...FACTS, busy: "⠋ 12 s", queued: 2 };
    expect([120, 20].map((width) => lineText(footerLine(busy, width, ASCII_GLYPHS)).trimEnd())).toMatchInlineSnapshot(`
      [
        " ⠋ 12 s - 2 waiting - parser - (main) - parser session - #4 try a hand-written lexer        21% - $0.42 - claude-sonnet",
        " ⠋ 12 s - #4    21%",
      ]
    `);
  });

  test("never is wider than the window", () => {
    for (let width = 1; width <= 200; width++) {
      expect(displayWidth(lineText(footerLine(FACTS, width, UNICODE_GLYPHS)))).toBeLessThanOrEqual(width);
    }
  });

  test("without a model and without a branch it shows the rest", () => {
    const bare: FooterFacts = { folder: "/tmp", queued: 0, readOnly: true };
    expect(lineText(footerLine(bare, 40, UNICODE_GLYPHS)).trimEnd()).toBe(" read-only · /tmp              no model");
  });

  test("the cost of the other branches is shown next to that of the path", () => {
    const line = (facts: Partial<FooterFacts>) => lineText(footerLine({ ...FACTS, ...facts }, 170, UNICODE_GLYPHS));
    expect(line({ sessionCost: { dollars: 1.1, complete: true } })).toContain(" · $0.42 of $1.10 · ");
    expect(line({ sessionCost: { dollars: 1.1, complete: false } })).toContain(" · $0.42 of $1.10+ · ");
    expect(line({ sessionCost: { dollars: 0.42, complete: true } })).toContain(" · $0.42 · ");
  });

  test("the share of the last request that was in the provider's cache", () => {
    expect(lineText(footerLine({ ...FACTS, cached: 0.914 }, 170, UNICODE_GLYPHS))).toContain(
      " · 91% cached · $0.42 · ",
    );
  });

  test("a sum that is not the whole says so", () => {
    const line = lineText(footerLine({ ...FACTS, cost: { dollars: 1.5, complete: false } }, 160, UNICODE_GLYPHS));
    expect(line).toContain("$1.50+");
  });
});

describe("the branch of git", () => {
  test("is found from a folder below, by its name or by the start of a commit", () => {
    const folder = tempFolder();
    mkdirSync(join(folder, ".git"));
    mkdirSync(join(folder, "src/deep"), { recursive: true });
    writeFileSync(join(folder, ".git/HEAD"), "ref: refs/heads/feature/lexer\n");
    const named = gitBranch(join(folder, "src/deep"));
    writeFileSync(join(folder, ".git/HEAD"), "0123456789abcdef0123456789abcdef01234567\n");
    expect([named, gitBranch(folder)]).toEqual(["feature/lexer", "0123456"]);
  });

  test("of a worktree is its own", () => {
    const folder = tempFolder();
    mkdirSync(join(folder, "main/.git/worktrees/other"), { recursive: true });
    mkdirSync(join(folder, "other"));
    writeFileSync(join(folder, "main/.git/worktrees/other/HEAD"), "ref: refs/heads/other\n");
    writeFileSync(join(folder, "other/.git"), "gitdir: ../main/.git/worktrees/other\n");
    expect(gitBranch(join(folder, "other"))).toBe("other");
  });
});
