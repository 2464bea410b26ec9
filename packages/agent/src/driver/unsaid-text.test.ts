import { expect, test } from "vitest";
import { UnsaidText } from "./unsaid-text.js";

/** The rest of each shown text. */
const rest = (answers: readonly string[], ...shown: readonly string[]) => {
  const unsaid = new UnsaidText(answers);
  return shown.map((text) => unsaid.of(text));
};

test("answers that the transcript has are left out, whatever their spaces", () => {
  expect(rest(["I will. ", "Done"], "I will.\n\nDone")).toEqual([""]);
  expect(rest(["I will.", "Done."], "I will.", "Done.")).toEqual(["", ""]);
  expect(rest([], "Only half of")).toEqual(["Only half of"]);
  expect(rest(["I will."], "I will.\nOnly half of")).toEqual(["Only half of"]);
});

test("notices of the program, before and between answers, are kept", () => {
  expect(rest(["I will.", "Done."], "Warning: no metadata.\n\nI will. Hook failed.", "Done.")).toEqual([
    "Warning: no metadata.\nHook failed.",
    "",
  ]);
});

test("an answer of which only the start was shown is left out", () => {
  expect(rest(["I will. So it goes."], "I will. So")).toEqual([""]);
  expect(rest(["I will. So it goes."], "Warning: no metadata.\nI will. So it")).toEqual(["Warning: no metadata."]);
  // A call was reported before the answer ended.
  expect(rest(["I will. So it goes.", "Done."], "I will. So", " it goes.", "Done.")).toEqual(["", "", ""]);
});

test("what is shown after all answers is kept as it was", () => {
  const code = "```\n  const x = 1;\n```";
  expect(rest(["I will."], "I will.", code)).toEqual(["", code]);
  expect(rest(["I will."], `I will.\n\n${code}`)).toEqual([code]);
});

test("an answer that was never shown does not hide those after it", () => {
  expect(rest(["Not for show.", "I will do it.", "It is done."], "I will do it.", "It is done.")).toEqual(["", ""]);
  expect(rest(["Not for show.", "I will do it.", "It is done."], "I will do it. It is")).toEqual([""]);
  expect(rest(["I will do it.", "Not for show.", "It is done."], "I will do it. It is done. More")).toEqual(["More"]);
  // The first answer comes with the next text.
  expect(rest(["I will do it.", "OK"], "Warning: OK?", "I will do it.")).toEqual(["Warning: OK?", ""]);
});

test("every cut of an answer leaves nothing, with or without a notice before it", () => {
  const answer = "Running 12. so it goes so it goes so it goes, and that was 12.";
  for (let end = 1; end <= answer.length; end++) {
    expect(rest([answer], answer.slice(0, end))).toEqual([""]);
    const [left = ""] = rest([answer], `Careful!\n${answer.slice(0, end)}`);
    // A start of fewer letters may be chance.
    if (answer.slice(0, end).replace(/\s/g, "").length >= 8) expect(left).toBe("Careful!");
  }
});
