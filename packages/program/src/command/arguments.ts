/** Parses what follows a command's name into words. */
import { CommandError } from "./command-error.js";

interface ArgumentRules {
  readonly least?: number;
  readonly most?: number;
  /** Switches that may be anywhere, with their dashes. */
  readonly options?: readonly string[];
  /** Options with a value, and the values they take: `--scope all` or `--scope=all`. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** Options that take any value. */
  readonly values?: readonly string[];
}

interface ReadArguments {
  readonly words: readonly string[];
  readonly options: ReadonlySet<string>;
  /** Chosen values, by option. */
  readonly chosen: ReadonlyMap<string, string>;
}

interface Word {
  readonly text: string;
  readonly quoted: boolean;
}

/**
 * Words between blanks. Quotes, single or double, hold a word with blanks together; a backslash escapes the next quote,
 * blank or backslash. An unclosed quote runs to the end.
 */
export function splitWords(text: string): string[] {
  return wordsIn(text).map((word) => word.text);
}

/** Checks and splits. Throws `wrong-arguments`; the caller adds the usage. A quoted word is never an option. */
export function readArguments(text: string, rules: ArgumentRules = {}): ReadArguments {
  const { least = 0, most = Number.POSITIVE_INFINITY } = rules;
  const words: string[] = [];
  const options = new Set<string>();
  const chosen = new Map<string, string>();
  const typed = wordsIn(text)[Symbol.iterator]();
  for (const { text: word, quoted } of typed) {
    const [name = "", value] = /^(--[^=]+)=(.*)$/.exec(word)?.slice(1) ?? [word];
    const choices = rules.choices?.[name];
    if (quoted || !word.startsWith("--")) words.push(word);
    else if (choices !== undefined) {
      const choice = value ?? typed.next().value?.text;
      if (choice === undefined || !choices.includes(choice)) {
        throw wrongArguments(`${name} needs one of: ${choices.join(", ")}`);
      }
      chosen.set(name, choice);
    } else if (rules.values?.includes(name) === true) {
      const given = value ?? typed.next().value?.text;
      if (given === undefined || given === "") throw wrongArguments(`${name} needs a value`);
      chosen.set(name, given);
    } else if (rules.options?.includes(word) === true) options.add(word);
    else throw wrongArguments(`Unknown option ${word}`);
  }
  if (words.length < least) throw wrongArguments("Missing argument");
  if (words.length > most) throw wrongArguments("Too many arguments");
  return { words, options, chosen };
}

/** Without a hint of its own the caller adds the usage. */
export function wrongArguments(message: string, hint?: string): CommandError {
  return new CommandError("wrong-arguments", `${message}.`, { hint });
}

/** Quotes a word so that it parses as one. */
export function quotedWord(word: string): string {
  return /^[^\s"'\\]+$/.test(word) && !word.startsWith("--")
    ? word
    : `"${word.replace(/(["\\])/g, (letter) => `\\${letter}`)}"`;
}

/** Start of the word being typed; after a blank, the end of the text. */
export function lastWordStart(text: string): number {
  let start = 0;
  let quote = "";
  let inside = false;
  for (let i = 0; i < text.length; i++) {
    const letter = text[i] as string;
    const blank = /\s/.test(letter);
    if (!inside && !blank) {
      inside = true;
      start = i;
    }
    if (letter === "\\") i += 1;
    else if (quote !== "") quote = letter === quote ? "" : quote;
    else if (letter === '"' || (letter === "'" && i === start)) quote = letter;
    else if (blank) inside = false;
  }
  return inside ? start : text.length;
}

function wordsIn(text: string): Word[] {
  const words: Word[] = [];
  let word: { text: string; quoted: boolean } | undefined;
  let quote = "";
  for (let i = 0; i < text.length; i++) {
    const letter = text[i] as string;
    const next = text[i + 1];
    if (letter === "\\" && next !== undefined && /["'\\\s]/.test(next)) {
      word = { text: (word?.text ?? "") + next, quoted: true };
      i += 1;
    } else if (quote !== "" && letter === quote) quote = "";
    else if (quote === "" && /\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (quote === "" && (letter === '"' || (letter === "'" && word === undefined))) {
      // An apostrophe inside a word is not a quote.
      quote = letter;
      word = { text: word?.text ?? "", quoted: true };
    } else word = { text: (word?.text ?? "") + letter, quoted: word?.quoted ?? false };
  }
  if (word !== undefined) words.push(word);
  return words;
}
