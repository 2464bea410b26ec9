/** The known options of a program, and how it parses them. */
import type { ShellWord } from "../shell/shell-line.js";

export interface OptionTable {
  /** Keyed by letter or long name. */
  readonly kinds: ReadonlyMap<string, OptionKind>;
  /** Whether it takes numbers as options, such as `-5`. */
  readonly numbers: boolean;
}

/**
 * An option with a value, attached or as the next word. `value` may be a path, `text` is not; `any` may start with `-`.
 */
export type ValueKind = "value" | "text" | "any";
/** `maybe`: the value is optional and must be attached. */
type OptionKind = "flag" | "maybe" | ValueKind;

/**
 * Parses the compact notation of the tables: `-al` for two flags, `-n:` for a value, `-t%` for a value that is not a
 * path, `-e::` for a value that may be any word (even `-x`), `-U?` for an optional attached value, `--all`, `--width:`
 * and `--color?` for long names, `-#` for numbers.
 */
export function optionTable(text: string): OptionTable {
  let parsed: OptionTable | undefined;
  // Parsed on first use: there are many tables, and a run may use none of them.
  const table = (): OptionTable => {
    parsed ??= parsedTable(text);
    return parsed;
  };
  return {
    get kinds() {
      return table().kinds;
    },
    get numbers() {
      return table().numbers;
    },
  };
}

function parsedTable(text: string): OptionTable {
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
 * Whether a word is certainly the value of the option before it. A pattern may expand to several words, and some
 * programs do not accept a word that looks like an option as a value.
 */
export function isCertainValue({ text, literal }: ShellWord, kind: ValueKind): boolean {
  return literal && (kind === "any" || !text.startsWith("-") || /^-(?:\d[\d.,-]*)?$/.test(text));
}

export interface ReadOptions {
  readonly operands: readonly ShellWord[];
  /** Letters and names of the options present. */
  readonly given: ReadonlySet<string>;
  /** Values, each with the letter or name of its option. */
  readonly values: readonly (readonly [name: string, value: ShellWord])[];
  /** Whether there is a `--`. */
  readonly isEnded: boolean;
}

interface ReadRequest {
  /** Number of leading words that the rule itself names; the author of the rule is responsible for those. */
  readonly fixed?: number;
  /** Options end with the first operand. */
  readonly stops?: boolean;
}

/** Undefined if an option is not in the table. Abbreviated long names are not accepted. */
export function readOptions(
  words: readonly ShellWord[],
  { kinds, numbers }: OptionTable,
  { fixed = 0, stops = false }: ReadRequest = {},
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
      // The rule names it. The next word may be its value, so it must not be a `--`.
      if (at >= fixed || words[at + 1]?.text === "--") return undefined;
      continue;
    }
    for (const name of read.names) given.add(name);
    const last = read.names.at(-1) ?? "";
    if (read.value !== undefined) values.push([last, { text: read.value, literal: true }]);
    if (read.takesNext === undefined) continue;
    at++;
    const value = words[at];
    // The author of the rule is responsible for the words it names.
    if (value === undefined || (at >= fixed && !isCertainValue(value, read.takesNext))) return undefined;
    values.push([last, value]);
  }
  return { operands, given, values, isEnded: false };
}

interface ReadOption {
  readonly names: readonly string[];
  /** Kind of its value, which is the next word. */
  readonly takesNext?: ValueKind;
  /** Its attached value. */
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
