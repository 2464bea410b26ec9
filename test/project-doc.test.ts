/** docs/project.md: the files in its table are where Bough looks. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readProjectContext, readSettings } from "@bough/agent/project/index.js";
import { expect, test } from "vitest";
import { tempFolder } from "./support/temp-folder.js";

const page = readFileSync(fileURLToPath(new URL("../docs/project.md", import.meta.url)), "utf8");

/** The cells of the row that starts with this word. */
function cellsOf(what: string): readonly string[] {
  const row = page.split("\n").find((line) => line.startsWith("|") && line.split("|")[1]?.includes(what));
  if (row === undefined) throw new Error(`docs/project.md has no row about ${what}`);
  return row.split("|").slice(2, 5);
}

/** The files that a cell names. */
const filesIn = (cell: string | undefined): string[] =>
  [...(cell ?? "").matchAll(/`([^`]+)`/g)].map(([, file]) => (file as string).replace("<name>", "sample"));

function places() {
  const folder = tempFolder();
  const [home, cwd] = [join(folder, "home"), join(folder, "my project")];
  const write = (root: string, file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
    return join(root, file);
  };
  mkdirSync(cwd, { recursive: true });
  return { home, cwd, folder, write };
}

test("instructions are read from the files of the table, yours first", () => {
  const { home, cwd, folder, write } = places();
  const [yours, theirs] = cellsOf("Instructions").map(filesIn);
  const paths = [
    ...(yours ?? []).map((file) => write(home, file, `mine in ${file}`)),
    ...(theirs ?? []).map((file) => write(folder, file, `above in ${file}`)),
    ...(theirs ?? []).map((file) => write(cwd, file, `here in ${file}`)),
  ];
  expect(paths.length).toBe(5);
  const { contextFiles } = readProjectContext({ cwd, home, userHome: folder });
  expect(contextFiles.map(({ path }) => path)).toEqual(paths);
});

test.each([
  ["Prompt templates", "Say hello", "templates"],
  ["Skills", "---\nname: sample\ndescription: How to do it\n---\nDo it.", "skills"],
  ["Themes", '{"name":"sample","colors":{"accent":4}}', "themes"],
] as const)("%s are read from the files of the table, and those that win are as it says", (what, text, kind) => {
  const { home, cwd, write } = places();
  const [yours, theirs, wins = ""] = cellsOf(what);
  const files = { yours: write(home, filesIn(yours)[0] as string, text), theirs: "" };
  const found = () => (readProjectContext({ cwd, home, trusted: true })[kind] ?? []).map(({ path }) => path);
  expect(found()).toEqual([files.yours]);
  files.theirs = write(cwd, filesIn(theirs)[0] as string, text);
  expect(found()).toEqual([wins.includes("project's") ? files.theirs : files.yours]);
});

test("settings are read from the three files of the table, and the later one wins", () => {
  const { home, cwd, write } = places();
  const [yours, theirs] = cellsOf("[Settings]").map(filesIn);
  const look = () => readSettings({ home, cwd, projectTrusted: true }).settings.theme;
  for (const [at, file] of [...(yours ?? []), ...(theirs ?? [])].entries()) {
    const theme = ["dark", "light", "auto"][at] as string;
    write(at === 0 ? home : cwd, file, JSON.stringify({ theme }));
    expect(look()).toBe(theme);
  }
});

test("the template and the skill that are shown can be used", () => {
  const { home, cwd, write } = places();
  const [template, skill] = [...page.matchAll(/^```md\n([\s\S]*?)^```/gm)].map(([, text]) => text as string);
  write(home, "prompts/review.md", template as string);
  write(home, "skills/release/SKILL.md", skill as string);
  expect(readProjectContext({ cwd, home }).templates).toMatchObject([
    { name: "review", description: "Review a file", argumentHint: "<file>" },
  ]);
  expect(readProjectContext({ cwd, home }).skills).toMatchObject([{ name: "release" }]);
});
