/** Decides what `:*` in a rule covers, depending on the rule's program. */
import { resolve } from "node:path";
import { isInside } from "../../path/inside.js";
import { isProtectedName } from "../protected-places.js";
import { matchesName } from "../rule/path-pattern.js";
import { INTERPRETERS, RUN_WORDS, SHELLS, WRAPPERS } from "../shell/known-commands.js";
import { baseName, type ShellCommand, type ShellWord } from "../shell/shell-line.js";
import { isCertainValue, type OptionTable, takesValue, type ValueKind } from "./option-table.js";
import type { Reader } from "./reader.js";
import { filesRead, readerFor } from "./readers.js";
import type { Runner } from "./runner.js";
import { choosesNothing, runnerFor } from "./runners.js";
import { filesWritten } from "./writers.js";

interface KnownProgram {
  /** Number of words in its name: 2 for `git log`. */
  readonly length: number;
  readonly reader: Reader | undefined;
  readonly runner: Runner | undefined;
}

/** The program at the start of these words, if one of the tables has it. */
export function knownProgram(words: readonly ShellWord[]): KnownProgram | undefined {
  const [first, ...rest] = words.slice(0, 3).map(({ text, literal }) => (literal ? text : ""));
  const name = baseName(first ?? "");
  for (const length of [3, 2, 1]) {
    if (length > words.length) continue;
    const whole = [name, ...rest.slice(0, length - 1)].join(" ");
    const [reader, runner] = [readerFor(whole), runnerFor(whole)];
    if (reader !== undefined || runner !== undefined) return { length, reader, runner };
  }
  return undefined;
}

const PYTHON = runnerFor("python");

interface CoverOptions {
  /** Number of words in the rule. */
  readonly fixed: number;
  readonly place: CommandPlace;
}

/** Where a command runs. */
export interface CommandPlace {
  /** The working directory. */
  readonly cwd: string;
  /** The folders it may run in: more than one if a `cd` before it may fail. */
  readonly folders: readonly string[];
}

/** Whether a rule that ends in `:*` covers the words after the first `fixed` ones. */
export function covers({ words, input }: ShellCommand, { fixed, place }: CoverOptions): boolean {
  if (input === "given" && !takesText(words)) return false;
  return coversWords(words, { fixed, place, depth: 0 });
}

/** Whether a program treats its standard input as data, not as code. */
export function takesText(words: readonly ShellWord[]): boolean {
  const name = baseName(words[0]?.text ?? "");
  if (!INTERPRETERS.has(name)) return true;
  // Their script is an argument; their input is data.
  return /^(?:sed|g?awk|mawk|nawk)$/.test(name);
}

function coversWords(
  words: readonly ShellWord[],
  { fixed, place, depth }: CoverOptions & { readonly depth: number },
): boolean {
  const known = knownProgram(words);
  const name = baseName(words[0]?.text ?? "");
  // An unknown subcommand could be an alias, or run anything.
  if (known === undefined) return !(fixed === 1 && name === "git");
  const { length, reader, runner } = known;
  const listed = fixed < length ? runnerFor(name)?.subcommands : undefined;
  if (listed !== undefined && !listed.has(words[1]?.text ?? "")) return false;
  if (runnerFor(name) === PYTHON && words[1]?.text === "-m" && fixed > 2) {
    return coversInner(words.slice(2), { fixed: fixed - 2, place, depth });
  }
  const rest = words.slice(length);
  const named = Math.max(0, fixed - length);
  if (reader !== undefined && filesRead(reader, rest, named) !== undefined) return true;
  if (runner === undefined) return false;
  return coversRunner(rest, { runner, named, isWhole: fixed <= 1 && length === 1, place, depth });
}

interface RunnerOptions {
  readonly runner: Runner;
  readonly named: number;
  /** The rule consists of the program's name only. */
  readonly isWhole: boolean;
  readonly place: CommandPlace;
  readonly depth: number;
}

function coversRunner(words: readonly ShellWord[], { runner, named, isWhole, place, depth }: RunnerOptions): boolean {
  const { stops, needsOperand, runsOperand, subcommands } = runner;
  let operands = 0;
  let mayTakeNext = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as ShellWord;
    const { text, literal } = word;
    const takesThis = mayTakeNext;
    mayTakeNext = false;
    if (text === "--") {
      if (takesThis) return false;
      const rest = words.slice(at + 1);
      if (runsOperand)
        return rest.length > 0 && coversInner(rest, { fixed: Math.max(0, named - at - 1), place, depth });
      if (runner.dashes === "nothing") continue;
      if (rest.some((word) => isRefusedOperand(word, runner))) return false;
      const own = runner.dashes === "operands" ? rest : stops && operands === 0 ? rest.slice(0, 1) : [];
      if (own.some((word) => leadsAway(word, { runner, place }))) return false;
      return !needsOperand || operands > 0 || rest.length > 0;
    }
    if (text.startsWith("-") && text !== "-") {
      if (!literal) return false;
      const kind = at < named && !isKnown(text, runner) ? "named" : kindOf(text, runner);
      if (kind === "named") mayTakeNext = true;
      else if (kind !== undefined && takesValue(kind)) {
        at++;
        if (at < named) continue;
        const value = words[at];
        if (value === undefined || !isCertainValue(value, kind)) return false;
        if (kind === "value" && leadsAway(value, { runner, place })) return false;
      } else if (kind === "flag" && at >= named) {
        if (leadsAway({ text: valueIn(text, runner), literal }, { runner, place })) return false;
      } else if (kind === undefined) {
        if (runner.isStrict || !choosesNothing(text, words[at + 1], runner)) return false;
        mayTakeNext = !text.includes("=");
      }
      continue;
    }
    if (runsOperand) {
      if (at >= named && leadsAway(word, { runner, place })) return false;
      return coversInner(words.slice(at), { fixed: Math.max(0, named - at), place, depth });
    }
    if (at < named) {
      operands++;
      continue;
    }
    if (isWhole && operands === 0 && subcommands !== undefined && !(literal && subcommands.has(text))) return false;
    operands++;
    if (isRefusedOperand(word, runner) || leadsAway(word, { runner, place })) return false;
    if (stops) return true;
  }
  const asksForItself = words.some(({ text }) => /^(?:--test|--version|--help|-v|-V|-h)$/.test(text));
  return !needsOperand || operands > 0 || asksForItself;
}

