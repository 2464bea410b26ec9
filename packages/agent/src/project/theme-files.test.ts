import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { packageThemes, readThemeFiles, readThemes } from "./theme-files.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bough-themes-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, content: unknown): string {
  const file = join(folder, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

test("a theme has its variables filled in, also where one names another", () => {
  const path = write("sea.json", {
    name: "sea",
    vars: { deep: "#001122", main: "deep" },
    colors: { accent: "main", muted: 244, text: "", __proto__x: 1 },
  });
  expect(readThemeFiles([{ path, reading: {} }])).toEqual({
    themes: [{ name: "sea", path, colors: { accent: "#001122", muted: 244, text: "", __proto__x: 1 } }],
    problems: [],
  });
});

test.each([
  ["not JSON", "{", "it is not a JSON object"],
  ["a name with an escape", { name: "a\u001b[31m", colors: {} }, "its name is missing or has invalid characters"],
  ["a path for a name", { name: "../x", colors: {} }, "its name is missing or has invalid characters"],
  ["no colors", { name: "a" }, "it has no colors"],
  [
    "an unknown variable",
    { name: "a", colors: { text: "sea" } },
    'the color text is neither #rrggbb, 0 to 255, "" nor a variable',
  ],
  [
    "variables in a circle",
    { name: "a", vars: { x: "y", y: "x" }, colors: { text: "x" } },
    'the color text is neither #rrggbb, 0 to 255, "" nor a variable',
  ],
  [
    "a number out of range",
    { name: "a", colors: { text: 256 } },
    'the color text is neither #rrggbb, 0 to 255, "" nor a variable',
  ],
  ["one of Bough's names", { name: "dark", colors: {} }, "there is already one called dark"],
])("a theme with %s is not used", (_what, content, reason) => {
  const path = write("bad.json", content);
  expect(readThemeFiles([{ path, reading: {} }])).toEqual({
    themes: [],
    problems: [{ file: path, message: `Theme not used: ${reason}` }],
  });
});

test("those of a project count once it is trusted, and of two with one name the user's own", () => {
  const [home, cwd] = [join(folder, "home"), join(folder, "work")];
  write("home/themes/sea.json", { name: "sea", colors: { accent: 1 } });
  write("work/.bough/themes/sea.json", { name: "sea", colors: { accent: 2 } });
  write("work/.bough/themes/land.json", { name: "land", colors: { accent: 3 } });
  const names = (trusted: boolean) =>
    readThemes({ home, cwd, trusted }).themes.map(({ name, colors }) => [name, colors.accent]);
  expect(names(false)).toEqual([["sea", 1]]);
  expect(names(true)).toEqual([
    ["sea", 1],
    ["land", 3],
  ]);
});

test("a package has them where its manifest says, or in its folder themes, and never outside", () => {
  const listed = write("listed/src/index.ts", "");
  write("listed/package.json", { pi: { themes: ["looks", "../plain/themes", "/etc"] } });
  write("listed/looks/a.json", {});
  const plain = write("plain/index.ts", "");
  write("plain/package.json", {});
  write("plain/themes/b.json", {});
  const script = write("script/deep/er/alone.ts", "");
  expect([listed, plain, script].map(packageThemes)).toEqual([
    [join(folder, "listed/looks")],
    [join(folder, "plain/themes")],
    [],
  ]);
});
