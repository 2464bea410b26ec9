/**
 * What `:*` does not stand for. A rule for `git log` or `sort` is meant for reading; the same programs have options that
 * run another program, load code, or write a file. Such an option asks, unless the rule itself spells it out.
 */
import type { ShellCommand, ShellWord } from "../shell/shell-line.js";

interface Limits {
  /** Long options, without dashes. Their abbreviations count too. */
  readonly long?: readonly string[];
  /** Letters of short options, also in a cluster. */
  readonly short?: string;
  /** Anything else about the words that `:*` would stand for. */
  readonly refuses?: (rest: ShellCommand, all: ShellCommand) => boolean;
}

const NODE_MANAGER: Limits = {
  long: words(
    "script-shell prefix node-options userconfig globalconfig shell call cwd dir editor viewer git init-module use-node-version",
  ),
  short: "Cc",
};
const TEST_RUNNER: Limits = { long: words("config root dir outputfile globalsetup reporter reporters"), short: "cr" };

const LIMITS: Readonly<Record<string, Limits>> = {
  __proto__: null as never,
  sort: { long: words("output compress-program"), short: "oT" },
  rg: { long: words("pre hostname-bin") },
  npm: NODE_MANAGER,
  pnpm: NODE_MANAGER,
  yarn: NODE_MANAGER,
  bun: { long: words("preload config cwd define eval print"), short: "rce" },
  node: {
    long: words("eval print require import loader experimental-loader env-file test-reporter-destination"),
    short: "epr",
  },
  deno: { long: words("config import-map allow-all allow-run preload"), short: "cA" },
  python: { short: "cmi" },
  python3: { short: "cmi" },
  tsc: {
    long: words("outdir outfile declarationdir tsbuildinfofile project build generatetrace generatecpuprofile"),
    short: "pb",
  },
  eslint: {
    long: words("config plugin rulesdir resolve-plugins-relative-to output-file parser format fix cache-location"),
    short: "cof",
  },
  prettier: { long: words("write plugin config"), short: "w" },
  biome: { long: words("write fix apply apply-unsafe config-path") },
  vitest: TEST_RUNNER,
  jest: TEST_RUNNER,
  pytest: { long: words("rootdir confcutdir basetemp pdbcls config-file junitxml override-ini"), short: "pco" },
  cargo: { long: words("config manifest-path target-dir"), short: "CZ" },
  go: { long: words("exec toolexec vettool overlay modfile o C ldflags gcflags"), short: "oC" },
  make: {
    long: words("file makefile directory eval include-dir"),
    short: "fCI",
    refuses: (rest) => rest.some(({ text }) => text.includes("=")),
  },
  tar: {
    long: words("to-command checkpoint-action use-compress-program rsh-command info-script new-volume-script"),
    short: "IF",
  },
  curl: {
    long: words(
      "output output-dir remote-name remote-name-all config dump-header cookie-jar trace trace-ascii upload-file libcurl",
    ),
    short: "oOKTDc",
  },
  wget: {
    long: words("output-document output-file post-file use-askpass execute config directory-prefix"),
    short: "OoePa",
  },
  ssh: { short: "oFLRDE" },
  scp: { short: "oFS" },
  rsync: { long: words("rsh rsync-path"), short: "e" },
  man: { long: words("pager html config-file"), short: "PHC" },
  less: {
    long: words("log-file lesskey-src lesskey-file"),
    short: "oOk",
    refuses: (rest) => rest.some(({ start }) => start.startsWith("+")),
  },
  tree: { long: words("output"), short: "o" },
  date: { long: words("set"), short: "s" },
  file: { long: words("compile"), short: "C" },
  yq: { long: words("inplace split-exp"), short: "is" },
  fd: { long: words("exec exec-batch"), short: "xX" },
  fdfind: { long: words("exec exec-batch"), short: "xX" },
  ag: { long: words("pager") },
  ack: { long: words("pager output") },
  bat: { long: words("pager") },
  split: { long: words("filter") },
  zip: { long: words("unzip-command"), short: "T" },
  printf: { short: "v" },
  test: { short: "vR" },
  "[": { short: "vR" },
  command: { refuses: (rest) => rest.some(({ literal }) => !literal) },
  find: { long: words("files0-from") },
  // Their second file is written to.
  uniq: { refuses: (rest) => operands(rest).length > 1 },
  xxd: { refuses: (rest) => operands(rest).length > 1 },
  git: {
    long: words(
      "output output-directory upload-pack receive-pack exec exec-path open-files-in-pager ext-diff textconv git-dir work-tree config config-env template extcmd tool",
    ),
    short: "Ox",
    refuses: refusesGit,
  },
  sed: { refuses: (rest, all) => refusesSed(rest.length === all.length - 1 ? rest : all.slice(1)) },
  awk: { refuses: (_, all) => refusesAwk(all.slice(1)) },
  gawk: { refuses: (_, all) => refusesAwk(all.slice(1)) },
  mawk: { refuses: (_, all) => refusesAwk(all.slice(1)) },
};

