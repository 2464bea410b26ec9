// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of a shell
import { describe, expect, test } from "vitest";
import { sampledRuns, sampledStep } from "../../../../../../test/support/sampled.js";
import { parseShell } from "../shell/parse-shell.js";
import { answerTo, corpusPlace, parsedRules } from "./corpus-place.test-support.js";
import { rowsOf } from "./corpus-table.test-support.js";
import { CORPUS } from "./corpus-tables.test-support.js";
import { DENIED_FILE } from "./denied-lines.test-support.js";
import { beyondRules, mayRun, runMarked } from "./marked-shell.test-support.js";
import { GIT_OPTIONS, READERS, SCRIPTS } from "./program-lines.test-support.js";

const SHELLS = ["bash", "dash"] as const;

/** Runs lines that these rules allow, and returns those that did something else. */
async function falseAllows(
  lines: readonly { readonly line: string; readonly allow: readonly string[]; readonly deny?: readonly string[] }[],
  shell: (typeof SHELLS)[number],
): Promise<{ readonly allowed: number; readonly wrong: readonly string[] }> {
  const cwd = corpusPlace();
  const allowed: { readonly line: string; readonly allow: readonly string[] }[] = [];
  for (const { line, allow, deny = [] } of lines) {
    if (!mayRun(line)) continue;
    if ((await answerTo(line, { rules: parsedRules({ allow, deny }), cwd, shell })) === "allow")
      allowed.push({ line, allow });
  }
  const runs = runMarked(
    allowed.map(({ line }) => line),
    { shell },
  );
  const wrong = runs.flatMap((run, at) =>
    beyondRules(run, allowed[at]?.allow ?? []).map((what) => `${JSON.stringify(run.line)} ${what}`),
  );
  return { allowed: allowed.length, wrong };
}

