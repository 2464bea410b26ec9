/** The result of a search as plain data, so that it can be sent to a worker and back. */
import type { HitState } from "./branch-states.js";
import type { Match } from "./match/matcher.js";

/** A match in an entry. */
export interface SearchHit {
  readonly path: string;
  /** From the header; if that is unreadable, the name of the file. */
  readonly sessionId: string;
  readonly sessionName?: string;
  readonly entryId: string;
  readonly entryType: string;
  /** For a message. */
  readonly role?: string;
  /** ISO time of the entry. */
  readonly timestamp: string;
  /** One line around the first match. */
  readonly excerpt: string;
  /** Start and end of the matches in `excerpt`, in UTF-16 units. */
  readonly matches: readonly Match[];
  readonly state: HitState;
  /** `<session id>#<entry id>` */
  readonly address: string;
}

/** A reason why a part of the files could not be searched. */
export interface SearchProblem {
  readonly path: string;
  readonly code: "read-failed" | "line-too-long" | "slow-pattern";
  readonly message: string;
}

/** The result for a part of a file. */
export interface FileStep {
  readonly hits: readonly SearchHit[];
  /** Bytes of the file done so far. */
  readonly done: number;
  readonly problem?: SearchProblem;
  /** Set in the last step of a file if another thread must continue: the start of its first line. */
  readonly rest?: { readonly from: number };
}
