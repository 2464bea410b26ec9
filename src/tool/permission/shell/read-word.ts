/** Reads one word of a command line: quotes, escapes, expansions. What is inside substitutions is handed on. */
import { NotUnderstood, type ShellWord } from "./shell-line.js";

/** A position in a text. Substitutions are read where they are, by whoever reads commands. */
export interface Source {
  readonly text: string;
  at: number;
}

export interface WordReader {
  /** Reads the commands from here to the closing parenthesis, which it takes. */
  readonly untilParenthesis: (source: Source) => void;
  /** Reads a whole text of commands, as between backticks. */
  readonly commandsIn: (text: string) => void;
  /** The text is a here-document. */
  readonly isDocument?: boolean;
}

/** Ends a word where it is not quoted. */
const ENDS = " \t\n;&|()<>";
const PARAMETER = /\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])/y;
/** Forms that only give a value. Others can assign, evaluate or run something. */
const BRACED = /\$\{(?:#?[A-Za-z_]\w*|[A-Za-z_]\w*(?::?[-+]|%%?|##?)[\w./,*: -]*|[0-9@*#?])\}/y;
const ARITHMETIC = /\$\(\([\d\s+*/%()<>=!&|^~?:-]*\)\)/y;

/** The word at this position; undefined if none begins here. */
export function readWord(source: Source, reader: WordReader): ShellWord | undefined {
  const word = new GrowingWord();
  for (;;) {
    const { text, at } = source;
    const character = text[at];
    if (character === undefined) break;
    if ((character === "<" || character === ">") && text[at + 1] === "(") {
      source.at += 2;
      reader.untilParenthesis(source);
      word.expand();
      continue;
    }
    if (ENDS.includes(character)) break;
    if (character === "'") readSingle(source, word);
    else if (character === '"') readDouble(source, word, reader);
    else if (character === "\\") readEscape(source, word);
    else if (character === "$" || character === "`") readExpansion(source, word, { reader, quoted: false });
    else {
      source.at++;
      word.add(character, isPattern(source, word) ? "pattern" : "plain");
    }
  }
  return word.finished();
}

/** Hands on the substitutions in a text that is expanded as if in double quotes, such as a here-document. */
export function readExpandedText(text: string, reader: WordReader): void {
  const source = { text, at: 0 };
  const word = new GrowingWord();
  while (source.at < text.length) readQuotedCharacter(source, word, reader);
}

function readSingle(source: Source, word: GrowingWord): void {
  const end = source.text.indexOf("'", source.at + 1);
  if (end < 0) throw new NotUnderstood("a quote is not closed");
  word.add(source.text.slice(source.at + 1, end), "quoted");
  source.at = end + 1;
}

function readDouble(source: Source, word: GrowingWord, reader: WordReader): void {
  source.at++;
  word.add("", "quoted");
  while (source.text[source.at] !== '"') {
    if (source.at >= source.text.length) throw new NotUnderstood("a quote is not closed");
    readQuotedCharacter(source, word, reader);
  }
  source.at++;
}

function readQuotedCharacter(source: Source, word: GrowingWord, reader: WordReader): void {
  const character = source.text[source.at] as string;
  if (character === "$" || character === "`") {
    readExpansion(source, word, { reader, quoted: true });
    return;
  }
  const next = source.text[source.at + 1];
  if (character === "\\" && next !== undefined && '$`"\\\n'.includes(next)) {
    word.add(next === "\n" ? "" : next, "quoted");
    source.at += 2;
    return;
  }
  word.add(character, "quoted");
  source.at++;
}

function readEscape(source: Source, word: GrowingWord): void {
  const next = source.text[source.at + 1];
  if (next === undefined) throw new NotUnderstood("it ends in a backslash");
  // A line that is continued: the shell takes both characters out before it looks at words.
  if (next === "\n") word.skip();
  else word.add(next, "quoted");
  source.at += 2;
}

interface ExpansionOptions {
  readonly reader: WordReader;
  readonly quoted: boolean;
}

function readExpansion(source: Source, word: GrowingWord, { reader, quoted }: ExpansionOptions): void {
  const { text, at } = source;
  if (text[at] === "`") {
    readBackticks(source, word, { reader, quoted });
    return;
  }
  for (const form of [ARITHMETIC, BRACED, PARAMETER]) {
    form.lastIndex = at;
    const match = form.exec(text);
    if (match === null) continue;
    source.at += match[0].length;
    word.expand({ splits: form !== ARITHMETIC && (!quoted || match[0].includes("@")) });
    return;
  }
  const next = text[at + 1];
  if (next === "(") {
    if (text[at + 2] === "(") throw new NotUnderstood("it calculates with variables");
    source.at += 2;
    reader.untilParenthesis(source);
    word.expand({ splits: !quoted });
    return;
  }
  if (next === "{") throw new NotUnderstood("it uses a variable in an unusual way");
  if (next === "[") throw new NotUnderstood("it calculates with variables");
  if (next === "'" && !quoted) {
    const quote = /\$'(?:[^'\\]|\\[\s\S])*'/y;
    quote.lastIndex = at;
    const match = quote.exec(text);
    if (match === null) throw new NotUnderstood("a quote is not closed");
    source.at += match[0].length;
    word.expand();
    return;
  }
  if (next === '"' && !quoted) {
    source.at++;
    word.expand();
    return;
  }
  source.at++;
  word.add("$", "quoted");
}