/** Whether the words after the first `fixed` ones are what a rule that ends in `:*` stands for. */
export function wildcardCovers(command: ShellCommand, fixed: number): boolean {
  const limits = LIMITS[command[0]?.text ?? ""];
  if (limits === undefined) return true;
  const rest = command.slice(fixed);
  const end = rest.findIndex(({ literal, text }) => literal && text === "--");
  const options = end < 0 ? rest : rest.slice(0, end);
  if (options.some((word) => isLimited(word, limits))) return false;
  return limits.refuses?.(rest, command) !== true;
}

function isLimited(word: ShellWord, { long = [], short = "" }: Limits): boolean {
  // It could become one of the options.
  if (!word.literal) return word.start === "" || word.start.startsWith("-");
  const [, dashes = "", name = ""] = /^(--?)([^=]*)/.exec(word.text) ?? [];
  if (dashes === "" || name === "") return false;
  const plain = name.toLowerCase().replaceAll("_", "-");
  if (dashes === "--") return long.some((option) => option.startsWith(plain));
  return long.includes(plain) || [...name].some((letter) => short.includes(letter));
}

const GIT_COMMANDS = new Set(
  words(
    "status diff log show branch tag add commit fetch pull push checkout switch restore stash merge rebase cherry-pick revert reset rm mv ls-files ls-tree ls-remote rev-parse rev-list describe blame grep shortlog reflog cat-file merge-base name-rev worktree remote",
  ),
);

/** Other names could be aliases, which run anything; options before the name can set one up. */
function refusesGit(rest: ShellCommand, all: ShellCommand): boolean {
  const name = all[1];
  if (name === undefined) return false;
  if (rest.length === all.length - 1 && (!name.literal || !GIT_COMMANDS.has(name.text))) return true;
  // An address such as ext::sh runs a program.
  return rest.some(({ text }) => text.includes("::"));
}

const SED_SCRIPT = /^(?:(?:\d+|\$)(?:,(?:\d+|\$))?)?[pdq=]$|^s([/|#,@])[^\n/|#,@\\]*\1[^\n/|#,@\\]*\1[gIp\d]*$/;

/** Scripts of sed can run commands and write files: only printing, deleting and simple replacing on the way is known. */
function refusesSed(rest: ShellCommand): boolean {
  const script = rest.find(({ start, literal }) => !literal || !start.startsWith("-"));
  if (script === undefined) return false;
  const isPlain = rest.every(({ literal, text }) => !literal || !text.startsWith("-") || /^-[nErsuz]+$/.test(text));
  const isSafe = rest.every(({ literal, start }) => literal || (start !== "" && !start.startsWith("-")));
  return !isPlain || !isSafe || !script.literal || !SED_SCRIPT.test(script.text);
}

/** The same for awk: no files, pipes or commands, and only options that set a value. */
function refusesAwk(rest: ShellCommand): boolean {
  let at = 0;
  for (; rest[at]?.text.startsWith("-") === true; at++) {
    const { text, literal } = rest[at] as ShellWord;
    if (!literal || !/^-[Fv]/.test(text)) return true;
    if (text.length === 2) at++;
  }
  const program = rest[at];
  if (program === undefined) return false;
  const others = rest.slice(at + 1);
  if (others.some(({ literal, start }) => !literal && (start === "" || start.startsWith("-")))) return true;
  return !program.literal || /system|getline|[|>@`]|\bload\b/.test(program.text);
}

function operands(rest: ShellCommand): ShellCommand {
  return rest.filter(({ literal, text }) => !literal || !text.startsWith("-") || text === "-");
}

function words(list: string): readonly string[] {
  return list.split(" ");
}
