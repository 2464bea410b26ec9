/** From a simple command to what it really runs: behind `env`, `xargs`, `sudo`, `sh -c`, `find -exec` and the like. */
import { ANY_WORD, type FoundInLine, NotUnderstood, type ShellCommand, type ShellWord } from "./shell-line.js";

export interface UnwrapOptions {
  readonly found: FoundInLine;
  /** Commands around this one. */
  readonly depth: number;
  /** Reads a command line inside the line. */
  readonly parse: (line: string) => void;
  /** Notes what is in a text that may be run: rules against it hold. */
  readonly glance: (line: string) => void;
}

const DEEPEST = 20;
/** Of a command that runs one of its words: more are not gone through. */
const MOST_WORDS = 100;

/** Do nothing but give a status or print their words. Free: the rest of the line decides. */
const FREE = new Set(["true", "false", ":", "exit", "break", "continue", "return", "echo", "pwd"]);
/** Built-ins that change what later commands of the line mean. */
const CHANGING = new Set(
  (
    "alias unalias source . export declare typeset local readonly unset set shopt enable hash trap bind complete " +
    "compgen let mapfile readarray read getopts fc history pushd popd dirs coproc logout suspend"
  ).split(" "),
);
/** Variables that only change how programs print or name the kind of run. */
const QUIET_VARIABLE =
  /^(CI|NODE_ENV|FORCE_COLOR|NO_COLOR|COLUMNS|LINES|LANG|LC_[A-Z]+|RUST_BACKTRACE|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE)$/;
/** Names people give to variables of a line. */
const OWN_VARIABLE = /^[a-z][a-z0-9]{0,15}$/;
const NOT_OWN = new Set(["path", "fpath", "cdpath", "manpath", "histchars", "home", "shell", "prompt"]);
const ASSIGNMENT = /^([A-Za-z_]\w*)\+?=/;

/** Adds a simple command, or what it runs, to what was found. Throws `NotUnderstood`. */
export function addCommand(all: ShellCommand, options: UnwrapOptions): void {
  if (options.depth > DEEPEST) throw new NotUnderstood("it is nested too deeply");
  const words = withoutAssignments(all);
  const [name] = words;
  if (name === undefined) return;
  const { found } = options;
  if (!name.literal) {
    found.unknown.push("the name of a command is only known when it runs");
    return;
  }
  if (!/^[\w./+@:%,[\]-]+$/.test(name.text)) {
    found.unknown.push("the name of a command contains unusual characters");
    return;
  }
  const base = baseName(name.text);
  if (base === name.text && FREE.has(base)) {
    found.wrappers.push(words);
    return;
  }
  if (CHANGING.has(base)) found.unknown.push(`${base} changes what later commands do`);
  const unwrap = WRAPPERS[base];
  // A program of that name in some folder is not the one that is known here.
  if (unwrap === undefined || base !== name.text) found.commands.push(words);
  else found.wrappers.push(words);
  if (RUNNERS.has(base)) addWordsThatRun(words, options);
  unwrap?.(words, options);
}

function addWordsThatRun(words: ShellCommand, { found, glance }: UnwrapOptions): void {
  if (words.length > MOST_WORDS) throw new NotUnderstood("it has very many words");
  for (let at = 1; at < words.length; at++) found.wrappers.push(words.slice(at));
  glanceAtWords(words, glance);
}

/** `watch 'rm a'`: words that are command lines themselves. */
function glanceAtWords(words: ShellCommand, glance: UnwrapOptions["glance"]): void {
  for (const { literal, text } of words.slice(1, MOST_WORDS)) if (literal && /[\s;&|]/.test(text)) glance(text);
}

interface VariableOptions {
  /** What is assigned; undefined for the variable of a loop. */
  readonly value?: string;
  /** A command gets it: programs such as `make` take any variable. */
  readonly isPassed?: boolean;
}

/** Whether a variable may be set. Throws `NotUnderstood` if it can change what programs do. */
export function checkVariable(word: ShellWord, { value, isPassed = false }: VariableOptions = {}): void {
  const name = value === undefined ? word.text : (ASSIGNMENT.exec(word.text)?.[1] ?? "");
  const isOwn = OWN_VARIABLE.test(name) && !NOT_OWN.has(name);
  if (isOwn && !isPassed && (value !== undefined || word.literal)) return;
  if (QUIET_VARIABLE.test(name) && word.literal && /^[\w.@:+,-]*$/.test(value ?? "")) return;
  throw new NotUnderstood(`it sets ${/^\w+$/.test(name) ? name : "a variable"}, which can change what programs do`);
}

/** Whether this command only runs others: a rule for what it runs is enough, and needed. */
export function isWrapper(name: string): boolean {
  return TRANSPARENT.has(name);
}

export function baseName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

function withoutAssignments(words: ShellCommand): ShellCommand {
  const names = words.map((word) => ASSIGNMENT.exec(word.text.slice(0, word.plain))?.[0]);
  const first = names.indexOf(undefined);
  const isPassed = first >= 0;
  const end = isPassed ? first : words.length;
  for (const [at, word] of words.slice(0, end).entries()) {
    checkVariable(word, { value: word.text.slice(names[at]?.length), isPassed });
  }
  return words.slice(end);
}