describe.each(SHELLS)("in a real %s", (shell) => {
  test("no line of the corpus that rules allow runs another command or writes another file", async () => {
    const step = sampledStep(7);
    const rows = rowsOf(CORPUS.filter(({ mode }) => mode !== "auto"))
      .filter(({ answer }) => answer === "allow" || answer === "free")
      .filter((_, at) => at % step === 0);
    const { allowed, wrong } = await falseAllows(
      rows.map(({ line, rules }) => ({ line, ...rules })),
      shell,
    );
    expect([wrong, allowed > 50]).toEqual([[], true]);
  });

  test("no option of a program that only reads makes it run or write something", async () => {
    const cwd = corpusPlace();
    const step = sampledStep(7);
    const lines: string[] = [];
    for (const table of [...READERS, GIT_OPTIONS, SCRIPTS].filter(
      ({ about }) => !/^(?:curl|rsync|less|man)$/.test(about),
    )) {
      const rules = parsedRules(table.rules);
      for (const { line, answer } of rowsOf([table])) {
        if (
          (answer === "allow" || answer === "free") &&
          mayRun(line) &&
          (await answerTo(line, { rules, cwd, shell })) === "allow"
        )
          lines.push(line);
      }
    }
    const runs = runMarked(
      lines.filter((_, at) => at % step === 0),
      { shell, programs: "real" },
    );
    const wrong = runs.flatMap((run) => beyondRules(run, []).map((what) => `${JSON.stringify(run.line)} ${what}`));
    expect(wrong).toEqual([]);
  });

  test("no line about files that are not to be read prints one, however its words are put together", async () => {
    const cwd = corpusPlace();
    const rules = parsedRules(DENIED_FILE.rules);
    const below = random(shell === "bash" ? 20_263 : 20_264);
    const lines = new Set<string>();
    for (let left = sampledRuns({ all: 40_000, some: 300 }); left > 0; left--) {
      let line = `${below(4) === 0 ? "cd src && " : ""}${READS[below(READS.length)]} `;
      for (let more = 1 + below(5); more > 0; more--) line += FILE_PIECES[below(FILE_PIECES.length)];
      if (mayRun(line) && (await answerTo(line, { rules, cwd, shell })) === "allow") lines.add(line);
    }
    const runs = runMarked([...lines], { shell, programs: "real" });
    expect(runs.filter(({ printed }) => printed.includes("KEY=")).map(({ line }) => line)).toEqual([]);
  });

  test("no random line that rules allow runs another command or writes a file", async () => {
    const below = random(shell === "bash" ? 20_261 : 20_262);
    const lines = Array.from({ length: sampledRuns({ all: 200_000, some: 6000 }) }, () => {
      let line = below(3) > 0 ? `${STARTS[below(STARTS.length)]} ` : "";
      for (let left = 2 + below(12); left > 0; left--) line += PIECES[below(PIECES.length)];
      return line;
    });
    const dangerous = [...new Set(lines)].filter((line) => /make|evil|-o|\.env/.test(line));
    const { allowed, wrong } = await falseAllows(
      dangerous.map((line) => ({ line, allow: RANDOM_RULES })),
      shell,
    );
    expect([wrong, allowed > 20]).toEqual([[], true]);
  });

  test("a line that differs by a sign from an allowed one runs what was judged, or asks", async () => {
    const cwd = corpusPlace();
    const below = random(shell === "bash" ? 20_265 : 20_266);
    const rows = rowsOf(CORPUS.filter(({ mode }) => mode !== "auto")).filter(
      ({ line, answer }) => answer === "allow" && line.length < 400 && !/\$\(|PWD|HOME|~/.test(line) && mayRun(line),
    );
    const facts = { isBash: shell === "bash", version: 0, cwd, userHome: "/nowhere" };
    const judged = new Map<string, { readonly allow: readonly string[]; readonly commands: readonly string[][] }>();
    for (let left = sampledRuns({ all: 200_000, some: 1500 }); left > 0; left--) {
      const { line: plain, rules } = rows[below(rows.length)] as (typeof rows)[number];
      const line = changed(plain, below);
      // Every line has its own home folder.
      if (judged.has(line) || !mayRun(line) || line.includes("~")) continue;
      if ((await answerTo(line, { rules: parsedRules(rules), cwd, shell })) !== "allow") continue;
      const { commands, free } = parseShell(line, facts);
      const isKnown = [...commands, ...free].every(({ words }) => words.every(({ literal }) => literal));
      // The names that a pattern expands to are not among the words.
      const texts = isKnown ? [...commands, ...free].map(({ words }) => words.map(({ text }) => text)) : [];
      judged.set(line, { allow: rules.allow, commands: texts });
    }
    const wrong = runMarked([...judged.keys()], { shell }).flatMap((run) => {
      const { allow = [], commands = [] } = judged.get(run.line) ?? {};
      const isJudged = (words: readonly string[]): boolean =>
        commands.length === 0 || commands.some((command) => isSameCommand(command, words));
      return [
        ...beyondRules(run, [...allow, ...FREE_RULES]),
        ...run.ran
          .filter((words) => !isJudged(words))
          .map((words) => `was judged as another: ${JSON.stringify(words)}`),
      ].map((what) => `${JSON.stringify(run.line)} ${what}`);
    });
    expect([wrong, judged.size > 300]).toEqual([[], true]);
  });
});

/** Programs that need no rule, in case the shell does not have them built in. */
const FREE_RULES = ["bash([:*)", "bash(test:*)", "bash(printf:*)"];

/** The name may include a folder, and git may have options before its subcommand. */
function isSameCommand(judged: readonly string[], ran: readonly string[]): boolean {
  const plain = ([name = "", ...words]: readonly string[]) =>
    [name.split("/").at(-1), ...words].join("\0").replace(/^git\0(?:(?:--no-pager|-P|-C\0\.\/?)\0)*/, "git\0");
  return plain(judged) === plain(ran);
}

/** The line with one character added, removed, doubled or replaced. */
function changed(line: string, below: (below: number) => number): string {
  const at = below(line.length + 1);
  const sign = SIGNS[below(SIGNS.length)] ?? "";
  const kind = below(8);
  if (kind === 0) return line.slice(0, at) + line.slice(at + 1);
  if (kind === 1) return line.slice(0, at) + line.slice(Math.max(0, at - 1));
  if (kind === 2) return line.slice(0, at) + sign + line.slice(at + 1);
  return line.slice(0, at) + sign + line.slice(at);
}

const SIGNS = [
  ..."'\"\\`(){} \n;&|<>#!*~[],=-?@+%^:$\t\r\v\f\b\x1b\x7f\x01aE0".split(""),
  // Blanks, invisible characters, and letters with bytes that are blanks or shell operators on some system.
  ..."\u0085\u00a0\u2028\u3000\u200b\ufeff\u202eéàÅхРÂ𝒜ａ；＆\ud800".split(""),
  ...["\\\n", "$(", "${", "$'", '$"', "<<", ">&", "&&", "||", ";;", "|&", "&>", "<(", "((", "[[", "{a,b}", "..", "~+"],
  ...[
    "'\\''",
    '"\'"',
    "\\\\",
    "\\'",
    " # ",
    "\n#",
    "#\n",
    " \\\n ",
    "-- ",
    "- ",
    " -o ",
    "2>",
    "1>&2",
    "<&0",
    "\n\n",
    " ; ",
  ],
  ...[
    "make ",
    "\nmake\n",
    ";make;",
    "|make",
    "`make`",
    "$(make)",
    "a".repeat(5000),
    " ".repeat(5000),
    "\\".repeat(2001),
  ],
];

const READS = [
  ...[
    "cat",
    "head",
    "tail -n +1",
    "grep ''",
    "grep -r KEY",
    "grep -rn KEY src",
    "rg KEY",
    "rg -n --hidden KEY",
    "sort",
    "wc",
  ],
  ...[
    "sed -n p",
    "diff a",
    "cut -c1-",
    "git diff --no-index a",
    "find . -name",
    "awk 1",
    "jq -R .",
    "cat a",
    "ls",
    "uniq",
  ],
];
const FILE_PIECES = [
  ...[
    ".env",
    ".en",
    "v",
    ".",
    "..",
    "/",
    "./",
    "../",
    "src/",
    "src/../",
    "e",
    "n",
    " ",
    " ",
    " ",
    "a",
    "'",
    "'",
    '"',
    '"',
    "\\",
  ],
  ...[
    "*",
    "?",
    "[.]",
    "[e]",
    "{",
    ",",
    "}",
    '"$PWD/',
    '"$PWD"/',
    "$PWD/",
    "~",
    "< ",
    "-f",
    "-f ",
    "--file=",
    "-r ",
    "--include=",
    "-- ",
  ],
  ...[" | cat", " && cat ", "; cat ", "\n", "#", "$(pwd)/", "git-link/../", "nested/../"],
];

const STARTS = ["ls", "cat", "sort", "find .", "printf", "test", "git log", "npm test", "grep a", "head"];
const RANDOM_RULES = STARTS.map((start) => `bash(${start.replace(/ [.a]$/, "")}:*)`);

const PIECES = [
  ..."'\"\\`(){} \n;&|<>#!*~[],=-aE\t?@+%^:$".split(""),
  ...[
    "$(",
    ")",
    " ",
    " ",
    " ",
    "make",
    "make",
    "make ",
    "ls ",
    "cat ",
    "sort ",
    "-o ",
    "evil",
    ">evil",
    "sh -c ",
    "eval ",
  ],
  ...["<<E\n", "\nE\n", "<<'E'\n", "<<<", "$x", "${x}", "${x:-", "$'", '$"', "\\\n", "\\'", '\\"', "\\\\", "\\`", "$@"],
  ...["if ", "then ", "fi", "for f in ", "do ", "done", "case a in ", "a) ", ";;", "esac", "$((", "))", "&&", "||"],
  ...[
    "env ",
    "xargs ",
    "-exec ",
    "\\;",
    "{}",
    "nice ",
    "timeout 5 ",
    "time ",
    "echo ",
    "x=",
    "--",
    "{a,",
    "}",
    "1>&2 ",
  ],
  ...[
    "&>",
    "|&",
    ">&",
    "2>&1 ",
    ">/dev/null ",
    ">|",
    "<>",
    "<(",
    "[[ ",
    " ]]",
    "! ",
    "CI=1 ",
    "LC_ALL=C ",
    "cd src && ",
  ],
  ...[
    "cd . && ",
    '"$PWD"',
    '"$HOME"',
    "$(pwd)",
    "$?",
    "~/",
    "./*",
    "src/*",
    "*.ts",
    "-*",
    "command ",
    "exec ",
    "builtin ",
  ],
  ..."\r\v\f\u00a0\u2028".split(""),
  ...[
    "-m \"$(cat <<'E'\n",
    '\nE\n)"',
    "# ",
    "\n",
    "--output=evil ",
    "-oevil ",
    "alias ls=make\n",
    "f() { ",
    "coproc ",
    "set -- ",
  ],
];

function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}
