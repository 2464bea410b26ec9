/**
 * Finds what may run in a line that was not fully understood, and which files it may change. For deny and ask rules
 * only: it errs on the side of finding too much, and never allows anything.
 */
import { knownProgram } from "../program/covers.js";
import { KEYWORDS, RUN_WORDS, SHELLS } from "./known-commands.js";
import { baseName, type GlancedCommand, type ShellWord } from "./shell-line.js";

interface Glance {
  readonly commands: GlancedCommand[];
  readonly writes: ShellWord[];
  readonly reads: ShellWord[];
}

/** Look at no more words than this of a command that may run one of its words. */
const MOST_WORDS = 100;
const MOST_TEXTS = 200;
const LONGEST_TEXT = 2000;
const GIT_RUNS = /^(?:bisect|submodule|rebase|difftool)$/;

export function glance(text: string): Glance {
  const found: Glance = { commands: [], writes: [], reads: [] };
  const waiting = [text];
  for (let count = 0; waiting.length > 0; count++) {
    // What was not inspected may write anything.
    if (count >= MOST_TEXTS) return { ...found, writes: [...found.writes, { text: "", literal: false }] };
    const next = waiting.pop() as string;
    const pieces = piecesOf(next);
    waiting.push(...pieces.inside);
    found.writes.push(...pieces.writes);
    found.reads.push(...pieces.reads);
    for (const command of pieces.commands) {
      const words = command.slice(startOf(command));
      if (words.length === 0) continue;
      found.commands.push({ words, runs: true }, ...glanceAtCommand(words, waiting));
    }
  }
  return found;
}

/**
 * Other commands that a command may run: after `sudo`, for example. Adds texts that it may run, as `watch` does, to
 * `texts`.
 */
export function glanceAtCommand(words: readonly ShellWord[], texts: string[]): readonly GlancedCommand[] {
  const base = baseName(words[0]?.text ?? "").toLowerCase();
  const isShell = SHELLS.has(base);
  const runsWords = RUN_WORDS.has(base) || isShell;
  const found: GlancedCommand[] = [];
  if (base === "git") found.push(...subcommandOfGit(words));
  if (base === "git" && !mayRunWords(words)) return found;
  // The first word after git is a git subcommand: `git rm` is not `rm`.
  for (let at = base === "git" ? 2 : 1; at < Math.min(words.length, MOST_WORDS); at++) {
    const word = words[at] as ShellWord;
    found.push({ words: words.slice(at), runs: runsWords, isEnd: true });
    if (runsWords && /[\s;&|>]/.test(word.text)) texts.push(word.text);
    else if (/[^\w./-]/.test(word.text)) found.push(...inText(word.text));
  }
  return found;
}

