/** An attempt as front ends see it. Plain data. */
import type { EntryId } from "@bough/session/entry/index.js";
import type { PermissionMode } from "../../tool/index.js";
import type { AttemptOutcome, CheckResult, FileCounts } from "./attempt-entries.js";

/** `elsewhere`: another process works on it. */
export type AttemptState = "waiting" | "preparing" | "running" | "asking" | "checking" | "elsewhere" | AttemptOutcome;

export interface Attempt {
  readonly name: string;
  /** Where its branch begins. */
  readonly entryId: EntryId;
  /** Where its branch ends, as far as it is known. */
  readonly tipId: EntryId;
  /** The entry that all attempts of one try branch from. */
  readonly tryId: EntryId;
  /** `bough`, or another agent. */
  readonly driver: string;
  readonly model?: string;
  readonly state: AttemptState;
  /** The tool that runs, or the last thing that was said. */
  readonly step?: string;
  readonly tokens: number;
  /** Of what has a known price. */
  readonly dollars: number;
  /** Model calls without a known price. */
  readonly unpriced: number;
  readonly durationMs: number;
  readonly files?: FileCounts;
  readonly check?: CheckResult;
  /** Why it failed or was stopped. */
  readonly reason?: string;
  /** Its folder, while it exists. */
  readonly folder?: string;
}

/** Whether it will not change any more. */
export function isEnded({ state }: Pick<Attempt, "state">): boolean {
  return !["waiting", "preparing", "running", "asking", "checking", "elsewhere"].includes(state);
}

/** How a try ended. */
export interface TryResult {
  readonly attempts: readonly Attempt[];
  /** The limit that stopped all of them. */
  readonly limit?: "dollars";
}

/** One try that runs: its attempts as they are now, and what can be done with them. Made by `startAttempts`. */
export interface AttemptRun {
  /** The entry that all of them branch from. */
  readonly tryId: EntryId;
  /** Resolves when all have ended; never rejects. */
  readonly done: Promise<TryResult>;
  readonly attempts: readonly Attempt[];
  readonly isOver: boolean;
  /** Called whenever something of an attempt changes. Returns the function that ends it. */
  subscribe(listener: (attempt: Attempt) => void): () => void;
  /** Stops one attempt, or all. Their branches stay. Resolves when they have ended. */
  stop(name?: string): Promise<void>;
  /** Sends a message to a running attempt; false if it is not running. */
  message(name: string, text: string): Promise<boolean>;
  /** Removes the folders of attempts that have ended; their files are stored with the session. */
  removeFolders(): void;
  /** Stops everything and removes the folders. */
  close(): Promise<void>;
}

/** What attempts may do by default: change files in their folders, unless the session may change nothing. */
export function attemptMode(mode: PermissionMode | undefined): PermissionMode {
  return mode === "plan" || mode === "read-only" ? mode : "edits";
}
