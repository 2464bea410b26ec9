import { expect, test } from "vitest";
import { jsonOutput } from "./run-print.js";

test("no control character and no mark that reorders text is written as it is, and every line reads back", () => {
  const written: string[] = [];
  const output = jsonOutput({ send: (text) => void written.push(text), update: () => {} });
  const text = "\x00\x1b\x7f\x80\x9b\x9f\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\ufeff ä 漢";
  output.event({ type: "notice", level: "info", text } as never);
  output.errorReport({ code: "x", message: text } as never);
  expect(written.map((line) => JSON.parse(line) as object)).toMatchObject([{ text }, { message: text }]);
  expect(written.join("")).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|\p{Zl}|\p{Zp}/u);
  expect(written.join("")).toContain(" ä 漢");
});