function readBackticks(source: Source, word: GrowingWord, { reader, quoted }: ExpansionOptions): void {
  const { text } = source;
  let inner = "";
  for (let at = source.at + 1; at < text.length; at++) {
    const character = text[at] as string;
    if (character === "`") {
      source.at = at + 1;
      reader.commandsIn(inner);
      word.expand({ splits: !quoted });
      return;
    }
    const next = text[at + 1] ?? "";
    // There the backslash stays, in double quotes it goes.
    if (reader.isDocument === true && character === "\\" && next === '"') {
      throw new NotUnderstood("a here-document has quotes in a substitution");
    }
    if (character === "\\" && (quoted ? '$`\\"' : "$`\\").includes(next) && next !== "") {
      inner += next;
      at++;
    } else inner += character;
  }
  throw new NotUnderstood("a backtick is not closed");
}

/** Whether the character just taken makes the shell look for file names, or several words, or a home folder. */
function isPattern({ text, at }: Source, word: GrowingWord): boolean {
  const character = text[at - 1] as string;
  const isAlone = word.isEmpty && /[\s;&|()<>]/.test(text[at] ?? " ");
  // `[` alone is a command and `{` alone a keyword.
  if (character === "*" || character === "?") return true;
  if (character === "[") return !isAlone;
  if (character === "~") return word.isEmpty || "=:".includes(text[at - 2] ?? "");
  // `{}` at the end of a word stays as it is; `find` and `xargs` use it. With more behind it, it may be a list.
  const isEmptyPair = text[at] === "}" && /[\s;&|()<>]/.test(text[at + 1] ?? " ");
  return character === "{" && !isEmptyPair && !isAlone;
}

class GrowingWord {
  #text = "";
  #start: string | undefined;
  #plain: number | undefined;
  #any = false;
  #splits = false;

  get isEmpty(): boolean {
    return !this.#any;
  }

  /** `plain`: as it stands; `quoted`: as it stands, but never a keyword; `pattern`: kept, but it can become others. */
  add(text: string, kind: "plain" | "quoted" | "pattern"): void {
    if (kind === "pattern") this.#start ??= this.#text;
    if (kind !== "plain") this.#plain ??= this.#text.length;
    this.#text += text;
    this.#any = true;
  }

  /** Something was there that is no part of the word. */
  skip(): void {
    if (this.#any) this.#plain ??= this.#text.length;
  }

  expand({ splits = false }: { readonly splits?: boolean } = {}): void {
    this.#splits ||= splits;
    this.#start ??= this.#text;
    this.#plain ??= this.#text.length;
    this.#any = true;
  }

  finished(): ShellWord | undefined {
    if (!this.#any) return undefined;
    const text = this.#text;
    return {
      text,
      literal: this.#start === undefined,
      start: this.#start ?? text,
      plain: this.#plain ?? text.length,
      splits: this.#splits,
    };
  }
}
