import { type Passage, readTranscript, sentences } from "./transcript.js";

const LIMITS = { sentence: 240, items: 8, paths: 12 } as const;

const CONSTRAINT =
  /\b(?:must|never|always|don't|do not|only|prefer|avoid|without|should not|required?|need to|keep)\b/i;
const DECISION = /\b(?:decided?|decision|chose|choose|instead of|agreed|we(?:'ll| will) use|going with|let's use)\b/i;
const NEXT = /\b(?:next|todo|to do|remaining|still (?:to|need)|left to|follow[- ]up|afterwards|later)\b/i;
const FAILED = /\b(?:error|failed|failure|not found|cannot|could not|denied|exception|exit code [1-9])/i;
const PATH = /(?<![\w/.:-])(?:\.{0,2}\/)?(?:[\w.@-]+\/)*[\w@-]+\.[A-Za-z]\w{0,5}(?![\w/])/g;

/** The last line of each summary that was made here, which is not carried over into the next. */
const MADE_BY_RULES = "Made by offline/rules: sentences picked by rules, not understood.";

export interface SummaryInput {
  /** The conversation, with roles in brackets. */
  readonly transcript: string;
  /** The summary to update. */
  readonly previous?: string;
  /** What the user asked to focus on. */
  readonly focus?: string;
  /** The instructions, for the spelling of the headings. */
  readonly spelling?: string;
}

/**
 * Builds a summary in the standard format, using only sentences from the conversation.
 *
 * Its last line says that they were picked by rules. The same input gives the same summary.
 */
export function extractSummary(input: SummaryInput): string {
  const passages = readTranscript(input.transcript);
  const by = (...speakers: readonly Passage["speaker"][]) =>
    passages.filter((passage) => speakers.includes(passage.speaker));
  const said = by("user", "assistant", "summary").flatMap((passage) => sentences(passage.text));
  const asked = by("user").flatMap((passage) => sentences(passage.text));
  const before = (heading: string) => (input.previous === undefined ? [] : sectionItems(input.previous, heading));

  const requests = by("user").map((passage) => sentences(passage.text).slice(0, 2).join(" "));
  const answered = passages.at(-1)?.speaker !== "user";
  const goal = pick([...before("Goal"), ...requests.slice(0, 1)], 3);
  const latest = requests.at(-1);
  const calls = by("call").flatMap((passage) => passage.text.split("\n"));
  const answers = by("assistant").map((passage) => sentences(passage.text)[0] ?? "");
  const failures = by("result", "failure").map(
    ({ speaker, text }) => text.split("\n").find((line) => speaker === "failure" || FAILED.test(line)) ?? "",
  );
  const next = pick([...before("Next Steps"), ...said.filter((sentence) => NEXT.test(sentence))]);
  const heading = /^#+\s*in progress\b/im.exec(input.spelling ?? "")?.[0].replace(/^#+\s*/, "") ?? "In Progress";

  return [
    ...section("## Goal", goal.length > 0 ? goal : ["(none)"], ""),
    ...section(
      "## Constraints & Preferences",
      pick([...before("Constraints & Preferences"), ...asked.filter((sentence) => CONSTRAINT.test(sentence))]),
    ),
    "## Progress",
    ...section("### Done", newest([...before("Done"), ...calls.map((call) => `Called ${call}`), ...answers]), "- [x] "),
    ...section(`### ${heading}`, latest === undefined || answered ? before("In Progress") : [latest], "- [ ] "),
    ...section("### Blocked", newest([...before("Blocked"), ...failures])),
    ...section(
      "## Key Decisions",
      pick([...before("Key Decisions"), ...said.filter((sentence) => DECISION.test(sentence))]),
    ),
    ...section("## Next Steps", next.length > 0 || latest === undefined ? next : [`Continue from: ${latest}`], "# "),
    ...section("## Critical Context", [
      ...pick([...before("Critical Context").filter((item) => item !== MADE_BY_RULES), ...focused(input, said)]),
      ...paths(passages),
      MADE_BY_RULES,
    ]),
  ]
    .join("\n")
    .trimEnd();
}

function section(heading: string, items: readonly string[], mark: string = "- "): string[] {
  const lines = items.map((item, at) => (mark === "# " ? `${at + 1}. ${item}` : `${mark}${item}`));
  return [heading, ...(lines.length === 0 ? ["- (none)"] : lines), ""];
}

/** The first few distinct items, each on one line. */
function pick(items: readonly string[], most: number = LIMITS.items): string[] {
  return unique(items).slice(0, most);
}

/** The last few distinct items, because the latest work matters most. */
function newest(items: readonly string[]): string[] {
  return unique(items).slice(-LIMITS.items);
}

function unique(items: readonly string[]): string[] {
  const plain = items
    .map((item) => item.replace(/\s+/g, " ").trim())
    .filter((item) => item !== "" && item !== "(none)");
  return [...new Set(plain)].map((item) =>
    item.length <= LIMITS.sentence ? item : `${item.slice(0, LIMITS.sentence - 1).trimEnd()}…`,
  );
}

function sectionItems(summary: string, heading: string): string[] {
  const items: string[] = [];
  let inside = false;
  for (const line of summary.split("\n")) {
    const title = /^#+\s*(.+?)\s*$/.exec(line)?.[1];
    if (title !== undefined) inside = title.toLowerCase() === heading.toLowerCase();
    else if (inside) items.push(...sentences(line));
  }
  return items;
}

function focused(input: SummaryInput, said: readonly string[]): string[] {
  const words = (input.focus ?? "").toLowerCase().match(/[\p{L}\d_.-]{4,}/gu) ?? [];
  return said.filter((sentence) => words.some((word) => sentence.toLowerCase().includes(word)));
}

function paths(passages: readonly Passage[]): string[] {
  const found = new Set<string>();
  for (const passage of passages) for (const match of passage.text.matchAll(PATH)) found.add(match[0]);
  const listed = [...found].slice(0, LIMITS.paths);
  return listed.length === 0 ? [] : [`Files named: ${listed.join(", ")}`];
}