type Unwrap = (words: ShellCommand, options: UnwrapOptions) => void;

const SHELLS = ["sh", "bash", "dash", "zsh", "ksh", "ash"];
/** Run one of their words. A rule may allow them; a rule against what they run holds all the same. */
const RUNNERS = new Set(
  (
    "sudo doas su pkexec sg watch parallel script strace ltrace gdb valgrind perf hyperfine unshare nsenter chroot setpriv " +
    "flock entr busybox toybox runuser systemd-run screen tmux expect rlwrap docker podman npx bunx pnpx ssh at crontab " +
    "direnv poetry pipenv conda uv pipx bundle mise asdf nix-shell concurrently nodemon cross-env dotenv xvfb-run fakeroot " +
    "faketime proxychains torsocks ionice taskset numactl prlimit chrt unbuffer setarch linux32 linux64 start-stop-daemon"
  ).split(" "),
);

const WRAPPERS: Readonly<Record<string, Unwrap>> = {
  __proto__: null as never,
  ...Object.fromEntries(SHELLS.map((name) => [name, unwrapShell])),
  env: (words, options) => {
    let at = 1;
    while (isOption(words[at], ["-i", "-", "--ignore-environment"])) at++;
    const inner = words.slice(at);
    if (inner[0] === undefined) options.found.commands.push(words);
    else if (inner[0].start.startsWith("-")) unknownOption("env");
    else addCommand(asAssignments(inner), { ...options, depth: options.depth + 1 });
  },
  nice: (words, options) => {
    const [, first, second] = words;
    const isNumber = /^[+-]?\d+$/.test(literalText(second));
    const adjusted = literalText(first) === "-n" && isNumber ? 3 : /^-(n|-?)\d+$/.test(literalText(first)) ? 2 : 1;
    addInner(words.slice(adjusted), "nice", options);
  },
  timeout: (words, options) => {
    let at = 1;
    for (;;) {
      const text = literalText(words[at]);
      if (/^(--foreground|--preserve-status|-v|--verbose|--(signal|kill-after)=[\w.]+|-[sk]\w+)$/.test(text)) at++;
      else if (/^-[sk]$/.test(text) && /^[\w.]+$/.test(literalText(words[at + 1]))) at += 2;
      else break;
    }
    if (!/^[\d.]+[smhd]?$/.test(literalText(words[at]))) unknownOption("timeout");
    addInner(words.slice(at + 1), "timeout", options);
  },
  nohup: (words, options) => addInner(words.slice(1), "nohup", options),
  setsid: (words, options) => addInner(words.slice(1), "setsid", options),
  time: (words, options) => addInner(words.slice(literalText(words[1]) === "-p" ? 2 : 1), "time", options),
  stdbuf: (words, options) => {
    let at = 1;
    while (/^-[ioe][0L]$/.test(literalText(words[at]))) at++;
    addInner(words.slice(at), "stdbuf", options);
  },
  command: (words, options) => {
    if (isOption(words[1], ["-v", "-V"])) options.found.commands.push(words);
    else addInner(words.slice(1), "command", options);
  },
  builtin: (words, options) => addInner(words.slice(1), "builtin", options),
  exec: (words, options) => {
    if (words.length > 1) addInner(words.slice(1), "exec", options);
  },
  eval: (words, options) => {
    const rest = words.slice(1);
    if (rest.some(({ literal }) => !literal)) throw new NotUnderstood("eval runs text that is only known when it runs");
    options.parse(rest.map(({ text }) => text).join(" "));
  },
  xargs: unwrapXargs,
  sudo: (words, options) => {
    options.found.commands.push(words);
    let at = 1;
    while (isOption(words[at], ["-n", "-E", "-H", "-S", "-k", "--"])) at++;
    addInner(words.slice(at), "sudo", options);
  },
  doas: (words, options) => {
    options.found.commands.push(words);
    addInner(words.slice(literalText(words[1]) === "-n" ? 2 : 1), "doas", options);
  },
  find: unwrapFind,
  tee: (words, { found }) => {
    found.commands.push(words);
    const end = words.findIndex(({ text }) => text === "--");
    for (const [at, word] of words.entries()) {
      const isOption = word.literal && /^-[ai]+$|^--/.test(word.text) && (end < 0 || at <= end);
      if (at > 0 && !isOption) found.writes.push(word);
    }
  },
  cd: (words, { found }) => {
    found.commands.push(words);
    const [, target] = words;
    const isClear = words.length === 2 && target?.literal === true && !target.text.startsWith("-");
    if (!isClear || target.text === "" || found.movedTo !== undefined) {
      throw new NotUnderstood("it goes to a folder that is only known when it runs");
    }
    found.movedTo = target;
    found.reads.push(target);
  },
  git: unwrapGit,
  test: (words, { found }) => addTest(words, found),
  "[": (words, { found }) => addTest(words, found),
};

const TRANSPARENT = new Set([
  "env",
  "nice",
  "timeout",
  "nohup",
  "setsid",
  "time",
  "stdbuf",
  "builtin",
  "exec",
  "eval",
  "xargs",
]);