/** A shell pattern expands to names with the same start and an unknown rest. */
function isRefusedOperand({ text, literal }: ShellWord, { refuses }: Runner): boolean {
  if (refuses === undefined) return false;
  return refuses.test(text) || (!literal && !refuses.source.startsWith("^"));
}

/** A program after `npx` or `uv run` is covered according to its own table. Shells and wrappers are not covered. */
function coversInner(words: readonly ShellWord[], options: CoverOptions & { readonly depth: number }): boolean {
  const name = baseName(words[0]?.text ?? "");
  if (options.depth > 2 || words[0]?.literal !== true || SHELLS.has(name) || WRAPPERS.has(name)) return false;
  const known = knownProgram(words);
  if (known === undefined) return options.fixed > 0 || !isOfTheSystem(words);
  return coversWords(words, { ...options, fixed: Math.max(1, options.fixed), depth: options.depth + 1 });
}

/** Not a program of the project: it changes files, or runs its arguments or input. */
function isOfTheSystem(words: readonly ShellWord[]): boolean {
  const name = baseName(words[0]?.text ?? "");
  if (name === "tox" || name === "nox") return false;
  return INTERPRETERS.has(name) || RUN_WORDS.has(name) || filesWritten(words) !== undefined;
}

function mayBeProtected(name: string, literal: boolean): boolean {
  if (literal || !/[*?[]/.test(name)) return isProtectedName(name);
  const pattern = name.replace(/\[[^\]]*\]?/g, "*");
  return [".git", ".bough"].some((one) => name.startsWith(".") && matchesName(pattern, one, { ignoreCase: true }));
}

interface Away {
  readonly runner: Runner;
  readonly place: CommandPlace;
}

/** Whether a word is a path outside the working directory, or one to a protected place that the program may change. */
function leadsAway({ text, literal }: ShellWord, { runner, place }: Away): boolean {
  if (text.includes("://")) return false;
  if (runner.changesOperands !== false && text.split("/").some((name) => mayBeProtected(name, literal))) return true;
  const { cwd, folders } = place;
  return /^\/|(?:^|\/)\.\.(?:\/|$)/.test(text) && folders.some((folder) => !isInside(cwd, resolve(folder, text)));
}

function isKnown(text: string, runner: Runner): boolean {
  return kindOf(text, runner) !== undefined;
}

/** The value attached to an option: `x` in `--ui=x` and in `-ux`. Empty if the value is not a path. */
function valueIn(text: string, { options: { kinds } }: Runner): string {
  const [, name = "", value = ""] = /^--?([^=]*)=(.*)$/s.exec(text) ?? [];
  if (value !== "") return kinds.get(name) === "value" ? value : "";
  const letter = [...text.slice(1)].findIndex((one) => kinds.get(one) === "value");
  return text.startsWith("--") || letter < 0 ? "" : text.slice(letter + 2);
}

/**
 * `flag` if the option does not use the next word, otherwise the kind of its value; undefined if it is not in the
 * table.
 */
function kindOf(text: string, { options, namesByOneDash }: Runner): "flag" | ValueKind | undefined {
  const { kinds, numbers }: OptionTable = options;
  if (numbers && /^-\d+$/.test(text)) return "flag";
  const isName = text.startsWith("--") || (namesByOneDash && text.length > 2);
  if (isName) {
    const [, written = "", value] = /^--?([^=]*)(=.*)?$/s.exec(text) ?? [];
    const name = namesByOneDash ? written.toLowerCase() : written;
    const kind = name.length > 1 || namesByOneDash ? kinds.get(name) : undefined;
    if (kind === undefined || (kind === "flag" && value !== undefined && !namesByOneDash)) return undefined;
    return takesValue(kind) && value === undefined ? kind : "flag";
  }
  for (let at = 1; at < text.length; at++) {
    const kind = kinds.get(text[at] as string);
    if (kind === undefined) return undefined;
    if (takesValue(kind)) return at === text.length - 1 ? kind : "flag";
    if (kind === "maybe") return "flag";
  }
  return "flag";
}
