import { describe, expect, test } from "vitest";
import { planRequest } from "./plan-request.js";

/** A plan as text: `tool name=value …`. */
function plan(text: string): string[] {
  return planRequest(text).map(({ tool, arguments: values }) =>
    [tool, ...Object.entries(values).map(([name, value]) => `${name}=${value}`)].join(" "),
  );
}

describe("a plain request becomes tool calls", () => {
  test.each([
    ["what is in this folder?", ["ls path=."]],
    ["What's in here?", ["ls path=."]],
    ["what files are here?", ["ls path=."]],
    ["ls", ["ls path=."]],
    ["ls src", ["ls path=src"]],
    ["List the files in src/model, please", ["ls path=src/model"]],
    ["list all files", ["ls path=."]],
    ["show me the contents of this directory", ["ls path=."]],
    ["what is in the docs folder?", ["ls path=docs"]],
    ["list docs", ["ls path=docs"]],
    ["list", ["ls path=."]],
    ["read README.md", ["read path=README.md"]],
    ["read @src/lexer.ts", ["read path=src/lexer.ts"]],
    ["Could you show me package.json?", ["read path=package.json"]],
    ["open the file src/index.ts.", ["read path=src/index.ts"]],
    ["what is in notes.txt?", ["read path=notes.txt"]],
    ["what does notes.txt say?", ["read path=notes.txt"]],
    ['cat "my notes.txt"', ["read path=my notes.txt"]],
    ["read LICENSE", ["read path=LICENSE"]],
    ["summarize docs/tree.md", ["read path=docs/tree.md"]],
    ["search for TODO", ["grep pattern=TODO"]],
    ["search for TODO in src", ["grep pattern=TODO path=src"]],
    ["grep planRequest", ["grep pattern=planRequest"]],
    ['look for "two words" in this project', ["grep pattern=two words path=."]],
    ["where is planRequest defined?", ["grep pattern=planRequest"]],
    ["which files mention auth.json?", ["grep pattern=auth.json"]],
    ["find the word tree in docs", ["grep pattern=tree path=docs"]],
    ["find *.ts", ["find pattern=*.ts"]],
    ["find all files named *.md in docs", ["find pattern=*.md path=docs"]],
    ["list *.json files", ["find pattern=*.json"]],
    ["run npm test", ["bash command=npm test"]],
    ["run ls .", ["bash command=ls ."]],
    ["please execute `git status --short`", ["bash command=git status --short"]],
    ["$ ls -la | grep and then", ["bash command=ls -la | grep and then"]],
    ["$ printf 'a b' > \"c d\"", ["bash command=printf 'a b' > \"c d\""]],
    ['write "hello, world" to notes.txt', ["write content=hello, world path=notes.txt"]],
    ["create notes.txt with hello and goodbye", ["write path=notes.txt content=hello and goodbye"]],
    ["create a file called a.txt containing: one", ["write path=a.txt content=one"]],
    ["write a.md with ```md\n# Title\n\nread b.md\n```", ["write path=a.md content=# Title\n\nread b.md"]],
    ['replace "old name" with "new name" in src/a.ts', ["edit oldText=old name newText=new name path=src/a.ts"]],
  ])("%j", (text, expected) => {
    expect(plan(text)).toEqual(expected);
  });
});

describe("several requests in one", () => {
  test.each([
    ["list the files and read package.json", ["ls path=.", "read path=package.json"]],
    [
      "read a.txt, then run npm test and search for TODO",
      ["read path=a.txt", "bash command=npm test", "grep pattern=TODO"],
    ],
    ["What is in this folder? Read README.md.", ["ls path=.", "read path=README.md"]],
    ["read a.txt\nread b.txt", ["read path=a.txt", "read path=b.txt"]],
    ["hello, please list the files", ["ls path=."]],
  ])("%j", (text, expected) => {
    expect(plan(text)).toEqual(expected);
  });
});

test.each(["Hello", "Why is the sky blue?", "open the door", "I am thinking of you", "", "show some respect"])(
  "%j matches no rule",
  (text) => {
    expect(plan(text)).toEqual([]);
  },
);
