/** What a search gives: plain data, so that it can travel to a worker and back. */
import type { HitState } from "./branch-states.js";
import type { Match } from "./match/matcher.js";

/** A place that matches. */
export interface SearchHit {
  readonly path: string;
  /** From the header; if that cannot be read, the name of the file. */
  readonly sessionId: string;
  readonly sessionName?: string;
  readonly entryId: string;
  readonly entryType: string;
  /** Of a message. */
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

/** Something that kept a part of the files from being searched. */
export interface SearchProblem {
  readonly path: string;
  readonly code: "read-failed" | "line-too-long" | "slow-pattern";
  readonly message: string;
}

/** A part of a file is done. */
export interface FileStep {
  readonly hits: readonly SearchHit[];
  /** Bytes of the file done so far. */
  readonly done: number;
  readonly problem?: SearchProblem;
  /** Set in the last step of a file if another thread has to continue: the line it starts with. */
  readonly rest?: { readonly from: number };
}
