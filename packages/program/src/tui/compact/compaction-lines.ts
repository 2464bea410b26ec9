/** What a compaction will do, or has done, as lines to read. */

import type { LossReport } from "@bough/agent/agent/index.js";
import { estimateEntryTokens } from "@bough/agent/agent/internal.js";
import type { CompactionPlan } from "@bough/agent/agent/plan.js";
import { isPrompt, Kind, kindOf, type SessionEntry } from "@bough/session/entry/index.js";
import { counted, firstWords, shortCount } from "@bough/session/text/index.js";
import { type Glyphs, type Line, span } from "@bough/session/view/index.js";
import { cutLine, wrapWords } from "@bough/session/view/internal.js";
import { readableText } from "../context/entry-content.js";

export interface CompactionFacts {
  readonly entries: readonly SessionEntry[];
  /** Counts over the entries to summarize. */
  readonly tokens: number;
  readonly tokensBefore: number;
  /** First words of the first entry that is kept. */
  readonly keptFrom: string;
  readonly keptEntries: number;
  readonly keptTokens: number;
  readonly prompts: readonly string[];
  readonly pins: readonly string[];
  readonly readFiles: number;
  readonly modifiedFiles: number;
  readonly previous: boolean;
  readonly splitTurn: boolean;
}

type Compaction = Extract<CompactionPlan, { kind: "compact" }>;

/** Derived from a plan and the path it was made for. */
export function compactionFacts({ preparation }: Compaction, path: readonly SessionEntry[]): CompactionFacts {
  const { entriesToSummarize: entries, firstKeptEntryId, tokensBefore, pins } = preparation;
  const kept = path.slice(path.findIndex(({ id }) => id === firstKeptEntryId)).filter(isSaid);
  const said = entries.filter(isSaid);
  return {
    entries: said,
    tokens: tokensOf(said),
    tokensBefore,
    keptFrom: firstWords(kept[0] === undefined ? "" : readableText(kept[0]), 200),
    keptEntries: kept.length,
    keptTokens: tokensOf(kept),
    prompts: said.filter(isPrompt).map((entry) => firstWords(readableText(entry), 200)),
    pins: pins.map((text) => firstWords(text, 200)),
    readFiles: preparation.readFiles.length,
    modifiedFiles: preparation.modifiedFiles.length,
    previous: preparation.previousSummary !== undefined,
    splitTurn: preparation.splitTurn,
  };
}

export function previewLines(
  facts: CompactionFacts,
  { width, glyphs, about }: { readonly width: number; readonly glyphs: Glyphs; readonly about: string },
): Line[] {
  const lines: Line[] = [];
  const say = (sentence: string, tone: "text" | "muted" = "text"): void => {
    for (const line of wrapWords(sentence, Math.max(1, width - 2))) lines.push([span(` ${line}`, tone)]);
  };
  const tokens = (count: number): string => `${glyphs.about}${shortCount(count)} tokens`;
  const entries = counted(facts.entries.length, "entry", "entries");
  say(`A summary replaces ${entries}, ${tokens(facts.tokens)}:`);
  for (const prompt of facts.prompts) lines.push([span(`   ${glyphs.prompt} `, "muted"), span(prompt)]);
  if (facts.previous)
    lines.push([span(`   ${glyphs.note} `, "note"), span("and the previous summary, which it builds on")]);
  const kept = counted(facts.keptEntries, "entry", "entries");
  lines.push([]);
  say(`Kept verbatim: ${kept} (${tokens(facts.keptTokens)}), from:`);
  lines.push([span(`   ${glyphs.prompt} `, "muted"), span(facts.keptFrom)]);
  if (facts.splitTurn) {
    lines.push([span("   The last turn is long, so its beginning is summarized too.", "muted")]);
  }
  if (facts.pins.length > 0) {
    lines.push([], [span(` Pinned, repeated verbatim in the summary: ${facts.pins.length}`)]);
    for (const pin of facts.pins) lines.push([span(`   ${pin}`)]);
  }
  if (facts.readFiles + facts.modifiedFiles > 0) {
    const changed = counted(facts.modifiedFiles, "changed file");
    lines.push([], [span(` The summary lists ${counted(facts.readFiles, "file")} that were read and ${changed}.`)]);
  }
  if (about !== "") lines.push([], [span(" Keep: ", "accent"), span(firstWords(about, 400))]);
  lines.push([]);
  say("The session keeps everything. Files on disk are unchanged. You can undo it at any time.", "muted");
  return lines.map((line) => cutLine(line, width, glyphs.ellipsis));
}

const KINDS: Readonly<Record<LossReport["lost"][number]["kind"], string>> = {
  constraint: "rule",
  decision: "decision",
  task: "open task",
};

export function lossLines(
  { checked, lost }: LossReport,
  { width, glyphs }: { readonly width: number; readonly glyphs: Glyphs },
): Line[] {
  const looked = `Looked for ${counted(checked, "rule, decision and open task", "rules, decisions and open tasks")} by comparing text.`;
  const head = lost.length === 0 ? "All are in the summary." : `${lost.length} may be missing:`;
  const lines: Line[] = [];
  const sentence =
    checked === 0 ? "Found no rules, decisions or open tasks that a summary could lose." : `${looked} ${head}`;
  for (const line of wrapWords(sentence, Math.max(1, width - 2))) lines.push([span(` ${line}`)]);
  for (const { kind, text } of lost) {
    lines.push([span(`   ${glyphs.warning} `, "bad"), span(`${KINDS[kind]}: `, "muted"), span(firstWords(text, 400))]);
  }
  return lines.map((line) => cutLine(line, width, glyphs.ellipsis));
}

function isSaid(entry: SessionEntry): boolean {
  const kind = kindOf(entry);
  return kind === Kind.message || kind === Kind.branchSummary || kind === Kind.customMessage;
}

function tokensOf(entries: readonly SessionEntry[]): number {
  let tokens = 0;
  for (const entry of entries) tokens += estimateEntryTokens(entry);
  return tokens;
}
