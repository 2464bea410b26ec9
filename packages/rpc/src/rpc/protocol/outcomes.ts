// Made from the schema by `npx vitest run packages/program/src/cli/rpc/rpc-docs.test.ts --update`.
/** How operations end. */
import type { AssistantMessage } from "./messages.js";

export interface SyncedSession {
  readonly sessionId: string;
  readonly file: string;
  /** Entries the store did not have. */
  readonly pushed: number;
  /** Entries this machine did not have. */
  readonly pulled: number;
  /** What is new may contain secrets and stayed here. */
  readonly held?: boolean;
  readonly arrivals: readonly Arrival[];
}

/** What came from one machine. */
export interface Arrival {
  readonly replica: Replica;
  readonly entries: number;
  readonly turns: number;
  /** Ends of the branches that grew. */
  readonly tips: readonly string[];
}

/** A machine, or a home folder on it. */
export interface Replica {
  readonly id: string;
  /** For people. */
  readonly name: string;
}

/** How a run ended. */
export type RunOutcome =
  | {
      readonly kind: "done";
      readonly message?: AssistantMessage;
      /** In the form that `output` of the request asked for. */
      readonly output?: unknown;
    }
  | {
      readonly kind: "aborted";
      /** What the run had used up. */
      readonly limit?: "steps" | "tokens" | "dollars" | "milliseconds";
    }
  | {
      readonly kind: "failed";
      readonly failure: ModelFailure;
    }
  | {
      readonly kind: "cancelled";
      /** The extension that took the prompt. */
      readonly by: string;
    };

export interface ModelFailure {
  readonly kind:
    | "no-key"
    | "auth"
    | "rate-limit"
    | "overloaded"
    | "server"
    | "network"
    | "context-overflow"
    | "bad-request"
    | "unknown";
  readonly message: string;
  readonly hint?: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  readonly status?: number;
}

export interface ChangedFile {
  readonly path: string;
  readonly change: "added" | "changed" | "deleted";
}

/** Why a request failed. */
export interface Fault {
  /** Stable; docs/reference/errors.md lists them. */
  readonly code: string;
  /** A sentence for people. */
  readonly message: string;
  /** What to do next. */
  readonly hint?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** What happened to a message. */
export type Delivery =
  | {
      readonly kind: "queued";
    }
  | {
      readonly kind: "appended";
      /** Entry ID. */
      readonly entryId: string;
    }
  | {
      readonly kind: "run";
      readonly outcome: RunOutcome;
    };
