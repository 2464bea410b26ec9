/**
 * What `:*` does not stand for. A rule for `git log` or `sort` is meant for reading; the same programs have options that
 * run another program, load code, or write a file. Such an option asks, unless the rule itself spells it out.
 */
import type { ShellCommand, ShellWord } from "../shell/shell-line.js";
import { baseName } from "../shell/unwrap-command.js";

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
    long: words(
      "eval print require import loader experimental-loader env-file env-file-if-exists test-reporter test-global-setup test-reporter-destination experimental-config-file experimental-default-config-file redirect-warnings openssl-config build-snapshot snapshot-blob diagnostic-dir report-dir report-filename cpu-prof-dir heap-prof-dir trace-event-file-pattern inspect inspect-brk",
    ),
    short: "epr",
  },
  deno: { long: words("config import-map allow-all allow-run preload"), short: "cA" },
  python: { short: "cmipo" },
  python3: { short: "cmipo" },
  tsc: {
    refuses: hasFileOfOptions,
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
  pytest: {
    long: words("rootdir confcutdir basetemp pdbcls config-file junitxml override-ini"),
    short: "pco",
    refuses: hasFileOfOptions,
  },
  cargo: { long: words("config manifest-path target-dir"), short: "CZ" },
  go: { long: words("exec toolexec vettool overlay modfile o C ldflags gcflags"), short: "oC" },
  make: {
    long: words("file makefile directory eval include-dir"),
    short: "fCIE",
    refuses: (rest) => rest.some(({ text }) => text.includes("=")),
  },
  tar: {
    long: words(
      "to-command checkpoint-action use-compress-program rsh-command rmt-command info-script new-volume-script files-from index-file",
    ),
    short: "IFT",
    // `tar cIf`: its first word needs no dash.
    refuses: (_, all) => all[1]?.literal !== true || /^[A-Za-z]*[IFT]/.test(all[1].text),
  },
  curl: {
    long: words(
      "output output-dir remote-name remote-name-all config dump-header cookie-jar trace trace-ascii upload-file libcurl write-out etag-save hsts alt-svc stderr engine",
    ),
    short: "oOKTDcwJ",
  },
  wget: {
    long: words(
      "output-document output-file append-output post-file body-file use-askpass execute config directory-prefix save-cookies rejected-log warc-file",
    ),
    short: "OoePa",
  },
  ssh: { short: "oFLRDEIJS" },
  scp: { short: "oFSJD" },
  rsync: {
    long: words("rsh rsync-path remote-option config daemon server log-file write-batch only-write-batch read-batch"),
    short: "eM",
  },
  man: { long: words("pager html config-file preprocessor gxditview troff-device"), short: "PHCpXT" },
  less: {
    long: words("log-file lesskey-src lesskey-file lesskey-content"),
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
  shuf: { long: words("output"), short: "o" },
  iconv: { long: words("output"), short: "o" },
  sdiff: { long: words("output diff-program"), short: "o" },
  diff3: { long: words("diff-program") },
  xmllint: { long: words("output"), short: "o" },
  kubectl: { long: words("kubeconfig") },
  zip: { long: words("unzip-command"), short: "T" },
  printf: { short: "v" },
  test: { short: "vR" },
  "[": { short: "vR" },
  command: { refuses: (rest) => rest.some(({ literal }) => !literal) },
  find: { long: words("files0-from") },
  uniq: { refuses: hasSecondFile },
  xxd: { refuses: hasSecondFile },
  git: {
    long: words(
      "output output-directory upload-pack receive-pack exec exec-path open-files-in-pager ext-diff textconv git-dir work-tree config config-env template extcmd tool",
    ),
    short: "Ox",
    refuses: refusesGit,
  },
  sed: { refuses: (rest, all) => refusesSed(rest.length === all.length - 1 ? rest : all.slice(1)) },
  ...Object.fromEntries(
    words("awk gawk mawk nawk").map((name) => [
      name,
      { refuses: (_: ShellCommand, all: ShellCommand) => refusesAwk(all.slice(1)) },
    ]),
  ),
};
/** Git's commands that look for `--` before anything else. */
const GIT_READERS = words("log diff show");

/** Whether the words after the first `fixed` ones are what a rule that ends in `:*` stands for. */
export function wildcardCovers(command: ShellCommand, fixed: number): boolean {
  const name = baseName(command[0]?.text ?? "");
  const limits = LIMITS[name];
  if (limits === undefined) return true;
  const rest = command.slice(fixed);
  const options = rest.slice(0, Math.max(0, endOfOptions(command, name) - fixed));
  if (options.some((word) => isLimited(word, limits))) return false;
  return limits.refuses?.(rest, command) !== true;
}

/** The index of `--`, or the length. Right after an option it may be the value of that option. */
function endOfOptions(command: ShellCommand, name: string): number {
  const end = command.findIndex(({ literal, text }) => literal && text === "--");
  if (end < 0) return command.length;
  const before = command[end - 1];
  if (before?.literal === true && !before.text.startsWith("-")) return end;
  return name === "git" && GIT_READERS.includes(command[1]?.text ?? "") ? end : command.length;
}

/** Whether a word could become an option. */
function mayBeOption({ literal, start, splits }: ShellWord): boolean {
  return !literal && (splits || start === "" || start.startsWith("-"));
}

function isLimited(word: ShellWord, { long = [], short = "" }: Limits): boolean {
  if (!word.literal) return mayBeOption(word);
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
  return !isPlain || rest.some(mayBeOption) || !script.literal || !SED_SCRIPT.test(script.text);
}

/** The same for awk: no files, pipes or commands, and only options that set a value. */
function refusesAwk(rest: ShellCommand): boolean {
  let at = 0;
  for (; rest[at]?.text.startsWith("-") === true; at++) {
    const { text, literal } = rest[at] as ShellWord;
    if (!literal || !/^-[Fv]/.test(text)) return true;
    if (text.length > 2) continue;
    at++;
    if (rest[at]?.literal === false) return true;
  }
  const program = rest[at];
  if (program === undefined) return false;
  const others = rest.slice(at + 1);
  if (others.some((word) => mayBeOption(word) || /^-./.test(word.text))) return true;
  return !program.literal || /system|getline|extension|[|>@`]|\bload\b/.test(program.text);
}

/** It is written to. A pattern may become two names. */
function hasSecondFile(rest: ShellCommand): boolean {
  const files = rest.filter(({ literal, text }) => !literal || !text.startsWith("-") || text === "-");
  return files.length > 1 || files.some(({ literal }) => !literal) || rest.some(({ text }) => text === "--");
}

/** `@name`: more options are in that file. */
function hasFileOfOptions(rest: ShellCommand): boolean {
  return rest.some(({ start }) => start.startsWith("@"));
}

function words(list: string): readonly string[] {
  return list.split(" ");
}
