/**
 * Parses a small, safe subset of the shell language: simple commands of literal words, joined by `&&`, `||`, `;`, `|`
 * or newlines, with redirections to literal file names. Everything else is uncertain, and then no rule allows the line.
 */
import { visibleText } from "@bough/session/text/index.js";
import { knownProgram } from "../program/covers.js";
import { plainGit } from "../program/git.js";
import { filesRead } from "../program/readers.js";
import { glance, glanceAtCommand } from "./glance.js";
import { BUILT_INS, FREE, HARMLESS_BUILT_INS, KEYWORDS, RUN_WORDS, SHELLS } from "./known-commands.js";
import { type ReadWord, readWord, type Source } from "./read-word.js";
import {
  baseName,
  type GlancedCommand,
  NotCertain,
  type ShellCommand,
  type ShellFacts,
  type ShellLine,
  type ShellWord,
} from "./shell-line.js";

const LONGEST_LINE = 20_000;
const DEEPEST = 3;
const MOST_WORDS = 2000;
const MOST_COMMANDS = 100;
/** Unicode spaces look like word separators, but are not. */
const STRANGE_SPACE = /[^\S \t\n]/u;
const NAME = /^[\w./+@:%,[-]+$/;
const ASSIGNMENT = /^([A-Za-z_]\w*)(\+?=)/;
/** Variables that only affect how programs print, or name the kind of run. */
const QUIET_VARIABLE =
  /^(?:(?:CI|NODE_ENV|FORCE_COLOR|NO_COLOR|COLUMNS|LINES|RUST_BACKTRACE|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE)=[\w.@:+,-]*|(?:LANG|LC_[A-Z]+)=(?:(?:C|POSIX|[a-z]{2}_[A-Z]{2})(?:\.(?:UTF-8|utf-?8))?)?)$/;
const SAFE_TARGET = /^\/dev\/(?:null|stdout|stderr)$/;
/** An option whose value is a message. */
const MESSAGE_OPTION = /^-[A-Za-z]*m$|^--(?:message|body|notes)$/;

interface Found {
  readonly commands: ShellCommand[];
  readonly free: ShellCommand[];
  readonly glanced: GlancedCommand[];
  readonly writes: ShellWord[];
  readonly glancedWrites: ShellWord[];
  readonly reads: ShellWord[];
  readonly unknown: string[];
  readonly opaque: string[];
  folder?: ShellWord;
  mayStay: boolean;
}

/** Parses a whole command line. Never throws, and accesses neither processes nor files. */
export function parseShell(text: string, facts: ShellFacts): ShellLine {
  const found = empty();
  if (text.length > LONGEST_LINE) return { ...found, unknown: ["it is too long"] };
  try {
    if (visibleText(text).hidden.length > 0 || STRANGE_SPACE.test(text)) {
      throw new NotCertain("it contains hidden characters");
    }
    new LineParser(text, { facts, found, depth: 0 }).line();
    if (found.folder !== undefined && /\$\{?PWD|\$\(pwd\)/.test(text)) {
      throw new NotCertain("it refers to its new folder with a variable");
    }
    const texts: string[] = [];
    for (const { words, input } of found.commands) {
      if (isReading(words)) continue;
      found.glanced.push(...glanceAtCommand(words, texts));
      if (input !== "none" && runsInput(words)) found.opaque.push("it contains a shell that runs its input");
    }
    if (found.commands.some(({ words }) => SHELLS.has(baseName(words[0]?.text ?? "")))) {
      // What is printed may be piped to a shell: `echo rm a | sh`.
      texts.push(...found.free.map(({ words }) => textOf(words.slice(1))));
    }
    for (const text of texts) {
      const seen = glance(text);
      found.glanced.push(...seen.commands);
      found.glancedWrites.push(...seen.writes);
    }
    return found;
  } catch (error) {
    if (!(error instanceof NotCertain)) throw error;
    const seen = glance(text);
    const unknown = [error.message];
    return { ...empty(), glanced: seen.commands, writes: seen.writes, reads: seen.reads, mayStay: true, unknown };
  }
}

/** Whether it may be a shell, possibly after `sudo`, that runs its standard input. */
function runsInput(words: readonly ShellWord[]): boolean {
  const [first = "", ...rest] = words.map(({ text }) => baseName(text));
  if (/^(?:at|batch)$/.test(first)) return true;
  return SHELLS.has(first) || (RUN_WORDS.has(first) && rest.some((name) => SHELLS.has(name)));
}

function textOf(words: readonly ShellWord[]): string {
  return words.map(({ text }) => text).join(" ");
}

/** Whether it is a program that only reads, with options known to keep it that way. */
export function isReading(words: readonly ShellWord[]): boolean {
  const known = knownProgram(words);
  if (known === undefined) return false;
  const { reader, length } = known;
  return reader !== undefined && filesRead(reader, words.slice(length)) !== undefined;
}

function empty(): Found {
  return {
    commands: [],
    free: [],
    glanced: [],
    writes: [],
    glancedWrites: [],
    reads: [],
    unknown: [],
    opaque: [],
    mayStay: false,
  };
}

interface ParserOptions {
  readonly facts: ShellFacts;
  readonly found: Found;
  /** Number of `sh -c` around this line. */
  readonly depth: number;
}

interface SimpleCommand {
  readonly words: readonly ReadWord[];
  readonly input: ShellCommand["input"];
  /** Whether it has redirections to or from files. */
  readonly redirects: boolean;
}

class LineParser {
  readonly #source: Source;
  readonly #options: ParserOptions;
  /** The delimiter of the here-document that starts after this line. */
  #document: string | undefined;

  constructor(text: string, options: ParserOptions) {
    this.#source = { text, at: 0 };
    this.#options = options;
  }

  line(): void {
    let before = "";
    for (let count = 0; ; count++) {
      this.#skipLines();
      if (this.#source.at >= this.#source.text.length) {
        if (before !== "" && before !== ";" && before !== "\n") throw new NotCertain("it is not complete");
        if (count === 0) throw new NotCertain("it is empty");
        return;
      }
      if (count > MOST_COMMANDS) throw new NotCertain("it has too many commands");
      const command = this.#command(before.startsWith("|") && before !== "||");
      const next = this.#connector();
      addCommand(command, { ...this.#options, next, isFirst: count === 0 });
      if (next === "") return;
      before = next;
    }
  }

  #command(isPiped: boolean): SimpleCommand {
    const words: ReadWord[] = [];
    const { facts, found } = this.#options;
    const before = found.reads.length + found.writes.length;
    let input: ShellCommand["input"] = isPiped ? "pipe" : "none";
    for (let any = false; ; any = true) {
      this.#skipBlanks();
      const redirected = this.#redirection();
      if (redirected !== undefined) {
        if (redirected === "input") input = "given";
        continue;
      }
      const word = this.#word({
        facts,
        printed: words[0]?.text === "echo",
        message: MESSAGE_OPTION.test(words.at(-1)?.text ?? ""),
      });
      if (word === undefined) {
        if (!any) throw new NotCertain("it is not complete");
        return { words, input, redirects: found.reads.length + found.writes.length > before };
      }
      words.push(word);
      if (words.length > MOST_WORDS) throw new NotCertain("it has too many words");
    }
  }

  /** Consumes the operator before the next command; empty at the end. */
  #connector(): string {
    const { text, at } = this.#source;
    if (at >= text.length) {
      if (this.#document !== undefined) throw new NotCertain("a here-document is not closed");
      return "";
    }
    if (text[at] === "\n") return this.#newline();
    const { isBash } = this.#options.facts;
    const found = ["&&", "||", ...(isBash ? ["|&"] : []), "|", ";"].find((one) => text.startsWith(one, at));
    const after = text[at + (found?.length ?? 0)] ?? "";
    if (found === undefined || ";&|".includes(after === "" ? " " : after)) {
      if (text[at] === "&" && text[at + 1] !== "&") throw new NotCertain("it runs something in the background");
      throw new NotCertain("(" === text[at] || ")" === text[at] ? "it has parentheses" : "it is not complete");
    }
    this.#source.at += found.length;
    return found;
  }

  #newline(): "\n" {
    const source = this.#source;
    source.at++;
    const end = this.#document;
    this.#document = undefined;
    while (end !== undefined) {
      const stop = source.text.indexOf("\n", source.at);
      const line = source.text.slice(source.at, stop < 0 ? undefined : stop);
      source.at = stop < 0 ? source.text.length : stop + 1;
      if (line === end) break;
      if (stop < 0) throw new NotCertain("a here-document is not closed");
    }
    return "\n";
  }

  #redirection(): "input" | "output" | undefined {
    const source = this.#source;
    const { text, at } = source;
    const { found, facts } = this.#options;
    const [all = "", digit = "", operator = ""] = /^(\d?)(<<|>>|>\||>&|<|>|&>>|&>)/.exec(text.slice(at, at + 4)) ?? [];
    if (operator === "" || (digit !== "" && operator.startsWith("&"))) return undefined;
    source.at += all.length;
    if (operator.startsWith("&") && !facts.isBash) throw new NotCertain("it runs something in the background");
    if (operator === "<<") return this.#startDocument(digit);
    if (operator === ">&") {
      const copy = /^[12](?=[ \t\n;&|]|$)/.exec(text.slice(source.at, source.at + 2));
      if (copy === null) throw new NotCertain("unsupported redirection");
      source.at += 1;
      return "output";
    }
    this.#skipBlanks({ comments: false });
    if ("<>&(#".includes(text[source.at] ?? "(")) throw new NotCertain("unsupported redirection");
    const target = this.#word({ facts });
    if (target === undefined) throw new NotCertain("it is not complete");
    if (!target.literal) throw new NotCertain("it redirects to a file that is only known when it runs");
    const isInput = operator === "<";
    if (isInput ? target.text === "/dev/null" : SAFE_TARGET.test(target.text)) return isInput ? "input" : "output";
    if (target.text === "" || /^\/+dev(\/|$)/.test(target.text)) throw new NotCertain("it redirects to a device");
    (isInput ? found.reads : found.writes).push(target);
    return isInput ? "input" : "output";
  }

  #startDocument(digit: string): "input" {
    const source = this.#source;
    const begun = /^[ \t]*(?:'([A-Za-z_]\w*)'|"([A-Za-z_]\w*)")(?=[ \t\n;&|<>])/.exec(source.text.slice(source.at));
    const end = begun?.[1] ?? begun?.[2];
    if (begun === null || end === undefined || digit !== "" || this.#document !== undefined) {
      throw new NotCertain("it has a here-document with expansions");
    }
    source.at += begun[0].length;
    this.#document = end;
    return "input";
  }

  #word(options: Parameters<typeof readWord>[1]): ReadWord | undefined {
    const word = readWord(this.#source, options);
    const { text, at } = this.#source;
    if (/^\d+$/.test(word?.raw ?? "") && "<>".includes(text[at] ?? " "))
      throw new NotCertain("unsupported redirection");
    if (this.#document !== undefined && word?.raw.includes("\n") === true) {
      throw new NotCertain("a here-document begins in the middle of a word");
    }
    return word;
  }

  /** Skips blanks, line continuations between words, and a comment. */
  #skipBlanks({ comments = true }: { readonly comments?: boolean } = {}): void {
    const source = this.#source;
    const { text } = source;
    for (;;) {
      const character = text[source.at];
      const isBetween = source.at === 0 || " \t\n".includes(text[source.at - 1] as string);
      if (character === " " || character === "\t") source.at++;
      else if (character === "\\" && text[source.at + 1] === "\n" && isBetween) source.at += 2;
      else if (
        character === "#" &&
        comments &&
        (source.at === 0 || " \t\n;&|".includes(text[source.at - 1] as string))
      ) {
        const end = text.indexOf("\n", source.at);
        source.at = end < 0 ? text.length : end;
      } else return;
    }
  }

  #skipLines(): void {
    for (;;) {
      this.#skipBlanks();
      if (this.#source.text[this.#source.at] !== "\n") return;
      this.#newline();
    }
  }
}

