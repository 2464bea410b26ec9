/** What the index keeps about a session: its turns, what each did, and how each ended. Plain data. */

/**
 * Relative to the session's leaf: on the path to it, on another branch, or on the path but before its last compaction.
 */
export type Place = "active" | "left" | "compacted";

/**
 * How an attempt ended. `undone`: undone with /undo or /pop, or by restoring its files. `failed-check`: its last test,
 * lint or build failed, and none passed after it. `error`: the model or its last tool failed, or it was stopped.
 * `left`: the work continued on another branch. `kept`: none of these, or it was merged.
 */
export type Outcome = "kept" | "left" | "undone" | "failed-check" | "error";

export const OUTCOMES: readonly Outcome[] = ["kept", "left", "undone", "failed-check", "error"];

export interface CheckFacts {
  readonly command: string;
  readonly failed: boolean;
  readonly exitCode?: number;
  /** The lines of its output that explain the failure. */
  readonly said: string;
}

/** A prompt and the entries after it on the same branch. */
export interface TurnFacts {
  /** ID of the prompt or, if a branch starts in the middle of a turn, of the branch's first entry. */
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
  /** Number of files that a restore reverted to their state before the turn. */
  readonly restored?: number;
  readonly labels: readonly string[];
  /** Index of the summary written when it was left. */
  readonly summary?: number;
  /** True if its last entry is a prompt, a tool call or a tool result: it is running, or was killed. */
  readonly open?: boolean;
  /** True if a sub-agent ran it. */
  readonly subagent?: boolean;
}

export interface BranchFacts {
  readonly number: number;
  readonly name: string;
}

export interface SessionFacts {
  readonly name: string | undefined;
  readonly cwd: string;
  /** Milliseconds; 0 if unknown. */
  readonly created: number;
  readonly entries: number;
  readonly turns: readonly TurnFacts[];
  readonly branches: readonly BranchFacts[];
  readonly summaries: readonly { readonly id: string; readonly text: string }[];
  /** Files that checkpoints name, and renames. */
  readonly recorded: readonly string[];
  readonly renamed: readonly (readonly [from: string, to: string])[];
  /** True if a checkpoint stores its list elsewhere, so that `recorded` is incomplete. */
  readonly recordedElsewhere: boolean;
}
