/** Recorded file changes in the tree: marks, the filter, the preview, and their cost. */
import { describe, expect, it } from "vitest";
import { FILES_TYPE, type FileDelta, Kind, Role, type SessionEntry } from "../../entry/index.js";
import { TreeIndex, type TreeSource } from "../../tree/index.js";
import { ASCII_GLYPHS } from "../glyphs.js";
import { type Line, span } from "../line.js";
import { rowFileEnds } from "./row-files.js";
import { selectedRow } from "./selection.js";
import { prompt } from "./tree-damage.test-support.js";
import { SampleSession } from "./tree-sample.test-support.js";
import { TreeScreen } from "./tree-screen.test-support.js";
import { withFilter } from "./tree-state.js";

const HASH = "a".repeat(64);
const delta = (path: string): FileDelta => ({ path, before: null, after: { hash: HASH, mode: "644", size: 1 } });

function record(sample: SampleSession, paths: readonly string[], more: Record<string, unknown> = { tool: "bash" }) {
  return sample.session.appendCustomEntry(FILES_TYPE, { v: 1, by: "tool", changes: paths.map(delta), ...more });
}

/** Two turns: a shell command and an edit that changed files, one that changed too many, and a change by the user. */
function changing() {
  const sample = new SampleSession("files");
  sample.at(60).say("break it");
  const [, broke = ""] = sample.tools(["bash", { command: "make broken" }]);
  const checkpoint = record(sample, ["a.ts", "b.ts", "c.ts"]);
  sample.tools(["edit", { path: "a.ts" }]);
  record(sample, ["a.ts"], { tool: "edit" });
  sample.answer("It is broken.");
  record(sample, ["mine.txt"], { by: "person" });
  const second = sample.at(30).say("look around");
  sample.tools(["bash", { command: "ls" }]);
  sample.tools(["bash", { command: "generate" }]);
  record(sample, [], { tool: "bash", changesIn: HASH });
  sample.answer("Done.");
  return { sample, broke, checkpoint, second };
}

