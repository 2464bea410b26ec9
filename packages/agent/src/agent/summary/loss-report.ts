/** Finds what a new summary may have lost by comparing words, without a model. */
import { type EntryId, entryText, roleIn, type SessionEntry } from "@bough/session/entry/index.js";

export interface LossReport {
  /** How many constraints, decisions and open tasks were checked. */
  readonly checked: number;
  readonly lost: readonly {
    readonly kind: "constraint" | "decision" | "task";
    readonly text: string;
    /** The entry that said it; `null` for the previous summary. */
    readonly entryId: EntryId | null;
  }[];
}

interface LossQuestion {
  readonly entries: readonly SessionEntry[];
  readonly previousSummary?: string | undefined;
  /** The new summary, with its pins. */
  readonly summary: string;
}

/** At least this share of a statement's words must appear in the summary. */
const ENOUGH = 0.5;

/**
 * Constraints, decisions and open tasks of the summarized entries and of the previous summary that seem to be missing
 * from the new summary. A hint for a user, not a proof: a summary may say the same in other words.
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

/**
 * The significant words, without duplicates. Segmented by Unicode's rules, so that languages without spaces work too.
 */
function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const { segment, isWordLike } of segmenter().segment(text)) {
    if (isWordLike !== true) continue;
    const word = segment.toLowerCase().replace(/(?:'s|s)$/u, "");
    if (word !== "" && !COMMON.has(segment.toLowerCase())) words.add(word);
  }
  return words;
}

/** Created lazily: it takes as long as loading everything else here. */
function segmenter(): Intl.Segmenter {
  made ??= new Intl.Segmenter("en", { granularity: "word" });
  return made;
}

let made: Intl.Segmenter | undefined;

/**
 * Sentences that later work depends on: constraints, decisions, open tasks. Uses English cues; summaries are read by
 * their headings.
 */
type StatementKind = "constraint" | "decision" | "task";

interface Statement {
  readonly kind: StatementKind;
  readonly text: string;
}

const MOST_CHARACTERS = 400;

const CONSTRAINT =
  /\b(?:must(?:n't)?|never|always|do not|don't|dont|cannot|may not|shall|should(?:n't)?|required?|requirement|only use|no more than|at (?:most|least)|without (?:using|touching|changing|breaking)|avoid|keep (?:the|it|all)|prefer|make sure|ensure|has to|have to)\b/i;
const DECISION =
  /\b(?:decided?|decision|we(?:'ll| will| are going to) (?:use|go|keep|take|do)|let's (?:use|go|keep|take|do)|go(?:ing)? with|instead of|rather than|chose|chosen|choose|settled? on|switch(?:ed)? to|agreed)\b/i;
const TASK =
  /\b(?:todo|to do|fixme|still (?:need|open|missing|fails?|failing|to)|remaining|next step|next,|later we|left to do|not (?:yet|done)|open (?:task|question|point|issue)|follow[- ]up)\b|^\s*(?:[-*]\s*)?\[ \]/i;

/** Such sentences of a message. Constraints count only if the user states them: an agent says "must" all day. */
function statementsIn(text: string, role: "user" | "assistant"): Statement[] {
  const statements: Statement[] = [];
  for (const sentence of sentencesOf(text)) {
    const kind = kindOfSentence(sentence, role);
    if (kind !== undefined) statements.push({ kind, text: sentence });
  }
  return statements;
}

/** The items under those headings of a summary that later work depends on. */
function summaryStatements(summary: string): Statement[] {
  const statements: Statement[] = [];
  let kind: StatementKind | undefined;
  for (const line of summary.split("\n")) {
    const heading = /^#{1,6}\s+(.*\S)\s*$/.exec(line)?.[1]?.toLowerCase();
    if (heading !== undefined) {
      kind = kindOfHeading(heading);
      continue;
    }
    if (/^<\/?[a-z-]+>\s*$/.test(line)) kind = undefined;
    const item = line.replace(/^\s*(?:[-*]|\d+[.)])\s*(?:\[.\]\s*)?/, "").trim();
    if (kind !== undefined && item !== "" && !/^\(?none\)?\.?$/i.test(item)) statements.push({ kind, text: cut(item) });
  }
  return statements;
}

function kindOfHeading(heading: string): StatementKind | undefined {
  if (heading.startsWith("constraints")) return "constraint";
  if (heading.startsWith("key decisions")) return "decision";
  if (heading.startsWith("next steps") || heading.startsWith("in progress") || heading.startsWith("blocked"))
    return "task";
  return undefined;
}

function kindOfSentence(sentence: string, role: "user" | "assistant"): StatementKind | undefined {
  if (TASK.test(sentence)) return "task";
  if (DECISION.test(sentence)) return "decision";
  return role === "user" && CONSTRAINT.test(sentence) ? "constraint" : undefined;
}

/** Sentences and list items. Code blocks are skipped: they state no requirements. */
function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  for (const line of text.replace(/```[\s\S]*?(?:```|$)/g, "\n").split("\n")) {
    // A full stop inside a file name or a version number is not followed by a space.
    for (const sentence of line.split(/(?<=[.!?])\s+|(?<=[。！？])/u)) {
      const trimmed = sentence.trim();
      if (trimmed !== "") sentences.push(cut(trimmed));
    }
  }
  return sentences;
}

function cut(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}
