import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { CONTEXT_FILE_LIMIT, readContextFiles } from "./context-files.js";

function put(root: string, path: string, text: string): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

test("the person's file comes first, then every folder from the home folder down, AGENTS.md before CLAUDE.md", () => {
  const root = tempFolder();
  const userHome = join(root, "home");
  const home = join(userHome, ".bough");
  put(root, "AGENTS.md", "above the home folder: not read");
  const files = [
    put(home, "AGENTS.md", "mine"),
    put(userHome, "CLAUDE.md", "home"),
    put(userHome, "work/AGENTS.md", "work, agents"),
    put(userHome, "work/CLAUDE.md", "work, claude"),
    put(userHome, "work/project/AGENTS.md", "\uFEFFproject\n"),
  ];
  const texts = ["mine", "home", "work, agents", "work, claude", "project"];
  expect(readContextFiles({ cwd: join(userHome, "work/project"), home, userHome, trusted: false })).toEqual({
    files: files.map((path, n) => ({ path, text: texts[n] })),
    problems: [],
  });
});

test("outside the home folder the walk goes up to the root", () => {
  const root = tempFolder();
  const outer = put(root, "AGENTS.md", "outer");
  const inner = put(root, "a/b/AGENTS.md", "inner");
  const place = { trusted: false, cwd: join(root, "a/b"), home: join(root, "none"), userHome: join(root, "elsewhere") };
  // The machine may have such files in parent folders.
  expect(readContextFiles(place).files.filter(({ path }) => path.startsWith(root))).toEqual([
    { path: outer, text: "outer" },
    { path: inner, text: "inner" },
  ]);
});

test("a link and a second file with the same text count once, an empty file not at all", () => {
  const root = tempFolder();
  const first = put(root, "AGENTS.md", "the rules");
  symlinkSync(first, join(root, "CLAUDE.md"));
  put(root, "a/CLAUDE.md", "the rules\n");
  put(root, "a/AGENTS.md", "  \n");
  expect(readContextFiles({ trusted: false, cwd: join(root, "a"), home: join(root, "none"), userHome: root })).toEqual({
    files: [{ path: first, text: "the rules" }],
    problems: [],
  });
});

test("a folder in place of the file and a file that is too long are reported", () => {
  const root = tempFolder();
  mkdirSync(join(root, "CLAUDE.md"));
  const long = put(root, "AGENTS.md", "x".repeat(CONTEXT_FILE_LIMIT + 1));
  const { files, problems } = readContextFiles({ trusted: false, cwd: root, home: join(root, "none"), userHome: root });
  expect(files.map((file) => file.text.length)).toEqual([CONTEXT_FILE_LIMIT]);
  expect(problems).toEqual([
    { file: long, message: "Only its first 100000 characters are sent to the model" },
    { file: join(root, "CLAUDE.md"), message: "Not used: it is a folder" },
  ]);
});
