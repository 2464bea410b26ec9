import { describe, expect, it } from "vitest";
import { UNICODE_GLYPHS } from "../../glyphs.js";
import { lineText } from "../../line.js";
import { treePreview } from "../tree-preview.js";
import { SampleSession } from "../tree-sample.test-support.js";
import { TreeScreen } from "../tree-screen.test-support.js";

/** A turn of the user, then one that an extension started, with a message between its tools. */
function started(): SampleSession {
  const sample = new SampleSession();
  const { session } = sample;
  sample.say("look around");
  sample.tools(["read", { path: "a.ts" }], ["read", { path: "b.ts" }]);
  sample.answer("Found it.");
  session.appendCustomMessageEntry("watch", "the build broke", true);
  sample.tools(["edit", { path: "c.ts" }]);
  session.appendCustomMessageEntry("watch", "it is green again", true);
  sample.tools(["bash", { command: "make" }], ["bash", { command: "make test" }]);
  sample.answer("Fixed.");
  session.appendCustomMessageEntry("watch", "only a note", true);
  sample.say("thanks");
  sample.answer("You are welcome.");
  return sample;
}

describe("turns that an extension starts", () => {
  it("have their own tools, and the prompt before them only its own", () => {
    expect(new TreeScreen(started().session, "no-tools").rows({ width: 100 })).toMatchInlineSnapshot(`
      "
         ●  look around                                                                      2 tools   4h
         ○  Found it.                                                                                  4h
         ◈  the build broke                                                                  3 tools   4h
         ◈  it is green again                                                                          4h
         ○  Fixed.                                                                                     4h
         ◈  only a note                                                                                4h
         ●  thanks                                                                                     4h
       ❯ @  You are welcome.  ← active                                                                 4h

       No side branches yet. e on any prompt starts one.
      "
    `);
    expect(new TreeScreen(started().session, "user-only").rows({ width: 100 })).toMatchInlineSnapshot(`
      "
         ●  look around                                                                      2 tools   4h
         ●  thanks                                                                                     4h
       ❯ @  you are here · reply finished                                                              4h

       No side branches yet. e on any prompt starts one.
      "
    `);
  });

  it("do not begin with a message that was sent with a prompt", () => {
    const sample = new SampleSession();
    sample.say("look around");
    sample.session.appendCustomMessageEntry("bough.changed-files", "a.ts changed", true);
    sample.tools(["read", { path: "a.ts" }]);
    sample.answer("Found it.");
    const rows = new TreeScreen(sample.session, "no-tools").rows({ width: 100 });
    expect(rows.split("\n").filter((row) => row.includes("tool"))).toEqual([
      expect.stringMatching(/● {2}look around +1 tool +4h/),
    ]);
  });

  it("end where the next one starts, for the preview as well", () => {
    const screen = new TreeScreen(started().session, "no-tools");
    const previewAt = (words: string) => {
      const { rows } = screen.model.rows(screen.state);
      const row = rows.find(({ n }) => n >= 0 && screen.model.facts(n).words === words);
      return treePreview(screen.model, row, { width: 80, height: 6, glyphs: UNICODE_GLYPHS, top: 0 }).map(lineText);
    };
    expect(previewAt("look around").at(-1)).toBe(" → Found it.");
    expect(previewAt("the build broke").at(-1)).toBe(" → Fixed. Changed c.ts");
    expect(previewAt("it is green again")).toEqual([" it is green again"]);
    expect(previewAt("only a note")).toEqual([" only a note"]);
  });
});