interface AddOptions extends ParserOptions {
  /** The operator before the next command. */
  readonly next: string;
  readonly isFirst: boolean;
}

function addCommand({ words: all, input, redirects }: SimpleCommand, options: AddOptions): void {
  const { found, facts, depth, next, isFirst } = options;
  const start = all.findIndex(({ raw }) => !ASSIGNMENT.test(raw));
  for (const { text, literal, raw } of start < 0 ? all : all.slice(0, start)) {
    if (!literal || !QUIET_VARIABLE.test(text)) {
      const [, name = ""] = ASSIGNMENT.exec(raw) ?? [];
      throw new NotCertain(`it sets ${name}, which can change what programs do`);
    }
  }
  const words = start < 0 ? [] : all.slice(start);
  const [name] = words;
  if (name === undefined) return;
  if (KEYWORDS.has(name.raw)) throw new NotCertain(`it uses ${name.raw}`);
  checkName(name);
  const base = baseName(name.text);
  const command = { words, input };
  if (
    /^(?:(?:\/usr)?\/bin\/)?timeout$/.test(name.text) &&
    words.length > 2 &&
    /^\d+(?:\.\d+)?[smhd]?$/.test(words[1]?.text ?? "")
  ) {
    const inner = words.slice(2);
    const innerName = inner[0] as ReadWord;
    checkName(innerName);
    const innerBase = baseName(innerName.text);
    if (innerName.text.startsWith("-") || KEYWORDS.has(innerBase) || isChanging(innerBase) || innerBase === "timeout") {
      throw new NotCertain("timeout runs something unusual");
    }
    found.glanced.push({ words, runs: true });
    addCommand({ words: inner.map((word) => ({ ...word, raw: `'${word.raw}` })), input, redirects }, options);
    return;
  }
  const script = scriptOf(words);
  if (script !== undefined && facts.isBash && depth < DEEPEST && input !== "given") {
    found.glanced.push({ words, runs: true });
    const { folder } = found;
    // The inner bash may be another version.
    const inner = { ...facts, isBash: base === "bash", version: 0 };
    new LineParser(script, { facts: inner, found, depth: depth + 1 }).line();
    if (found.folder !== folder) throw new NotCertain("a nested shell changes the folder");
    return;
  }
  if (name.text === "cd") {
    const [, target, ...rest] = words;
    // With `..` after a link, the target depends on how the shell resolves the link.
    const isClear = target?.literal === true && /^[^-]/.test(target.text) && !/[^./]\/+\.\.(\/|$)/.test(target.text);
    // Its own redirections are opened before it changes the folder.
    const isAlone = isFirst && depth === 0 && !redirects && ["&&", ";", "\n", ""].includes(next);
    if (!isClear || rest.length > 0 || !isAlone)
      throw new NotCertain("it changes to a folder that is only known when it runs");
    found.folder = target;
    found.mayStay = next !== "&&";
    found.commands.push(command);
    return;
  }
  if (found.folder !== undefined && next !== "&&" && next !== "|" && next !== "|&" && next !== "") found.mayStay = true;
  if (name.text === "exit" && words.length <= 2 && /^\d{0,3}$/.test(words[1]?.text ?? "")) return;
  if (FREE.has(name.text) || isPlainTest(words)) {
    found.free.push(command);
    return;
  }
  if (isChanging(name.text)) throw new NotCertain(`${name.text} changes what later commands do`);
  // After a `cd`, it is unknown whether `-C` names the current folder.
  found.commands.push(
    base === "git" ? { words: plainGit(words, found.folder === undefined ? facts.cwd : undefined), input } : command,
  );
}

