import { describe, expect, it } from "vitest";
import { UNICODE_GLYPHS } from "../glyphs.js";
import { lineText } from "../line.js";
import { selectedRow } from "./selection.js";
import { openBranch } from "./tree-folds.js";
import { nextRow } from "./tree-moves.js";
import { treePreview } from "./tree-preview.js";
import { SampleSession } from "./tree-sample.test-support.js";
import { TreeScreen } from "./tree-screen.test-support.js";

/** A second branch started by a move with a cause, and a third by a move without one. */
function branched(cause: string): TreeScreen {
  const sample = new SampleSession();
  const { session } = sample;
  sample.turn("wire the tokenizer");
  const fork = session.getLeafId() as string;
  sample.turn("keep the generated one");
  const trunk = session.getLeafId() as string;
  session.branch(fork);
  session.recordPosition({ cause });
  sample.turn("try a lexer", { answer: "Two cases are open." });
  session.branch(trunk);
  return new TreeScreen(session);
}

function previewed(screen: TreeScreen): string[] {
  const row = selectedRow(screen.model, screen.state);
  return treePreview(screen.model, row, { width: 80, height: 6, glyphs: UNICODE_GLYPHS, top: 0 }).map(lineText);
}

describe("the preview", () => {
  it("says why a branch exists on its row and its first prompt only", () => {
    const screen = branched("pop").move((model, state) => openBranch(model, state, 2));
    const said = [" try a lexer", " #2 started with /pop. → Two cases are open."];
    expect(previewed(screen)).toEqual(said);
    expect(previewed(screen.move(nextRow))).toEqual(said);
    expect(previewed(new TreeScreen(screen.model.source)).join()).not.toContain("started");
  });

  it.each([
    ["tree", "#2 started from the tree."],
    ["undo", "#2 started after /undo."],
    ["switch", "#2 started after /switch."],
    ["retry", "#2 started as a retry."],
    ["attempt", "#2 started as one of several attempts."],
    ["extension", "#2 started by an extension."],
    ["a \u001b[31mword", '#2 started by "a word".'],
  ])("has words for the cause %j", (cause, words) => {
    const screen = branched(cause).move((model, state) => openBranch(model, state, 2));
    expect(previewed(screen).at(-1)).toContain(words);
  });
});
