import { expect, test } from "vitest";
import { onlyReads } from "./only-reads.js";

test.each([
  "ls -la src",
  "cat a.txt | head -n 3",
  "grep -rn word src 2>/dev/null",
  "git status && git log --oneline",
  "cd src && ls; wc -l a.ts",
  "/usr/bin/cat a.txt",
  "echo done",
])("%s changes nothing", (command) => {
  expect(onlyReads(command, "/project")).toBe(true);
});

test.each([
  "rm a.txt",
  "ls > files.txt",
  "cat a.txt | tee b.txt",
  "npm test",
  "./ls",
  "bin/cat a.txt",
  "sort -o a.txt a.txt",
  "find . -delete",
  "sed -i s/a/b/ a.txt",
  "git checkout .",
  "git log --output=a.txt",
  "ls $(rm a.txt)",
  "eval ls",
  "xargs rm < list",
  "python -c 'print(1)'",
  "ls &",
  "unknown-program",
])("%s may change something", (command) => {
  expect(onlyReads(command, "/project")).toBe(false);
});
