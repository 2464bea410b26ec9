import { type CompactionEntry, Kind } from "../entry/index.js";
import { type ChosenModel, chosenModel } from "./chosen-model.js";
import { isFilledString } from "./json-value.js";
import type { PathSource } from "./path-source.js";

/**
 * The information from the marks above a leaf: the compaction that limits what is visible, and the state that the marks
 * alone determine.
 */
export interface PathMarks {
  /** Number of the latest readable compaction or reset, or -1. */
  readonly compactionNumber: number;
  /** `null` if there is none, and for a reset, which keeps nothing. */
  readonly compaction: CompactionEntry | null;
  readonly thinkingLevel: string;
  readonly mode: string;
  /** `undefined` if the mode change had no data. */
  readonly modeData: unknown;
  readonly injectedRules: readonly string[];
  /** The nearest model change, or `null`. */
  readonly chosenModel: ChosenModel | null;
}

/**
 * Reads the marks of a path from the leaf up and stops when nothing is missing. Costs one step per mark, not per entry,
 * and parses only the nearest mark of each kind. A mark with malformed or unreadable content is ignored, so the next
 * one above decides.
 */
export function readPathMarks(source: PathSource): PathMarks {
  let compactionNumber = -1;
  let compaction: CompactionEntry | null = null;
  let thinkingLevel: string | null = null;
  let mode: { readonly name: string; readonly data: unknown } | null = null;
  let rules: readonly string[] | null = null;
  let model: ChosenModel | null = null;
  let n = markFrom(source, source.leaf);
  const isMissing = (): boolean =>
    compactionNumber < 0 || thinkingLevel === null || mode === null || rules === null || model === null;
  while (n >= 0 && isMissing()) {
    const kind = source.kindOf(n);
    if (kind === Kind.compaction && compactionNumber < 0) {
      const entry = source.entryAt(n);
      if (entry.type === "compaction") compaction = entry;
      if (entry.type === "compaction" || entry.type === "reset_boundary") compactionNumber = n;
    } else if (kind === Kind.thinkingLevelChange && thinkingLevel === null) {
      const entry = source.entryAt(n);
      if (entry.type === "thinking_level_change") thinkingLevel = levelOf(entry.thinkingLevel);
    } else if (kind === Kind.modeChange && mode === null) {
      const entry = source.entryAt(n);
      if (entry.type === "mode_change" && isFilledString(entry.mode)) mode = { name: entry.mode, data: entry.data };
    } else if (kind === Kind.ruleInjection && rules === null) {
      const entry = source.entryAt(n);
      if (entry.type === "ttsr_injection") rules = rulesOf(entry.injectedRules);
    } else if (kind === Kind.modelChange && model === null) model = chosenModel(source.entryAt(n));
    n = markFrom(source, source.parentOf(n));
  }
  return {
    compactionNumber,
    compaction,
    thinkingLevel: thinkingLevel ?? "off",
    mode: mode?.name ?? "none",
    modeData: mode?.data,
    injectedRules: rules ?? [],
    chosenModel: model,
  };
}

function markFrom(source: PathSource, n: number): number {
  return n < 0 ? -1 : source.markAt(n);
}

/** A level of `null` in a file means that thinking was turned off. */
function levelOf(value: unknown): string | null {
  if (value === null) return "off";
  return isFilledString(value) ? value : null;
}

function rulesOf(value: unknown): readonly string[] | null {
  return Array.isArray(value) ? value.filter((rule) => typeof rule === "string") : null;
}
