import { expect, test } from "vitest";
import { shownPath } from "./shown-path.js";

test("the home folder is ~, and nothing else that starts like it", () => {
  const paths = ["/home/dev", "/home/dev/project", "/home/developer"];
  expect(paths.map((path) => shownPath(path, "/home/dev"))).toEqual(["~", "~/project", "/home/developer"]);
  expect(shownPath("/home/dev/project")).toBe("/home/dev/project");
});

test("marks that reorder text, control characters and line breaks in a name are shown", () => {
  expect(shownPath("/home/dev/pro\u202ej\x7fe\x9b31m\nct", "/home/dev")).toBe("~/pro\\u202ej\\x7fe\\x9b31m\\nct");
  expect(shownPath("/home/dev/größe/漢字")).toBe("/home/dev/größe/漢字");
});
