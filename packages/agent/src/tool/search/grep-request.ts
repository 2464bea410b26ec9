/** Request and result of a search, the same for both engines. */

import type { IgnoreRules } from "@bough/workbench/checkpoint/internal.js";
import type { WorkPlace } from "../path/inside.js";

export interface GrepRequest {
  /** Real path of the folder or file. */
  readonly root: string;
  readonly rootIsFile: boolean;
  readonly pattern: string;
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  /** As returned by `searchGlob`. */
  readonly glob: string | undefined;
  /** Lines around each match. */
  readonly context: number;
  /** Maximum number of matches. */
  readonly limit: number;
  readonly rules: IgnoreRules;
  readonly place: WorkPlace;
  readonly signal: AbortSignal;
}

export interface GrepLine {
  /** Relative to the searched folder, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly isMatch: boolean;
}

export interface GrepOutcome {
  readonly lines: readonly GrepLine[];
  readonly matches: number;
  /** Whether there are more matches than the limit. */
  readonly more: boolean;
  /** Sentences on what is not shown, and why. */
  readonly notes: readonly string[];
}

/** Longer lines are truncated. */
export const MAX_LINE_LENGTH = 500;
