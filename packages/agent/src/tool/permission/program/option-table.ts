/** Options that a program is known to take, and how it reads them. Others are not certain. */
import type { ShellWord } from "../shell/shell-line.js";

export interface OptionTable {
  /** By letter or by name. */
  readonly kinds: ReadonlyMap<string, OptionKind>;
  /** `-5` */
  readonly numbers: boolean;
}

/** How an option takes its value, its own word or behind it: one that may be a path, a text that is none, any word. */
export type ValueKind = "value" | "text" | "any";
/** `maybe`: only behind it, or none. */
type OptionKind = "flag" | "maybe" | ValueKind;

/**
 * Reads a table as it is written: `-al` for two letters, `-n:` for one with a value, `-t%` for one whose value is
 * no path, `-e::` for one that takes any word, also `-x`, `-U?` for one that may have a value right behind it, `--all`,
 * `--width:` and `--color?` for names, `-#` for numbers.
 */
export function optionTable(text: string): OptionTable {
  const kinds = new Map<string, OptionKind>();
  for (const token of text.split(" ")) {
    const [, name = "", sign = ""] = /^(.*?)(::|[:%?]|)$/.exec(token) ?? [];
    const kind = KINDS[sign] ?? "flag";
    if (name.startsWith("--")) kinds.set(name.slice(2), kind);
    else for (const letter of name.slice(1)) kinds.set(letter, kind);
  }
  return { kinds, numbers: kinds.delete("#") };
}

const KINDS: Readonly<Record<string, OptionKind>> = { ":": "value", "%": "text", "::": "any", "?": "maybe" };

/**
 * Whether a word is the value of the option before it, and nothing else. A pattern may become several words, and not
 * every program takes a word that looks like an option for a value.
 */
export function isCertainValue({ text, literal }: ShellWord, kind: ValueKind): boolean {
  return literal && (kind === "any" || !text.startsWith("-") || /^-(?:\d[\d.,-]*)?$/.test(text));
}

export interface ReadOptions {
  readonly operands: readonly ShellWord[];
  /** Letters and names that were given. */
  readonly given: ReadonlySet<string>;
  /** Values, by the letter or name of their option. */
  readonly values: readonly (readonly [name: string, value: ShellWord])[];
  /** There is a `--`. */
  readonly isEnded: boolean;
}

interface ReadOptionsWish {
  /** Words at the start that the rule itself names: what they are is the business of whoever wrote it. */
  readonly fixed?: number;
  /** Options end with the first operand. */
  readonly stops?: boolean;
}

/** Undefined if something is given that is not in the table. Only whole names count, no abbreviations. */
export function readOptions(
  words: readonly ShellWord[],
  { kinds, numbers }: OptionTable,
  { fixed = 0, stops = false }: ReadOptionsWish = {},
): ReadOptions | undefined {
  const operands: ShellWord[] = [];
  const given = new Set<string>();
  const values: (readonly [string, ShellWord])[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as ShellWord;
    const { text } = word;
    if (text === "--") return { operands: [...operands, ...words.slice(at + 1)], given, values, isEnded: true };
    if (!text.startsWith("-") || text === "-") {
      if (stops) return { operands: words.slice(at), given, values, isEnded: false };
      operands.push(word);
      continue;
    }
    if (!word.literal) return undefined;
    const read = readOption(text, { kinds, numbers });
    if (read === undefined) {
      // The rule names it. Whether the next word belongs to it is not known, so that one may not end the options.
      if (at >= fixed || words[at + 1]?.text === "--") return undefined;
      continue;
    }
    for (const name of read.names) given.add(name);
    const last = read.names.at(-1) ?? "";
    if (read.value !== undefined) values.push([last, { text: read.value, literal: true }]);
    if (read.takesNext === undefined) continue;
    at++;
    const value = words[at];
    // What the rule names is the business of whoever wrote it.
    if (value === undefined || (at >= fixed && !isCertainValue(value, read.takesNext))) return undefined;
    values.push([last, value]);
  }
  return { operands, given, values, isEnded: false };
}

interface ReadOption {
  readonly names: readonly string[];
  /** The next word is its value. */
  readonly takesNext?: ValueKind;
  /** Right behind it. */
  readonly value?: string;
}

function readOption(text: string, { kinds, numbers }: OptionTable): ReadOption | undefined {
  if (numbers && /^-\d+$/.test(text)) return { names: [] };
  if (text.startsWith("--")) {
    const [, name = "", value] = /^--([^=]*)(=.*)?$/s.exec(text) ?? [];
    const kind = name.length > 1 ? kinds.get(name) : undefined;
    if (kind === undefined || (kind === "flag" && value !== undefined)) return undefined;
    if (value !== undefined) return { names: [name], value: value.slice(1) };
    return takesValue(kind) ? { names: [name], takesNext: kind } : { names: [name] };
  }
  const names: string[] = [];
  for (let at = 1; at < text.length; at++) {
    const letter = text[at] as string;
    const kind = kinds.get(letter);
    if (kind === undefined) return undefined;
    names.push(letter);
    const rest = text.slice(at + 1);
    if (takesValue(kind)) return rest === "" ? { names, takesNext: kind } : { names, value: rest };
    if (kind === "maybe") break;
  }
  return { names };
}

export function takesValue(kind: OptionKind): kind is ValueKind {
  return kind !== "flag" && kind !== "maybe";
}
