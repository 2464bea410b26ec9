import { it } from "vitest";
import * as v from "/work/main/src/view/index.js";
import { NOW, parserSession } from "/work/main/src/view/tree/tree-sample.test-support.js";

const hint = (a: string) =>
  (
    ({
      enter: "Enter",
      edit: "e",
      continue: "c",
      summary: "s",
      label: "m",
      search: "/",
      help: "?",
      filter: "Tab",
      preview: "v",
      close: "Esc",
      open: "→",
      narrow: "f",
      nextMatch: "n",
      previousMatch: "N",
      reload: "r",
      cherryPick: "p",
      merge: "M",
      compare: "d",
    }) as any
  )[a];
it("looks", () => {
  const m = new v.TreeModel(parserSession().session.getSource());
  let s = v.initialTree("user-only");
  const show = (w: number, h: number, st = s, g = v.UNICODE_GLYPHS) => {
    const l = v.layoutTree(m, st, { width: w, height: h, glyphs: g, now: NOW, hint });
    console.log(
      `--${w}x${h} cursor ${JSON.stringify(l.cursor)} page ${l.listHeight}\n` + l.lines.map(v.lineText).join("\n"),
    );
  };
  show(80, 24);
  show(40, 16);
  show(120, 20);
  show(60, 20);
  show(20, 10);
  show(80, 24, v.previousRow(m, v.previousRow(m, s)), v.ASCII_GLYPHS);
  s = v.initialTree();
  show(80, 30);
  s = v.previousFork(m, s);
  show(80, 16);
  s = v.nextRow(m, v.previousFork(m, s));
  s = v.openOrStepIn(m, s);
  show(80, 24);
  s = v.openOrStepIn(m, s);
  s = v.nextRow(m, v.nextRow(m, s));
  s = v.openOrStepIn(m, s);
  show(80, 30);
});
