/** Sentences that bind later work: constraints, decisions, open tasks. English cues; summaries are read by their headings. */

export type StatementKind = "constraint" | "decision" | "task";

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

/** The binding sentences of a message. Constraints count only if a user states them: an agent says "must" all day. */
export function statementsIn(text: string, role: "user" | "assistant"): Statement[] {
  const statements: Statement[] = [];
  for (const sentence of sentencesOf(text)) {
    const kind = kindOfSentence(sentence, role);
    if (kind !== undefined) statements.push({ kind, text: sentence });
  }
  return statements;
}

/** The items under the headings of a summary that later work depends on. */
export function summaryStatements(summary: string): Statement[] {
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

/** Sentences and list items. Code blocks are omitted: what is there binds no one. */
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
