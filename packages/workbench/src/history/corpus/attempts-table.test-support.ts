/** The attempts in the sessions of the corpus, and how each ended: the subject of the fifty questions. */
import type { Outcome } from "../facts/facts.js";
import { FIRST_SESSIONS } from "./first-sessions.test-support.js";
import { LATER_SESSIONS } from "./later-sessions.test-support.js";

/** How an attempt ended, as a session records it. */
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
  /** Output of a tool or a check. */
  readonly said?: string;
  /** Summary written when the branch was left. */
  readonly summary?: string;
  /** What the agent says at the end. Default: how the tests went. */
  readonly answer?: string;
  /** The question about it. */
  readonly ask: { readonly words?: string; readonly files?: readonly string[]; readonly error?: string };
}

export interface TableSession {
  readonly agent: "bough" | "claude-code" | "codex" | "pi";
  readonly title: string;
  readonly attempts: readonly TableAttempt[];
}

/** Prompts share words across sessions on purpose: several contain cache, parser, login and retry. */
export const SESSIONS: readonly TableSession[] = [...FIRST_SESSIONS, ...LATER_SESSIONS];
