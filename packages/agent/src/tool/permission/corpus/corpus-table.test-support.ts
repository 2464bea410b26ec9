/** The table of command lines: line, rules, answer. */
import type { PermissionMode } from "../../tool.js";

export interface CorpusRules {
  readonly allow: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

/**
 * `allow`, `ask`, `deny`: exactly this decision. `never`: either asks or denies. `free`: either asks or allows; if it
 * allows, a run in a real shell checks that the line does only what the rules allow.
 */
export const CORPUS_ANSWERS = ["allow", "ask", "deny", "never", "free"] as const;
export type CorpusAnswer = (typeof CORPUS_ANSWERS)[number];

export type CorpusTable = {
  readonly about: string;
  readonly rules: CorpusRules;
  /** Default: `ask`. */
  readonly mode?: PermissionMode;
} & {
  readonly [answer in CorpusAnswer]?: readonly string[];
};

export interface CorpusRow {
  readonly about: string;
  readonly line: string;
  readonly rules: CorpusRules;
  readonly answer: CorpusAnswer;
}

export function rowsOf(tables: readonly CorpusTable[]): readonly CorpusRow[] {
  return tables.flatMap((table) =>
    CORPUS_ANSWERS.flatMap((answer) =>
      (table[answer] ?? []).map((line) => ({ about: table.about, line, rules: table.rules, answer })),
    ),
  );
}

/** Whether a decision is the one expected by a row. */
export function holds(expected: CorpusAnswer, got: "allow" | "ask" | "deny"): boolean {
  if (expected === "never") return got !== "allow";
  return expected === "free" ? got !== "deny" : expected === got;
}