describe("recorded changes of files", () => {
  it("are a mark beside the step that made them, and the record is not a row", () => {
    const { sample } = changing();
    const screen = new TreeScreen(sample.session, "default");
    expect(screen.rows()).toMatchInlineSnapshot(`
      "
         ●  break it                                                               1h
         ·  bash make broken                                                  ±3   1h
         ·  edit a.ts                                                         ±1   1h
         ○  It is broken.                                                          1h
         ●  look around                                                           30m
         ·  bash ls                                                               30m
         ·  bash generate                                                     ±…  30m
       ❯ @  Done.  ← active                                                       30m

       No side branches yet. e on any prompt starts one.
      "
    `);
    expect(screen.rows({ width: 40 })).toMatchInlineSnapshot(`
      "
         ●  break it
         ·  bash make broken ±3
         ·  edit a.ts ±1
         ○  It is broken.
         ●  look around
         ·  bash ls
         ·  bash generate ±…
       ❯ @  Done. ←

       No side branches yet. e on any prompt
       starts one.
      "
    `);
    expect(screen.rows({ width: 120, glyphs: ASCII_GLYPHS, height: 16 })).toMatchInlineSnapshot(`
      "
         *  break it                                           1h | Done.
         .  bash make broken                             +-3   1h |
         .  edit a.ts                                    +-1   1h |
         o  It is broken.                                      1h |
         *  look around                                       30m |
         .  bash ls                                           30m |
         .  bash generate                              +-...  30m |
       > @  Done.  <- active                                  30m |
                                                                  |
       No side branches yet. e on any prompt starts one.          |
                                                                  |
      "
    `);
  });

  it("count for the turn where steps have no rows, each file once", () => {
    const { sample } = changing();
    const screen = new TreeScreen(sample.session, "user-only");
    expect(screen.rows()).toMatchInlineSnapshot(`
      "
         ●  break it                                                 2 tools  ±3   1h
         ●  look around                                              2 tools  ±…  30m
       ❯ @  you are here · reply finished                                         30m

       No side branches yet. e on any prompt starts one.
      "
    `);
  });

  it("are what the filter for file changes shows", () => {
    const { sample } = changing();
    const screen = new TreeScreen(sample.session, "default").set((state) => ({ ...state, narrowing: "files" }));
    expect(screen.rows()).toMatchInlineSnapshot(`
      "
         ·  bash make broken                                                  ±3   1h
         ·  edit a.ts                                                         ±1   1h
         ·  bash generate                                                     ±…  30m
       ❯ @  you are here · reply finished                                         30m
      "
    `);
    screen.set((state) => withFilter(state, "all")).set((state) => ({ ...state, narrowing: "none" }));
    expect(screen.rows()).toContain("files changed by you: mine.txt");
  });

  it("have a diff in the preview, right below what was run", () => {
    const { sample, broke, checkpoint } = changing();
    const screen = new TreeScreen(sample.session, "default").select(broke);
    const { tree } = screen.model.source;
    expect(rowFileEnds(screen.model, selectedRow(screen.model, screen.state))).toEqual({
      from: tree.ids.findText(broke),
      to: tree.ids.findText(checkpoint),
    });
    const diff: Line[] = ["diff --git a/a.ts b/a.ts", "-one", "+two"].map((text) => [span(text)]);
    expect(screen.set((state) => ({ ...state, preview: "full" })).draw({ diff, height: 14 })).toMatchInlineSnapshot(`
      "
       Tree · files                               2 turns · 1 branch · on #1 break it
       ───────────────────────────────────────────────────────────────────────────────
       bash make broken
       diff --git a/a.ts b/a.ts
       -one
       +two
       output of bash




       ───────────────────────────────────────────────────────────────────────────────
       Enter go there and continue · leaves 9 entries (≈316 tokens), files unchanged
       c continue after   s go + summary   m label   / search   ? keys         2 of 8
      "
    `);
  });

  it("of a turn go from its prompt to its last step; a row without changes has none", () => {
    const { sample, second } = changing();
    const screen = new TreeScreen(sample.session, "default").select(second);
    const { tree } = screen.model.source;
    const ends = rowFileEnds(screen.model, selectedRow(screen.model, screen.state));
    expect([ends?.from, tree.kindOf(ends?.to ?? -1)]).toEqual([tree.ids.findText(second), Kind.custom]);
    const quiet = new SampleSession();
    const asked = quiet.turn("hello", { tools: 1 });
    const other = new TreeScreen(quiet.session, "default").select(asked);
    expect(rowFileEnds(other.model, selectedRow(other.model, other.state))).toBeUndefined();
  });

  it("that are not on disk are shown at your position", () => {
    const { sample } = changing();
    const screen = new TreeScreen(sample.session, "user-only");
    const situation = { differingFiles: 2, files: "ask" } as const;
    expect(screen.rows({ situation })).toContain("you are here · reply finished  2 files on disk differ");
    const inside = new TreeScreen(sample.session, "default");
    expect(inside.rows({ situation: { differingFiles: 1 } })).toContain("← active  1 file on disk differs");
  });

  it("the footer says what becomes of files, as the setting does", () => {
    const { sample, second } = changing();
    const screen = new TreeScreen(sample.session, "user-only").select(second);
    expect(screen.draw({ situation: { files: "ask" } })).toMatch(/leaves \d+ entries \(≈\d+ tokens\)$/m);
    expect(screen.draw({ situation: { files: "follow" } })).toMatch(/tokens\), restores files$/m);
    expect(screen.draw({ situation: { files: "stay" } })).toMatch(/tokens\), files unchanged$/m);
  });

  it("that are not whole records mark nothing", () => {
    const sample = new SampleSession();
    sample.say("go");
    sample.tools(["bash", { command: "x" }]);
    sample.session.appendCustomEntry(FILES_TYPE, { v: 1, by: "tool", tool: "bash", changes: [{ path: "../x" }] });
    sample.answer("Done.");
    expect(new TreeScreen(sample.session, "default").rows()).not.toContain("±");
  });
});

it("only records beside rows on the screen are read", () => {
  const read: number[] = [];
  const sizes = [2_000, 20_000].map((count) => {
    const tree = new TreeIndex();
    for (let i = 0; i < count; i++) {
      const kind = i % 2 === 0 ? { kind: Kind.message, role: Role.user } : { kind: Kind.custom, role: Role.none };
      tree.add(`e${i}`, i === 0 ? null : `e${i - 1}`, { ...kind, offset: 0, length: 300 });
    }
    const entryAt = (n: number): SessionEntry => {
      read.push(n);
      if (n % 2 === 0) return prompt(`e${n}`, null, `prompt ${n}`);
      const data = { v: 1, by: "tool", tool: "bash", changes: [delta("a")] };
      const times = { id: `e${n}`, parentId: `e${n - 1}`, timestamp: "2026-01-01T00:00:00Z" };
      return { type: "custom", customType: FILES_TYPE, data, ...times };
    };
    const source: TreeSource = { tree, leaf: count - 1, name: "big", entryAt, labelOf: () => undefined };
    read.length = 0;
    const screen = new TreeScreen(source, "default");
    expect(screen.rows({ height: 40 })).toContain("±1");
    return read.filter((n) => n % 2 === 1).length;
  });
  expect(sizes[0]).toBeLessThanOrEqual(45);
  expect(sizes[1]).toBe(sizes[0]);
});
