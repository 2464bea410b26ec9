/** Attempts that were made in the sessions of the corpus, and how each ended: what the fifty questions are about. */
import type { Outcome } from "../facts/facts.js";
import { FIRST_SESSIONS } from "./first-sessions.test-support.js";
import { LATER_SESSIONS } from "./later-sessions.test-support.js";

/** What happened to an attempt, as a session records it. */
export type Fate =
  | "tree"
  | "tree-summary"
  | "undo"
  | "pop"
  | "retry"
  | "failed-left"
  | "failed-here"
  | "model-error"
  | "stopped"
  | "tool-error"
  | "merged"
  | "picked"
  | "restored"
  | "kept"
  | "failed-then-passed";

export const OUTCOME_OF: Readonly<Record<Fate, Outcome>> = {
  tree: "left",
  "tree-summary": "left",
  undo: "undone",
  pop: "undone",
  retry: "left",
  "failed-left": "failed-check",
  "failed-here": "failed-check",
  "model-error": "error",
  stopped: "error",
  "tool-error": "error",
  merged: "kept",
  picked: "kept",
  restored: "undone",
  kept: "kept",
  "failed-then-passed": "left",
};

export interface TableAttempt {
  readonly prompt: string;
  readonly file: string;
  readonly fate: Fate;
  /** What a tool or a check said. */
  readonly said?: string;
  /** Of the branch, when it was left. */
  readonly summary?: string;
  /** Asked about it. */
  readonly ask: { readonly words?: string; readonly files?: readonly string[]; readonly error?: string };
}

export interface TableSession {
  readonly agent: "bough" | "claude-code" | "codex" | "pi";
  readonly title: string;
  readonly attempts: readonly TableAttempt[];
}

/** Prompts share words across sessions on purpose: cache, parser, login and retry are in several. */
export const SESSIONS: readonly TableSession[] = [...FIRST_SESSIONS, ...LATER_SESSIONS];
