import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { PACKAGES } from "../scripts/build/packages.mjs";
import { findingsInMarkdown, findingsInSource } from "./support/plain-english.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

function filesIn(folder: string, wanted: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => relative(root, join(item.parentPath, item.name)).split(sep).join("/"))
    .filter((file) => wanted.test(file) && !/\.test(?:-support)?\.tsx?$/.test(file));
}

const read = (file: string) => readFileSync(join(root, file), "utf8");

describe("plain English", () => {
  test("is what the strings of the source are written in", () => {
    const files = PACKAGES.flatMap((name) => filesIn(`packages/${name}/src`, /\.tsx?$/));
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap((file) => findingsInSource(file, read(file)))).toEqual([]);
  });

  test("is what the docs are written in", () => {
    const docs = filesIn("docs", /\.md$/).filter((file) => !file.startsWith("docs/decisions/"));
    expect(docs.length).toBeGreaterThan(10);
    const files = [...docs, "README.md", "CONTRIBUTING.md"];
    expect(files.flatMap((file) => findingsInMarkdown(file, read(file)))).toEqual([]);
  });
});

test("names of tests say what happens, without the code of a document", () => {
  const isTest = /\.test(?:-support)?\.tsx?$/;
  const files = [...PACKAGES.map((name) => `packages/${name}/src`), "test", "bench"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((item) => item.isFile() && isTest.test(item.name) && !item.parentPath.includes("node_modules"))
      .map((item) => join(item.parentPath, item.name)),
  );
  expect(files.length).toBeGreaterThan(300);
  const coded = files.filter((file) =>
    /\(\s*["'`][A-Z]{1,3}\d*[a-z]?(?:, ?[A-Z]{1,3}\d*)*: /.test(readFileSync(file, "utf8")),
  );
  expect(coded.map((file) => relative(root, file))).toEqual([]);
});

describe("a mistake is found with its file, line and phrase", () => {
  test.each([
    ["Nobody can be asked here", "Nobody"],
    ["Secrets that somebody typed", "somebody"],
    ["Whoever started this", "Whoever"],
    ["show so many", "so many"],
    ["the session with that very id", "that very"],
    ["Codex goes on with it", "goes on"],
    ["go on without a summary", "go on"],
    ["say it anew", "anew"],
    ["kept word for word", "word for word"],
    ["notes.txt is no transcript", "is no transcript"],
    ["/undo takes back the move", "takes back"],
    ["a summary in the place of it", "in the place of"],
    ["There is a file already", "There is a file already"],
    ["100 where it is left out", "where it is left out"],
    ["the same line stands further up", "stands further"],
    ["There is no file x ; use write", ";"],
    ["The original stays as it is", "stays as it is"],
    ["Everything is here already", "here already"],
    ["found in the usual places", "usual places"],
    ["only this agent; can be given several times", "can be given several times"],
    ["the session used last here", "session used last"],
    ["Esc takes it back", "takes it back"],
    ["Bring a summary along?", "Bring a summary along"],
    ["Import sessions of other agents", "sessions of other agents"],
    ["All words have to occur in one entry", "have to occur"],
    ["a new session from before one prompt", "from before one"],
    ["The transcript is only read", "is only read"],
    ["a part of a name that only one model has", "that only one model has"],
    ["No colours", "colour"],
  ])("%s", (text, phrase) => {
    const found = { line: 2, phrase, instead: expect.any(String) };
    expect(findingsInSource("a.ts", `\nconst text = ${JSON.stringify(text)};`)).toEqual([{ file: "a.ts", ...found }]);
    expect(findingsInSource("a.tsx", `\nconst row = <p>${text}</p>;`)).toEqual([{ file: "a.tsx", ...found }]);
    expect(findingsInMarkdown("a.md", `\n${text}`)).toEqual([{ file: "a.md", ...found }]);
  });

  test("in each part of a template, on its own line", () => {
    const source = `const text = \`\${name} is no key.\nOne \${more}, word for word\`;`;
    expect(findingsInSource("a.ts", source).map(({ line, phrase }) => [line, phrase])).toEqual([
      [1, "is no key"],
      [2, "word for word"],
    ]);
  });

  test.each([
    '"One\\ngo on"',
    '"can go\\non"',
    '"\\tgo on"',
    '"can go\\u0020on"',
    '"can go \\\non"',
    "/* a */ `go on`",
  ])("also next to escapes and comments: %s", (literal) => {
    expect(findingsInSource("a.ts", `// b\nf(${literal});`)).toMatchObject([{ phrase: "go on" }]);
  });

  test("also where the line is wrapped", () => {
    const found = { file: "a.md", line: 1, phrase: "go on", instead: expect.any(String) };
    expect(findingsInMarkdown("a.md", "a session opens again and can go\non; what was said is there")).toEqual([found]);
  });

  test("and what is right, is code, or is a comment is not a mistake", () => {
    const right = "There is no session yet. It is no longer shown; a stand-in answers.";
    expect(findingsInSource("a.ts", `// nobody\nconst nobody = ${JSON.stringify(right)};`)).toEqual([]);
    expect(findingsInMarkdown("a.md", `${right}\n\n\`\`\`sh\necho nobody ; true\n\`\`\`\n\nRun \`nobody\`.\n`)).toEqual(
      [],
    );
  });
});
