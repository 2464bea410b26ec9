/**
 * What may run in a line that is not certain, and which files it may change. For rules against something only: it finds
 * rather too much, and nothing it finds allows anything.
 */
import { knownProgram } from "../program/covers.js";
import { KEYWORDS, RUN_WORDS, SHELLS } from "./known-commands.js";
import { baseName, type GlancedCommand, type ShellWord } from "./shell-line.js";

interface Glance {
  readonly commands: GlancedCommand[];
  readonly writes: ShellWord[];
  readonly reads: ShellWord[];
}

/** Of a command that runs one of its words: more are not gone through. */
const MOST_WORDS = 100;
const MOST_TEXTS = 200;
const LONGEST_TEXT = 2000;
const GIT_RUNS = /^(?:bisect|submodule|rebase|difftool)$/;

export function glance(text: string): Glance {
  const found: Glance = { commands: [], writes: [], reads: [] };
  const waiting = [text];
  for (let count = 0; waiting.length > 0; count++) {
    // What is not looked at may write anything.
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

/** What a command with these words may run besides: behind `sudo`, or in a text, such as that of `watch`, which is put on the list. */
export function glanceAtCommand(words: readonly ShellWord[], texts: string[]): readonly GlancedCommand[] {
  const base = baseName(words[0]?.text ?? "").toLowerCase();
  const isShell = SHELLS.has(base);
  const runsWords = RUN_WORDS.has(base) || isShell;
  const found: GlancedCommand[] = [];
  if (base === "git") found.push(...subcommandOfGit(words));
  if (base === "git" && !mayRunWords(words)) return found;
  // The first word of git is the name of a command of its own: `git rm` is not `rm`.
  for (let at = base === "git" ? 2 : 1; at < Math.min(words.length, MOST_WORDS); at++) {
    const word = words[at] as ShellWord;
    found.push({ words: words.slice(at), runs: runsWords, isEnd: true });
    if (runsWords && /[\s;&|>]/.test(word.text)) texts.push(word.text);
    else if (/[^\w./-]/.test(word.text)) found.push(...inText(word.text));
  }
  return found;
}

/** What a program may take a part of a word for: `1e rm a` of sed, `--to-command=rm` of tar. */
function inText(text: string): readonly GlancedCommand[] {
  const words = text
    .slice(0, LONGEST_TEXT)
    .split(/[\s;&|<>()'"`=!{},+:$]+/)
    .filter((part) => part !== "")
    .map((part) => ({ text: part, literal: true }));
  return words.map((_, at) => ({ words: words.slice(at, at + 8), runs: false, isEnd: true }));
}

/** Commands of git that run others, those that no table knows, and settings on the line. */
function mayRunWords([, ...words]: readonly ShellWord[]): boolean {
  const [command] = words;
  if (command === undefined || command.text.startsWith("-")) return true;
  return GIT_RUNS.test(command.text) || knownProgram([{ text: "git", literal: true }, command]) === undefined;
}

/** `git -C x push` is `git push`. */
function subcommandOfGit([name, ...words]: readonly ShellWord[]): readonly GlancedCommand[] {
  let at = 0;
  while (words[at]?.text.startsWith("-") === true) {
    at += /^(?:-[Cc]|--(?:git-dir|work-tree|namespace|config-env|exec-path|super-prefix))$/.test(words[at]?.text ?? "")
      ? 2
      : 1;
  }
  return name === undefined || at === 0 ? [] : [{ words: [name, ...words.slice(at)], runs: true, isEnd: true }];
}

/** Where the command begins: behind keywords and assignments. */
function startOf(words: readonly ShellWord[]): number {
  const at = words.findIndex(({ text }) => !KEYWORDS.has(text) && !/^-|^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(text));
  return at < 0 ? words.length : at;
}

interface Pieces {
  readonly commands: ShellWord[][];
  readonly writes: ShellWord[];
  readonly reads: ShellWord[];
  /** Texts that are run where they are: in backticks, or in `$(...)` within quotes. */
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
      // What is inside is looked at as a text of its own; here it is part of a word.
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
        // A number before it is not a word.
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

/** Behind the parenthesis that closes what begins here, as far as counting tells. */
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

/** Everything behind a `$(` or a backtick. */
function substitutions(text: string): readonly string[] {
  return [...text.matchAll(/\$\(|`/g)].map(({ index, 0: sign }) => text.slice(index + sign.length));
}

interface Documents {
  readonly documents: string[];
  readonly inside: string[];
}

/** Here-documents are not commands, but what is replaced in them may be. */
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
    // Without an end it may be anything.
    if (!isClosed) return at;
    inside.push(...substitutions(lines.join("\n")));
    at = Math.min(next, text.length);
  }
  return at;
}