function isChanging(name: string): boolean {
  return BUILT_INS.has(name) && !HARMLESS_BUILT_INS.has(name) && !FREE.has(name);
}

function checkName({ text, literal }: ShellWord): void {
  if (!literal) throw new NotCertain("the name of a command is only known when it runs");
  if (!NAME.test(text)) throw new NotCertain("the name of a command contains unusual characters");
}

const UNARY_TEST = /^-[defhnrswxzL]$/;
const BINARY_TESTS = new Set(["=", "!=", "==", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);

/** `[ -f a ]` and `test a = b` in their simplest forms, which only compare. `-v` and `-R` evaluate their argument. */
function isPlainTest(words: readonly ShellWord[]): boolean {
  const [name, ...all] = words;
  if (name?.text !== "test" && name?.text !== "[") return false;
  if (words.some(({ literal }) => !literal)) return false;
  const texts = all.map(({ text }) => text);
  if (name.text === "[" && texts.pop() !== "]") return false;
  if (texts[0] === "!") texts.shift();
  const [first = "", second = ""] = texts;
  return (
    (texts.length === 2 && UNARY_TEST.test(first)) ||
    (texts.length === 3 && BINARY_TESTS.has(second) && !first.startsWith("-"))
  );
}

/** The script of `sh -c '...'`. */
function scriptOf(words: readonly ShellWord[]): string | undefined {
  const [name, option, script] = words;
  if (words.length !== 3 || option?.text !== "-c" || script?.literal !== true) return undefined;
  return /^(?:\/bin\/|\/usr\/bin\/)?(?:ba)?sh$/.test(name?.text ?? "") ? script.text : undefined;
}