/** Commands that may be part of a word: `1e rm a` for sed, `--to-command=rm` for tar. */
function inText(text: string): readonly GlancedCommand[] {
  const words = text
    .slice(0, LONGEST_TEXT)
    .split(/[\s;&|<>()'"`=!{},+:$]+/)
    .filter((part) => part !== "")
    .map((part) => ({ text: part, literal: true }));
  return words.map((_, at) => ({ words: words.slice(at, at + 8), runs: false, isEnd: true }));
}

/** Git commands that run others, unknown ones, and any with options before the subcommand. */
function mayRunWords([, ...words]: readonly ShellWord[]): boolean {
  const [command] = words;
  if (command === undefined || command.text.startsWith("-")) return true;
  return GIT_RUNS.test(command.text) || knownProgram([{ text: "git", literal: true }, command]) === undefined;
}

/** Reports `git -C x push` as `git push`. */
function subcommandOfGit([name, ...words]: readonly ShellWord[]): readonly GlancedCommand[] {
  let at = 0;
  while (words[at]?.text.startsWith("-") === true) {
    at += /^(?:-[Cc]|--(?:git-dir|work-tree|namespace|config-env|exec-path|super-prefix))$/.test(words[at]?.text ?? "")
      ? 2
      : 1;
  }
  return name === undefined || at === 0 ? [] : [{ words: [name, ...words.slice(at)], runs: true, isEnd: true }];
}

/** Index of the command's name, after keywords and assignments. */
function startOf(words: readonly ShellWord[]): number {
  const at = words.findIndex(({ text }) => !KEYWORDS.has(text) && !/^-|^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(text));
  return at < 0 ? words.length : at;
}

interface Pieces {
  readonly commands: ShellWord[][];
  readonly writes: ShellWord[];
  readonly reads: ShellWord[];
  /** Command substitutions: the text in backticks or in `$(...)`. */
  readonly inside: string[];
}

const SAFE_FILE = /^\/dev\/(?:null|stdin|stdout|stderr|tty)$/;
const REDIRECTION = /(?:&>>?|>>|>\||>&|<>|<<<|<<-?|<&|<|>)/y;

function piecesOf(text: string): Pieces {
  const pieces: Pieces = { commands: [], writes: [], reads: [], inside: [] };
  const documents: string[] = [];
  let words: ShellWord[] = [];
  let target: "writes" | "reads" | "document" | "none" | undefined;
  let word: { text: string; literal: boolean } | undefined;
  const endWord = () => {
    if (word === undefined) return;
    if (target === undefined) words.push(word);
    else if (target === "document") documents.push(word.text);
    else if (target !== "none" && !SAFE_FILE.test(word.text)) pieces[target].push(word);
    word = undefined;
    target = undefined;
  };
  const endCommand = () => {
    endWord();
    target = undefined;
    if (words.length > 0) pieces.commands.push(words);
    words = [];
  };
  const add = (more: string, literal = true) => {
    word = { text: (word?.text ?? "") + more, literal: (word?.literal ?? true) && literal };
  };
  for (let at = 0; at < text.length; ) {
    const character = text[at] as string;
    if (character === "\\") {
      const next = text[at + 1] ?? "";
      if (next !== "\n") add(next);
      at += 2;
    } else if (character === "'") {
      const end = endOf(text, at + 1, "'");
      add(text.slice(at + 1, end));
      at = end + 1;
    } else if (character === '"') {
      const end = endOfDouble(text, at + 1);
      const inner = text.slice(at + 1, end);
      if (/`|\$\(/.test(inner)) pieces.inside.push(...substitutions(inner));
      add(inner.replace(/\\([$`"\\])/g, "$1").replace(/\\\n/g, ""), !/[$`]/.test(inner));
      at = end + 1;
    } else if (character === " " || character === "\t") {
      endWord();
      at++;
    } else if (character === "\n") {
      endCommand();
      at = afterDocuments(text, at + 1, { documents, inside: pieces.inside });
    } else if (character === "#" && word === undefined && (at === 0 || " \t\n;&|(".includes(text[at - 1] as string))) {
      at = endOf(text, at, "\n");
    } else if (character === "$" && text[at + 1] === "(") {
      // The inside is inspected separately; here it is part of a word.
      add("", false);
      const end = afterParenthesis(text, at + 2);
      pieces.inside.push(text.slice(at + 2, end));
      at = end;
    } else if (character === "$") {
      add("$", false);
      at++;
    } else {
      REDIRECTION.lastIndex = at;
      const operator = REDIRECTION.exec(text)?.[0];
      if (operator !== undefined && text[at + operator.length] !== "(") {
        // A number before it is a file descriptor, not a word.
        if (word !== undefined && /^\d+$/.test(word.text)) word = undefined;
        endWord();
        at += operator.length;
        target = operator.startsWith("<<")
          ? operator === "<<<"
            ? undefined
            : "document"
          : operator === "<" || operator === "<&"
            ? "reads"
            : "writes";
        if (/^[<>]&$/.test(operator) && /^[\d-]/.test(text.slice(at))) target = "none";
      } else if (";&|()`".includes(character) || ((character === "<" || character === ">") && text[at + 1] === "(")) {
        endCommand();
        at += character === "<" || character === ">" ? 2 : 1;
      } else {
        add(character, !"*?[{~".includes(character));
        at++;
      }
    }
  }
  endCommand();
  return pieces;
}

function endOf(text: string, from: number, sign: string): number {
  const end = text.indexOf(sign, from);
  return end < 0 ? text.length : end;
}

function endOfDouble(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "$" && text[at + 1] === "(") at = afterParenthesis(text, at + 2) - 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

/** The position after the matching closing parenthesis, found by counting. */
function afterParenthesis(text: string, from: number): number {
  let open = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "'") at = endOf(text, at + 1, "'");
    else if (text[at] === "(") open++;
    else if (text[at] === ")" && --open === 0) return at + 1;
  }
  return text.length;
}

/** The rest of the text after each `$(` and each backtick. */
function substitutions(text: string): readonly string[] {
  return [...text.matchAll(/\$\(|`/g)].map(({ index, 0: sign }) => text.slice(index + sign.length));
}

interface Documents {
  readonly documents: string[];
  readonly inside: string[];
}

/** Here-documents are not commands, but may contain command substitutions. */
function afterDocuments(text: string, from: number, { documents, inside }: Documents): number {
  let at = from;
  for (const end of documents.splice(0)) {
    const lines: string[] = [];
    let next = at;
    let isClosed = false;
    while (next < text.length && !isClosed) {
      const stop = endOf(text, next, "\n");
      const line = text.slice(next, stop);
      next = stop + 1;
      isClosed = line.trim() === end;
      if (!isClosed) lines.push(line);
    }
    // A here-document without an end may be anything.
    if (!isClosed) return at;
    inside.push(...substitutions(lines.join("\n")));
    at = Math.min(next, text.length);
  }
  return at;
}
