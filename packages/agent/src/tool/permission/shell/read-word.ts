/** Reads one word of a command line, if every shell would interpret it the same way. */
import { NotCertain, type ShellFacts, type ShellWord } from "./shell-line.js";

/** A position in a text. */
export interface Source {
  readonly text: string;
  at: number;
}

export interface ReadWord extends ShellWord {
  /** The source text, with quotes. */
  readonly raw: string;
}

interface WordOptions {
  readonly facts: ShellFacts;
  /** The word is only printed, so it may contain `$?`. */
  readonly printed?: boolean;
  /** The word is a message, so it may be a `"$(cat <<'EOF' ...)"`. */
  readonly message?: boolean;
}

/** Unquoted, these end a word. */
const ENDS = " \t\n;&|()<>";
/** An unquoted expansion stays one word if it has only these characters. */
const PLAIN = /^[\w./-]+$/;
const FOLDERS = /\$(?:(PWD|HOME)(?!\w)|\(pwd\))/y;
const MESSAGE = /\$\(cat <<'([A-Za-z_]\w*)'\n/y;

/** The word at this position; undefined if there is none. Throws `NotCertain`. */
export function readWord(source: Source, options: WordOptions): ReadWord | undefined {
  const { text: line, at: start } = source;
  let text = "";
  let literal = true;
  let any = false;
  let hasBrace = false;
  for (; ; any = true) {
    const character = line[source.at];
    if (character === undefined || ENDS.includes(character)) break;
    if (character === "'") text += readSingle(source);
    else if (character === '"') text += readDouble(source, { ...options, isStart: !any });
    else if (character === "\\") text += readEscape(source);
    else if (character === "$" || character === "`") text += readExpansion(source, { ...options, quoted: false });
    else if ("*?[".includes(character) && !isBracketAlone(source, any)) {
      if (text === "" || text.startsWith("-")) throw new NotCertain("a pattern could expand to an option");
      text += character;
      literal = false;
      source.at++;
    } else if (character === "~") {
      text += readTilde(source, { any, ...options });
    } else {
      hasBrace ||= character === "{";
      text += readPlain(source);
    }
  }
  if (!any) return undefined;
  const raw = line.slice(start, source.at);
  if (hasBrace && (/,|\.\./.test(raw) || "<>".includes(line[source.at] ?? " "))) {
    throw new NotCertain("it has a brace expansion");
  }
  return { text, literal, raw };
}

/**
 * Reads one unquoted character. Some shells look at single bytes, and in some locales A0 and 85 are blanks: then `à`
 * (C3 A0) ends a word.
 */
function readPlain(source: Source): string {
  const code = source.text.codePointAt(source.at) as number;
  const parts =
    code < 0x80 ? [] : [code, ...(code < 0x800 ? [] : [code >> 6]), ...(code < 0x10000 ? [] : [code >> 12])];
  if (parts.some((part) => (part & 0x3f) === 0x20 || (part & 0x3f) === 0x05)) {
    throw new NotCertain("it has an unquoted character that some shells treat as a space");
  }
  const character = String.fromCodePoint(code);
  source.at += character.length;
  return character;
}

/** Whether this is the command `[`, not a pattern. */
function isBracketAlone({ text, at }: Source, any: boolean): boolean {
  return !any && text[at] === "[" && ENDS.includes(text[at + 1] ?? " ");
}

function readSingle(source: Source): string {
  const end = source.text.indexOf("'", source.at + 1);
  if (end < 0) throw new NotCertain("a quote is not closed");
  const text = source.text.slice(source.at + 1, end);
  source.at = end + 1;
  return text;
}

function readDouble(source: Source, options: WordOptions & { readonly isStart: boolean }): string {
  source.at++;
  if (options.isStart && options.message === true && options.facts.isBash && options.facts.version >= 5) {
    const message = readMessage(source);
    if (message !== undefined) return message;
  }
  let text = "";
  for (;;) {
    const character = source.text[source.at];
    if (character === undefined) throw new NotCertain("a quote is not closed");
    if (character === '"') break;
    if (character === "$" || character === "`") {
      text += readExpansion(source, { ...options, quoted: true });
      continue;
    }
    source.at++;
    if (character !== "\\") {
      text += character;
      continue;
    }
    const next = source.text[source.at] ?? "";
    if (next === "\n") throw new NotCertain("a line continues inside a word");
    if (next !== "" && '$`"\\'.includes(next)) source.at++;
    text += next !== "" && '$`"\\'.includes(next) ? next : "\\";
  }
  source.at++;
  return text;
}

function readEscape(source: Source): string {
  const next = source.text[source.at + 1];
  if (next === undefined) throw new NotCertain("it ends in a backslash");
  if (next === "\n") throw new NotCertain("a line continues inside a word");
  source.at++;
  return readPlain(source);
}

function readExpansion(source: Source, options: WordOptions & { readonly quoted: boolean }): string {
  const { text, at } = source;
  const { facts, printed = false, quoted } = options;
  if (printed && text.startsWith("$?", at)) {
    source.at += 2;
    return "0";
  }
  FOLDERS.lastIndex = at;
  const folder = FOLDERS.exec(text);
  if (folder !== null) {
    const value = folder[1] === "HOME" ? facts.userHome : facts.cwd;
    if (quoted || (folder[1] === undefined && PLAIN.test(value))) {
      source.at += folder[0].length;
      return value;
    }
  }
  // A `$` at the end of a regular expression: `"a$"`, `"a$|b"`.
  if (quoted && text[at] === "$" && ' |)"'.includes(text[at + 1] ?? "x")) {
    source.at++;
    return "$";
  }
  throw new NotCertain(
    text[at] === "`" || text[at + 1] === "(" ? "it runs a command inside a word" : "it uses a variable",
  );
}

function readTilde(source: Source, { any, facts }: WordOptions & { readonly any: boolean }): string {
  const { text, at } = source;
  const [before = "", after = " "] = [text[at - 1], text[at + 1]];
  source.at++;
  if (any && before !== "=" && before !== ":") return "~";
  if (any || !(after === "/" || ENDS.includes(after))) throw new NotCertain("unsupported home folder");
  return facts.userHome;
}

/** The text of `"$(cat <<'EOF' ... EOF)"`; undefined for anything else. */
function readMessage(source: Source): string | undefined {
  const { text } = source;
  MESSAGE.lastIndex = source.at;
  const begin = MESSAGE.exec(text);
  if (begin === null) return undefined;
  const end = begin[1] as string;
  const lines: string[] = [];
  for (let at = MESSAGE.lastIndex; ; ) {
    const stop = text.indexOf("\n", at);
    if (stop < 0) throw new NotCertain("a here-document is not closed");
    const line = text.slice(at, stop);
    at = stop + 1;
    if (line === end) {
      const close = /^[ \t]*\)"/.exec(text.slice(at, at + 200));
      if (close === null) throw new NotCertain("it runs a command inside a word");
      source.at = at + close[0].length;
      return lines.join("\n").replace(/\n+$/, "");
    }
    if (line.trimStart().startsWith(end)) throw new NotCertain("a here-document has an unusual end");
    lines.push(line);
  }
}
