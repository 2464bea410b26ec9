import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { expandPromptTemplate, type PromptTemplate, readPromptTemplates } from "./prompt-templates.js";

function template(text: string): PromptTemplate {
  return { name: "t", description: "", text, path: "/t.md" };
}

test("files of both folders are templates, and the project's win", () => {
  const root = tempFolder();
  const home = join(root, "home");
  mkdirSync(join(home, "prompts"), { recursive: true });
  mkdirSync(join(root, ".bough/prompts"), { recursive: true });
  writeFileSync(join(home, "prompts/review.md"), "mine");
  writeFileSync(
    join(home, "prompts/fix.md"),
    '---\r\ndescription: "Fix it"\r\nargument-hint: <file>\r\n---\r\nFix $1\r\n',
  );
  writeFileSync(join(home, "prompts/notes.txt"), "not a prompt");
  writeFileSync(join(home, "prompts/two words.md"), "no");
  mkdirSync(join(home, "prompts/folder.md"));
  writeFileSync(join(root, ".bough/prompts/review.md"), "# Review\n\nLook at $@");
  expect(readPromptTemplates({ home, cwd: root, trusted: false })).toEqual({
    templates: [
      {
        name: "fix",
        description: "Fix it",
        argumentHint: "<file>",
        text: "Fix $1",
        path: join(home, "prompts/fix.md"),
      },
      {
        name: "review",
        description: "Review",
        text: "# Review\n\nLook at $@",
        path: join(root, ".bough/prompts/review.md"),
      },
    ],
    problems: [
      { file: join(home, "prompts/folder.md"), message: "Not used: it is a folder" },
      { file: join(home, "prompts/two words.md"), message: "A prompt's file name cannot contain spaces" },
    ],
  });
});

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are places in templates.
test.each([
  [
    "single arguments, quotes keeping words together",
    "a=$1 b=$2 c=$3",
    `/t one "two words" 'three'`,
    "a=one b=two words c=three",
  ],
  ["an argument that was not given is empty", "a=$1 b=$2", "/t one", "a=one b="],
  ["all arguments, without the quotes", "all: $@; again: $ARGUMENTS", `/t x "y  z"`, "all: x y  z; again: x y  z"],
  ["arguments from one on", "${@:2} | ${@:2:1} | ${@:0} | ${@:9}", "/t a b c", "b c | b | a b c | "],
  ["the same in brackets", "$@[2:] | $@[2:1] | $@[2] | $@[9:]", "/t a b c", "b c | b | b c | "],
  ["a text for what is not given", "${1:-main} ${2:-none of it}", '/t "" ', "main none of it"],
  ["the tenth argument", "$10 $1", "/t a b c d e f g h i j", "j a"],
  ["amounts of money and other signs stay", "$10 and $x", "/t", "$10 and $x"],
  ["signs in what was typed stay as typed", "say $1", "/t $@$&$1", "say $@$&$1"],
  ["arguments without a place come after the text", "text", "/t more words", "text\n\nmore words"],
  ["arguments over several lines", "do: $@", "/t line\nline", "do: line line"],
])("%s", (_name, text, typed, expected) => {
  expect(expandPromptTemplate(typed, [template(text)])).toBe(expected);
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: these are places in templates.

test("what is not the name of a template is left alone", () => {
  for (const typed of ["/other", "t", "/", "about /t", "/tt"]) {
    expect(expandPromptTemplate(typed, [template("x")])).toBeUndefined();
  }
});
