import { expect, test } from "vitest";
import { errorReportOf, errorReportText } from "./error-report.js";

test("an error is printed on several lines, with the hint below", () => {
  expect(errorReportText({ message: "Session not found: 4f2a" })).toBe("bough: Session not found: 4f2a\n");
  expect(errorReportText({ message: "Several match", hint: "Give more:\n  4f2a\n  4f2b" })).toBe(
    "bough: Several match\n  Give more:\n  4f2a\n  4f2b\n",
  );
});

test("names in it cannot steer the terminal", () => {
  const name = "\u001b]0;owned\u0007\u001b[2Jname\u202e\u009b31m";
  const text = errorReportText({ message: `There is no file ${name}`, hint: `Look at ${name}` });
  expect(text).toContain("name");
  expect(text).not.toMatch(/[\u0007\u001b\u0080-\u009f\u202e]/);
});

test.each([
  ["ENOENT", "The current folder no longer exists"],
  ["ERANGE", "The path of the current folder is too long"],
])("a current folder that cannot be used is named as the cause (%s)", (code, message) => {
  const thrown = Object.assign(new Error(`${code}: something, uv_cwd`), { code, syscall: "uv_cwd" });
  expect(errorReportOf(thrown)).toEqual({ code: "internal", message, hint: "Change to another folder." });
});
