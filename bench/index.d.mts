/** Types of the door for tests; the modules themselves are JavaScript with the same types in comments. */
export interface Recipe {
  readonly shape: "linear" | "bushy" | "siblings" | "deep";
  readonly text: "small" | "real";
  readonly entries: number;
  readonly seed?: number;
  readonly bytes?: number;
  readonly compacted?: boolean;
  readonly cwd?: string;
  readonly needles?: readonly { readonly word: string; readonly every: number }[];
}
/** The names of all cases, in the order they run. */
export const CASE_NAMES: readonly string[];
export function recipeOf(name: string): Recipe;
export function entryId(seed: number, place: number): string;
export function sessionLines(recipe: Recipe): Generator<string, void, void>;
export function messages(options: { text: "small" | "real"; count: number; seed?: number }): Record<string, unknown>[];
export function writeForeign(
  agent: "claude-code" | "codex" | "gemini" | "opencode",
  folder: string,
  size: { readonly bytes: number; readonly seed: number },
): { path: string; entries: number; bytes: number };
export function writeSession(path: string, recipe: Recipe): { entries: number; bytes: number };

export type Other =
  | { readonly kind: "given"; readonly implementation: { readonly name: "bough" | "other"; readonly engine: string } }
  | { readonly kind: "not given" }
  | { readonly kind: "wrong"; readonly words: string };
export function otherImplementation(environment: Readonly<Record<string, string | undefined>>): Other;

export interface Options {
  readonly quick: boolean;
  readonly once: boolean;
  readonly keep: boolean;
  readonly generate: boolean;
  readonly help: boolean;
  readonly only: readonly string[];
  readonly sizes: readonly string[];
  readonly json: string | undefined;
}
export function parseOptions(
  args: readonly string[],
  cases: readonly string[],
): { readonly kind: "run"; readonly options: Options } | { readonly kind: "wrong"; readonly words: string };

interface Budget {
  readonly id: string;
  readonly case: string;
}
export const BUDGETS: readonly Budget[];
/** The budgets that these cases measure. */
export function budgetsOf(cases: readonly string[]): readonly Budget[];

export type Verdict = "met" | "missed" | "missed by more than 2x" | "not measured";
export function verdict(
  budget: { readonly limit: number; readonly wants: "at most" | "at least" },
  value: number | undefined,
): Verdict;

export interface Row {
  readonly case: string;
  readonly data: string;
  readonly who: string;
  readonly what: string;
  readonly time?: { readonly median: number; readonly min: number; readonly runs: number };
  readonly peak?: number;
  readonly ratio?: number;
  readonly against?: string;
  readonly note?: string;
}
export interface Judged {
  readonly id: string;
  readonly says: string;
  readonly wants: string;
  readonly limit: number;
  readonly unit: "x" | "bytes";
  readonly value?: number;
  readonly verdict: Verdict;
  readonly note?: string;
}
export function measurementTable(rows: readonly Row[]): string;
export function budgetTable(judged: readonly Judged[]): string;
export function table(options: {
  titles: readonly string[];
  rows: readonly (readonly string[])[];
  right?: readonly string[];
  group?: number;
}): string;
export function median(values: readonly number[]): number;
export function formatTime(ms: number): string;
export function formatBytes(bytes: number): string;
export function formatRatio(ratio: number): string;
export function formatCount(count: number): string;
