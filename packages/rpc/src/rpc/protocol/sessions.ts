// Made from the schema by `npx vitest run packages/program/src/cli/rpc/rpc-docs.test.ts --update`.
/** What is said about whole sessions. */
import type { Replica } from "./outcomes.js";

export interface SessionInfo {
  readonly path: string;
  readonly id: string;
  readonly cwd: string;
  readonly parentSession?: string;
  readonly name?: string;
  /** ISO time. */
  readonly created: string;
  /** ISO time. */
  readonly modified: string;
  /** Bytes. */
  readonly size: number;
  readonly firstMessage: string;
  /** Absent until counted, like the next three. */
  readonly messageCount?: number;
  readonly turnCount?: number;
  readonly branchCount?: number;
  readonly cost?: {
    readonly dollars: number;
    readonly unpriced: number;
  };
  /** Whether name, counts and cost are certain. */
  readonly exact: boolean;
  readonly importedFrom?: {
    readonly agent: string;
    readonly id: string;
    readonly path: string;
  };
  /** ISO time. */
  readonly archivedAt?: string;
}

/** A session in a store. */
export interface StoredSession {
  readonly id: string;
  /** Its name, or its first prompt. */
  readonly title: string | null;
  /** What sessions of one project have in common on every machine. */
  readonly project: string | null;
  /** The working directory on the machine that pushed it. */
  readonly cwd: string | null;
  /** When its last line arrived. */
  readonly updated: string | null;
  readonly replicas: readonly Replica[];
  /** Whether it is on this machine. */
  readonly here: boolean;
}

export interface SessionStats {
  readonly sessionId: string;
  readonly file?: string;
  readonly name?: string;
  readonly branches: number;
  readonly path: Totals;
  readonly session: Totals;
  readonly context: {
    readonly tokens: number;
    /** The part a provider counted; 0 if it is all an estimate. */
    readonly counted: number;
  };
}

export interface Totals {
  readonly entries: number;
  readonly userMessages: number;
  readonly answers: number;
  readonly toolCalls: number;
  readonly errors: number;
  readonly compactions: number;
  readonly usage: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
    readonly tokens: number;
    /** What is known to have been spent. */
    readonly dollars: number;
    /** Model calls without a known price. */
    readonly unpriced: number;
  };
}

export interface BranchComparison {
  /** The deepest entry both have. */
  readonly sharedId: string | null;
  readonly a: BranchSide;
  readonly b: BranchSide;
  readonly changed: {
    readonly onlyA: readonly string[];
    readonly both: readonly string[];
    readonly onlyB: readonly string[];
  };
}

export interface BranchSide {
  /** Entry ID. */
  readonly tipId: string;
  readonly label?: string;
  readonly steps: readonly {
    /** Entry ID. */
    readonly entryId: string;
    readonly prompt: string;
    readonly toolCalls: number;
    readonly errors: number;
    readonly answer: string;
  }[];
  readonly totals: Totals;
  readonly files: {
    readonly readFiles: readonly string[];
    readonly modifiedFiles: readonly string[];
  };
  readonly end: {
    readonly kind: "answer" | "failed" | "prompt" | "tool" | "summary" | "empty";
    readonly text: string;
  };
}

/** What a check found, and how bad it is. */
export interface Finding extends Problem {
  readonly level: "damage" | "odd" | "note";
}

export type RepairReport =
  | {
      readonly kind: "clean";
      readonly path: string;
      readonly before: {
        readonly ok: boolean;
        readonly counts: {
          readonly damage: number;
          readonly odd: number;
          readonly note: number;
        };
      };
    }
  | {
      readonly kind: "repaired";
      readonly path: string;
      /** The new file. */
      readonly out: string;
      /** Of the new file. */
      readonly sessionId: string;
      /** Entries that are the same byte for byte. */
      readonly kept: number;
      readonly changed: readonly RepairChange[];
      readonly dropped: readonly DroppedBytes[];
      readonly fileChanges: readonly string[];
      readonly proof: {
        readonly readable: number;
        readonly found: number;
      };
      readonly before: {
        readonly ok: boolean;
        readonly counts: {
          readonly damage: number;
          readonly odd: number;
          readonly note: number;
        };
      };
      readonly remaining: readonly Problem[];
    };

export interface RepairChange {
  readonly line: number;
  /** Entry ID. */
  readonly id: string;
  readonly reasons: readonly (
    | {
        readonly kind: "upgraded";
      }
    | {
        readonly kind: "new-id";
        /** Entry ID. */
        readonly from: string;
      }
    | {
        readonly kind: "new-parent";
        readonly from: string | null;
        readonly to: string | null;
      }
    | {
        readonly kind: "encoding";
      }
  )[];
}

export interface DroppedBytes {
  readonly line: number;
  readonly offset: number;
  readonly bytes: number;
  readonly reason: string;
}

/** Damage or an oddity found in a file. */
export interface Problem {
  readonly code:
    | "torn-tail"
    | "unreadable-line"
    | "unreadable-entry"
    | "joined-records"
    | "no-header"
    | "empty-file"
    | "late-header"
    | "second-header"
    | "bad-entry"
    | "duplicate-id"
    | "repeated-line"
    | "missing-parent"
    | "cycle"
    | "clock-backwards"
    | "missing-target"
    | "bad-anchor"
    | "unpaired-call"
    | "unpaired-result"
    | "bad-encoding"
    | "byte-order-mark"
    | "windows-lines"
    | "unknown-type"
    | "bad-shape"
    | "old-version"
    | "future-version"
    | "lost-bytes";
  /** First line is 1; 0 for the whole file. */
  readonly line: number;
  readonly offset: number;
  readonly bytes: number;
  readonly cause: string;
  readonly effect: string;
  /** Entry ID. */
  readonly entryId?: string;
}

export interface SearchHit {
  /** Set for another agent's session. */
  readonly agent?: string;
  readonly path: string;
  readonly sessionId: string;
  readonly sessionName?: string;
  /** Entry ID. */
  readonly entryId: string;
  readonly entryType: string;
  readonly role?: string;
  readonly timestamp: string;
  readonly excerpt: string;
  /** Start and end of each match in the excerpt, in UTF-16 units. */
  readonly matches: readonly (readonly number[])[];
  readonly state: "active" | "abandoned" | "compacted";
  /** session#entry. */
  readonly address: string;
}

export interface ExportedSession {
  readonly file: string;
  readonly bytes: number;
  readonly entries: number;
  readonly findings: readonly SecretFinding[];
}

export interface SecretFinding {
  readonly number: number;
  readonly rule: string;
  readonly title: string;
  /** Entry ID. */
  readonly entryId?: string;
  readonly place: string;
  readonly line: number;
  /** The words around it, with the value masked. */
  readonly excerpt: string;
  readonly count: number;
  readonly kept: boolean;
}