/** A comparison is free if all of it is written out. `-v` and `-R` evaluate what they are given. */
function addTest(words: ShellCommand, found: FoundInLine): void {
  if (words.some(({ literal, text }) => !literal || text === "-v" || text === "-R")) found.commands.push(words);
}

function unwrapShell(words: ShellCommand, { found, parse, glance }: UnwrapOptions): void {
  let at = 1;
  while (words[at]?.literal === true && /^-[eux]+$/.test(words[at]?.text ?? "")) at++;
  if (words[at]?.literal !== true || !/^-[eux]*c[eux]*$/.test(words[at]?.text ?? "")) {
    found.commands.push(words);
    glanceAtWords(words, glance);
    return;
  }
  const script = words[at + 1];
  if (script?.literal !== true) throw new NotUnderstood("a shell runs text that is only known when it runs");
  parse(script.text);
}

const XARGS_FLAGS = /^-[0rtx]+$|^--(null|no-run-if-empty|verbose|exit)$|^-[nPLs]\d+$|^--(max-\w+|delimiter)=\w+$/;

function unwrapXargs(words: ShellCommand, options: UnwrapOptions): void {
  let at = 1;
  let replaced: string | undefined;
  for (; words[at]?.start.startsWith("-") === true; at++) {
    const { text, literal } = words[at] as ShellWord;
    if (!literal) unknownOption("xargs");
    if (XARGS_FLAGS.test(text)) continue;
    const next = words[at + 1];
    if (/^-[nPLsd]$/.test(text) && next?.literal === true) at++;
    else if (text === "-I" && next?.literal === true && next.text !== "") {
      replaced = next.text;
      at++;
    } else if (/^-I./.test(text)) replaced = text.slice(2);
    else unknownOption("xargs");
  }
  const inner = words.slice(at);
  if (inner.length === 0) return;
  addInner(replaced === undefined ? [...inner, ANY_WORD] : inner.map(holding(replaced)), "xargs", options);
}

/** A word with this text in it becomes something that is not known here. */
function holding(replaced: string): (word: ShellWord) => ShellWord {
  return (word) => {
    const at = word.text.indexOf(replaced);
    return at < 0 ? word : { ...word, literal: false, start: word.start.slice(0, at) };
  };
}

const FIND_RUNS = ["-exec", "-execdir", "-ok", "-okdir"];

function unwrapFind(words: ShellCommand, options: UnwrapOptions): void {
  const { found } = options;
  found.commands.push(words);
  for (let at = 1; at < words.length; at++) {
    const { text } = words[at] as ShellWord;
    if (text === "-delete") found.writes.push(ANY_WORD);
    else if (/^-f(print0?|printf|ls)$/.test(text)) found.writes.push(words[at + 1] ?? ANY_WORD);
    else if (FIND_RUNS.includes(text)) {
      const length = words.slice(at + 1).findIndex((word) => word.literal && (word.text === ";" || word.text === "+"));
      if (length < 0) throw new NotUnderstood("it is not complete");
      if (text.endsWith("dir")) found.unknown.push("it runs a command in other folders");
      addInner(words.slice(at + 1, at + 1 + length).map(holding("{}")), "find", options);
      at += length + 1;
    }
  }
}

/** One `-C` goes to another folder, and a pager is of no interest; other options stay and are part of the command. */
function unwrapGit(words: ShellCommand, { found }: UnwrapOptions): void {
  let at = 1;
  let folder: ShellWord | undefined;
  for (;;) {
    const text = words[at]?.text;
    const next = words[at + 1];
    if (isOption(words[at], ["--no-pager", "-P"])) at++;
    else if (text === "-C" && next?.literal === true && folder === undefined && found.movedTo === undefined) {
      folder = next;
      at += 2;
    } else break;
  }
  if (folder !== undefined) found.reads.push(folder);
  found.commands.push([words[0] as ShellWord, ...words.slice(at)]);
}

function addInner(words: ShellCommand, wrapper: string, options: UnwrapOptions): void {
  const [first] = words;
  if (first === undefined) throw new NotUnderstood("it is not complete");
  if (first.start.startsWith("-")) unknownOption(wrapper);
  // Behind a wrapper there are no assignments; `env` has its own.
  if (ASSIGNMENT.test(first.text)) throw new NotUnderstood(`it sets a variable behind ${wrapper}`);
  addCommand(words, { ...options, depth: options.depth + 1 });
}

/** Empty for a word that the shell makes something else of. */
function literalText(word: ShellWord | undefined): string {
  return word?.literal === true ? word.text : "";
}

/** For `env`, an assignment is one whether it is quoted or not. */
function asAssignments(words: ShellCommand): ShellCommand {
  return words.map((word) => ({ ...word, plain: word.start.length }));
}

function isOption(word: ShellWord | undefined, options: readonly string[]): boolean {
  return word?.literal === true && options.includes(word.text);
}

function unknownOption(wrapper: string): never {
  throw new NotUnderstood(`it uses an option of ${wrapper} that is not known`);
}
