/** What a search is asked and what it answers, the same for both engines. */

import type { IgnoreRules } from "@bough/workbench/checkpoint/internal.js";
import type { WorkPlace } from "../path/inside.js";

export interface GrepRequest {
  /** Real path of the folder or file. */
  readonly root: string;
  readonly rootIsFile: boolean;
  readonly pattern: string;
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  /** As `searchGlob` gives it. */
  readonly glob: string | undefined;
  /** Lines around each match. */
  readonly context: number;
  /** Matches. */
  readonly limit: number;
  readonly rules: IgnoreRules;
  readonly place: WorkPlace;
  readonly signal: AbortSignal;
}

export interface GrepLine {
  /** Relative to the folder that is searched, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly isMatch: boolean;
}

export interface GrepOutcome {
  readonly lines: readonly GrepLine[];
  readonly matches: number;
  /** There are more matches than the limit. */
  readonly more: boolean;
  /** What was not searched and why, as sentences. */
  readonly notes: readonly string[];
}

/** Longer lines are cut here. */
export const MAX_LINE_LENGTH = 500;
