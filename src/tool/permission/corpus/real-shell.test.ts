// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of a shell
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sampledRuns } from "../../../../test/support/sampled.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { applyRules } from "../rule/apply-rules.js";
import { parseRule } from "../rule/rule.js";
import { parseShell } from "../shell/parse-shell.js";

const RULES = ["ls", "cat", "sort", "find", "printf", "test"].map((name) =>
  parseRule(`bash(${name}:*)`, { effect: "allow", source: { kind: "user" } }),
);

/** A file that it writes could be any. */
const ANY_FILE = { action: "write", path: undefined, real: undefined, open: "by rule" } as const;

function isAllowed(target: string, cwd: string): boolean {
  const line = parseShell(target);
  const request = { tool: "bash", action: "run", target } as const;
  const facts = { request, files: line.writes.map(() => ANY_FILE), line };
  return applyRules(RULES, facts, { cwd, userHome: cwd }).effect === "allow";
}

function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

const PIECES = [
  ..."'\"\\`(){} \n;&|<>#!*~[],=-aE\t".split(""),
  ...["$(", ")", " ", " ", "make", "make", "make ", "ls ", "cat ", "sort ", "-o ", "evil", ">evil", "sh -c ", "eval "],
  ...["<<E\n", "\nE\n", "<<'E'\n", "<<<", "$x", "${x}", "${x:-", "$'", '$"', "\\\n", "\\'", '\\"', "\\\\", "\\`", "$@"],
  ...["if ", "then ", "fi", "for f in ", "do ", "done", "case a in ", "a) ", ";;", "esac", "$((", "))", "&&", "||"],
  ...[
    "env ",
    "xargs ",
    "find . -maxdepth 0 ",
    "-exec ",
    "\\;",
    "{}",
    "nice ",
    "timeout 5 ",
    "time ",
    "echo ",
    "x=",
    "--",
  ],
];

test("in a real shell, no line that rules allow runs another command or writes a file", () => {
  const folder = realpathSync(tempFolder());
  const [bin, work, lines] = ["bin", "work", "lines"].map((name) => join(folder, name)) as [string, string, string];
  for (const made of [bin, work, lines]) mkdirSync(made);
  writeFileSync(join(bin, "make"), `#!/bin/sh\n: > ${folder}/RAN\n`);
  chmodSync(join(bin, "make"), 0o755);
  const below = random(20_261);
  let allowed = 0;
  for (let run = sampledRuns({ all: 100_000, some: 4000 }); run > 0; run--) {
    let line = below(3) > 0 ? "ls " : "";
    for (let left = 3 + below(14); left > 0; left--) line += PIECES[below(PIECES.length)];
    if (!/make|evil/.test(line) || !isAllowed(line, work)) continue;
    allowed += 1;
    writeFileSync(join(lines, String(allowed)), line);
  }
  // One after the other, in one process: what a line left is named and removed before the next. The comment keeps the
  // newlines at its end.
  const script = `cd ${work}; for one in ${lines}/*; do
    timeout 10 bash -c "$(cat "$one"; printf "\\n#")" </dev/null >/dev/null 2>&1
    if [ -e ${folder}/RAN ] || [ -n "$(ls -A)" ]; then
      echo "$one"; command -p rm -rf ${folder}/RAN ${work}; mkdir ${work}; cd ${work}
    fi
  done`;
  const { stdout, stderr } = spawnSync("bash", ["-c", script], {
    env: { PATH: `${bin}:${process.env.PATH}`, HOME: folder },
    encoding: "utf8",
  });
  expect([stdout, stderr, allowed > 40]).toEqual(["", "", true]);
});
