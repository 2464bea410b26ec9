import { describe, expect, it } from "vitest";
import { describeRow } from "./rows/describe-row.js";
import { selectedRow } from "./selection.js";
import { prompt, sourceOf } from "./tree-damage.test-support.js";
import { foldOrStepOut, openBranch, openOrStepIn, openRow, selectEntry } from "./tree-folds.js";
import {
  firstRow,
  jumpToLeaf,
  lastRow,
  nextBranch,
  nextFork,
  nextPage,
  nextRow,
  previousBranch,
  previousFork,
  previousPage,
  previousRow,
} from "./tree-moves.js";
import { parserSession } from "./tree-sample.test-support.js";
import { type Move, TreeScreen } from "./tree-screen.test-support.js";

/** The selected row in words, after some moves. */
function words(screen: TreeScreen, ...moves: readonly Move[]): string {
  screen.move(...moves);
  const row = selectedRow(screen.model, screen.state);
  if (row === undefined) return "nothing";
  const { text, branch } = describeRow(screen.model, screen.state, row);
  const level = "in ".repeat(row.rails.length);
  return row.kind === "side" ? `${level}${row.open ? "open" : "folded"} #${branch}` : `${level}${text}`;
}

function onTrunk(): TreeScreen {
  return new TreeScreen(parserSession().session);
}

describe("moving through rows", () => {
  it("starts at the leaf and stops at both ends", () => {
    const screen = onTrunk();
    expect(words(screen)).toBe("you are here · reply finished");
    const { state } = screen;
    expect(nextRow(screen.model, state)).toBe(state);
    expect(words(screen, firstRow)).toBe("earlier question 1");
    expect(previousRow(screen.model, screen.state)).toBe(screen.state);
    expect(words(screen, lastRow)).toBe("you are here · reply finished");
  });

  it("goes a page at a time", () => {
    const screen = onTrunk();
    const size = 5;
    expect(words(screen, (model, state) => previousPage(model, state, size))).toBe("folded #2");
    expect(words(screen, (model, state) => nextPage(model, state, size))).toBe("you are here · reply finished");
  });

  it("goes from fork point to fork point", () => {
    const screen = onTrunk();
    expect(words(screen, previousFork)).toContain("fix the failing edge cases");
    expect(words(screen, previousFork)).toBe("wire the tokenizer into the CLI");
    expect(previousFork(screen.model, screen.state)).toBe(screen.state);
    expect(words(screen, nextFork)).toContain("fix the failing");
  });

  it("goes from branch to branch at a fork", () => {
    const screen = onTrunk();
    expect(words(screen, previousFork, previousFork, nextRow)).toBe("folded #2");
    expect(words(screen, nextBranch)).toBe("folded #4");
    expect(nextBranch(screen.model, screen.state)).toBe(screen.state);
    expect(words(screen, previousBranch)).toBe("folded #2");
    expect(words(onTrunk(), previousBranch)).toBe("folded #5");
  });

  it("opens, steps in, steps out, folds and goes to the fork point", () => {
    const screen = onTrunk().move(previousFork, previousFork, nextRow);
    expect(words(screen, openOrStepIn)).toBe("open #2");
    expect(words(screen, openOrStepIn)).toBe("in try a hand-written lexer");
    expect(words(screen, nextBranch)).toBe("folded #4");
    expect(words(screen, previousBranch, nextRow, foldOrStepOut)).toBe("open #2");
    expect(words(screen, foldOrStepOut)).toBe("folded #2");
    expect(words(screen, foldOrStepOut)).toBe("wire the tokenizer into the CLI");
    expect(words(screen, jumpToLeaf)).toBe("you are here · reply finished");
    expect(words(screen, foldOrStepOut)).toContain("fix the failing");
  });

  it("opens a branch by its number, also one inside another", () => {
    const screen = onTrunk().move((model, state) => openBranch(model, state, 3));
    expect(words(screen)).toBe("in open #3");
    expect(openBranch(screen.model, screen.state, 99)).toBe(screen.state);
  });

  it("keeps the selection while entries arrive, and follows the leaf where nothing was selected", () => {
    const sample = parserSession();
    const resting = new TreeScreen(sample.session);
    const chosen = new TreeScreen(sample.session).move(previousRow, previousRow);
    sample.turn("one more");
    expect(words(resting)).toBe("you are here · reply finished");
    expect(words(chosen)).toContain("fix the failing");
  });

  it("falls to the branch where a fold hides the selected row", () => {
    const screen = onTrunk().move((model, state) => openBranch(model, state, 2), nextRow, nextRow, nextRow);
    expect(words(screen)).toBe("in folded #3");
    screen.set((state) => ({ ...state, opened: new Set() }));
    expect(words(screen)).toBe("folded #2");
  });
});

