/** What is kept of a session: its turns, what each of them did, and how each of them ended. Plain data. */

/** Seen from the session's leaf: on the path to it, on another branch, or on the path but before its latest compaction. */
export type Place = "active" | "left" | "compacted";

/**
 * How an attempt ended. `undone`: it was taken back, with /undo or /pop or by restoring its files. `failed-check`: its
 * last test, lint or build failed, and none passed after it. `error`: the model or its last tool failed, or it was
 * stopped. `left`: the work continued on another branch. `kept`: none of these, or it was merged.
 */
export type Outcome = "kept" | "left" | "undone" | "failed-check" | "error";

export const OUTCOMES: readonly Outcome[] = ["kept", "left", "undone", "failed-check", "error"];

export interface CheckFacts {
  readonly command: string;
  readonly failed: boolean;
  readonly exitCode?: number;
  /** Lines of its output that say why. */
  readonly said: string;
}

/** A prompt and what followed, as far as it is on one branch. */
export interface TurnFacts {
  /** The prompt; of a branch that starts in the middle of a turn, its first entry. */
  readonly id: string;
  readonly branch: number;
  /** Milliseconds. */
  readonly time: number;
  readonly place: Place;
  readonly outcome: Outcome;
  /** Why the branch was left: `undo`, `pop`, `tree` and the like. */
  readonly leftBy?: string;
  readonly merged?: boolean;
  readonly prompt: string;
  /** The end of the last answer. */
  readonly answer: string;
  readonly changed: readonly string[];
  readonly read: readonly string[];
  readonly check?: CheckFacts;
  readonly errors: readonly string[];
  /** Whether the model failed or was stopped. */
  readonly stopped?: "error" | "aborted";
  /** How many of its file changes a restore took back. */
  readonly restored?: number;
  readonly labels: readonly string[];
  /** Number of the summary that was made when it was left. */
  readonly summary?: number;
  /** A sub-agent did it. */
  readonly subagent?: boolean;
}

export interface BranchFacts {
  readonly number: number;
  readonly name: string;
}

export interface SessionFacts {
  readonly name: string | undefined;
  readonly cwd: string;
  /** Milliseconds; 0 where the session does not say. */
  readonly created: number;
  readonly entries: number;
  readonly turns: readonly TurnFacts[];
  readonly branches: readonly BranchFacts[];
  readonly summaries: readonly { readonly id: string; readonly text: string }[];
  /** Files that checkpoints name, and names that became others. */
  readonly recorded: readonly string[];
  readonly renamed: readonly (readonly [from: string, to: string])[];
  /** Whether some checkpoint keeps its list elsewhere, so that `recorded` is not all. */
  readonly recordedElsewhere: boolean;
}
