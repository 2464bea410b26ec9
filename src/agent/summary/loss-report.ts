/** What a new summary may have lost: found by comparing words, without a model. */
import { type EntryId, entryText, roleIn, type SessionEntry } from "../../entry/index.js";
import { type StatementKind, statementsIn, summaryStatements } from "./statements.js";

export interface LossReport {
  /** How many constraints, decisions and open tasks were looked for. */
  readonly checked: number;
  readonly lost: readonly {
    readonly kind: "constraint" | "decision" | "task";
    readonly text: string;
    /** Where it was said; `null` for the previous summary. */
    readonly entryId: EntryId | null;
  }[];
}

interface LossQuestion {
  readonly entries: readonly SessionEntry[];
  readonly previousSummary?: string | undefined;
  /** The new summary, with its pins. */
  readonly summary: string;
}

/** At least this share of a statement's words has to be in the summary. */
const ENOUGH = 0.5;

/**
 * Constraints, decisions and open tasks of the summarized entries and of the previous summary that the new summary does
 * not seem to hold. A hint for a user, not a proof: a summary may say the same in other words.
 */
export function lossReport({ entries, previousSummary, summary }: LossQuestion): LossReport {
  const known = wordsOf(summary);
  const lost: LossReport["lost"][number][] = [];
  const seen = new Set<string>();
  let checked = 0;
  const check = (kind: StatementKind, text: string, entryId: EntryId | null): void => {
    const words = wordsOf(text);
    const key = [...words].join(" ");
    if (words.size === 0 || seen.has(key)) return;
    seen.add(key);
    checked += 1;
    let found = 0;
    for (const word of words) if (known.has(word)) found += 1;
    if (found / words.size < ENOUGH) lost.push({ kind, text, entryId });
  };
  for (const { kind, text } of summaryStatements(previousSummary ?? "")) check(kind, text, null);
  for (const entry of entries) {
    const role = roleIn(entry);
    if (role !== "user" && role !== "assistant") continue;
    for (const { kind, text } of statementsIn(entryText(entry), role)) check(kind, text, entry.id);
  }
  return { checked, lost };
}

const COMMON = new Set(
  "a an and are as at be but by can do does for from had has have i if in into is it its just let me my not of on or our should so some that the their them then there these they this to use used using was we were will with would you your must never always only please dont don't need still now all any no".split(
    " ",
  ),
);

/** The words that carry meaning, once each. Segmented by Unicode's rules, so languages without spaces work too. */
function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const { segment, isWordLike } of segmenter().segment(text)) {
    if (isWordLike !== true) continue;
    const word = segment.toLowerCase().replace(/(?:'s|s)$/u, "");
    if (word !== "" && !COMMON.has(segment.toLowerCase())) words.add(word);
  }
  return words;
}

/** Made when it is first needed: it takes as long as loading everything else here. */
function segmenter(): Intl.Segmenter {
  made ??= new Intl.Segmenter("en", { granularity: "word" });
  return made;
}

let made: Intl.Segmenter | undefined;