describe("a leaf that is no end", () => {
  it("has what follows below it, folded", () => {
    const { session } = parserSession();
    session.branch(session.getEntries().find((entry) => JSON.stringify(entry).includes("Done."))?.id ?? "");
    const screen = new TreeScreen(session);
    expect(screen.rows()).toMatchInlineSnapshot(`
      "
         ●  earlier question 1                                                     4h
       ❯ @  you are here · reply finished                                          4h
         └─▸ #1  continues, 14 turns                                              12m
      "
    `);
    expect(screen.move(nextRow, openOrStepIn).rows()).toContain("└─▾ #1  continues, 14 turns");
  });

  it("may be the place before the first entry", () => {
    const { session } = parserSession();
    session.resetLeaf();
    expect(new TreeScreen(session).rows()).toMatchInlineSnapshot(`
      "
       ❯ @  you are here · before the first entry
         └─▸ #1  earlier question 1  15 turns                                     12m
      "
    `);
  });
});

describe("long and wide trees", () => {
  const chain = (length: number) =>
    sourceOf(Array.from({ length }, (_, i) => prompt(`e${i}`, i === 0 ? null : `e${i - 1}`, `prompt ${i}`)));

  it("show the end of a long path, and 200 rows more with each Enter", () => {
    const screen = new TreeScreen(chain(1000));
    expect(rowCount(screen)).toBe(201);
    screen.move(previousRow, (model, state) => previousPage(model, state, 1000));
    expect(words(screen)).toBe("800 earlier turns");
    expect(words(screen, openRow)).toContain("prompt 800");
    expect(rowCount(screen)).toBe(401);
  });

  it("show the start of a long path on Home, and its end again on End", () => {
    const screen = new TreeScreen(chain(1000));
    expect(words(screen, firstRow)).toBe("prompt 0");
    expect(rowCount(screen)).toBeLessThan(210);
    expect(words(screen, (model, state) => nextPage(model, state, 101))).toBe("899 later turns");
    expect(words(screen, openRow, nextRow)).toBe("prompt 101");
    expect(words(screen, lastRow)).toBe("prompt 999");
    expect(rowCount(screen)).toBe(201);
  });

  it("show an entry far away with its neighbours", () => {
    const screen = new TreeScreen(chain(1000)).move((model, state) => selectEntry(model, state, 400));
    expect(words(screen)).toBe("prompt 400");
    expect(rowCount(screen)).toBeLessThan(210);
    expect(words(screen, nextRow)).toBe("prompt 401");
  });

  it("show the newest six of many branches, and 200 more with each Enter", () => {
    const wide = sourceOf([prompt("root", null), ...Array.from({ length: 500 }, (_, i) => prompt(`c${i}`, "root"))], 1);
    const screen = new TreeScreen(wide);
    expect(screen.rows()).toMatchInlineSnapshot(`
      "
         ●  root                                                                   1h
         ├─  + 493 more
         ├─▸ #495  c494  1 turn                                                    1h
         ├─▸ #496  c495  1 turn                                                    1h
         ├─▸ #497  c496  1 turn                                                    1h
         ├─▸ #498  c497  1 turn                                                    1h
         ├─▸ #499  c498  1 turn                                                    1h
         └─▸ #500  c499  1 turn                                                    1h
       ❯ @  c0  ← active                                                           1h
      "
    `);
    screen.move(firstRow, nextRow, openRow);
    expect(rowCount(screen)).toBe(2 + 1 + 206);
    expect(screen.rows()).toContain("+ 293 more");
  });

  it("show a branch that is not among the newest once you go there", () => {
    const wide = sourceOf([prompt("root", null), ...Array.from({ length: 500 }, (_, i) => prompt(`c${i}`, "root"))], 1);
    const screen = new TreeScreen(wide).move((model, state) => selectEntry(model, state, 100));
    expect(selectedRow(screen.model, screen.state)).toMatchObject({ kind: "entry", n: 100, level: 100 });
    expect(screen.rows()).toContain("+ 492 more");
  });
});

function rowCount(screen: TreeScreen): number {
  return screen.model.rows(screen.state).rows.length;
}
