/**
 * Damage as data: what is wrong in a file, where, and the effect for the reader. Nothing is skipped silently and
 * nothing is rewritten to hide a problem (keeps I6).
 */
export const PROBLEM_CODES = {
  "torn-tail": "the last line was cut off while it was written",
  "unreadable-line": "the line is not a JSON object",
  "unreadable-entry": "the entry's position is readable, its content is not",
  "joined-records": "two records share one line",
  "no-header": "no readable header line",
  "empty-file": "the file is empty",
  "late-header": "the header is not the first line",
  "second-header": "another header line",
  "bad-entry": "the line is JSON but not an entry",
  "duplicate-id": "another entry has the same id",
  "repeated-line": "the same line appears twice",
  "missing-parent": "the parent is not in the file",
  cycle: "the parent chain loops",
  "clock-backwards": "the entry is older than its parent",
  "missing-target": "the entry names another entry that is not in the file",
  "bad-anchor": "the compaction's first kept entry is not above it",
  "unpaired-call": "a tool call has no result on its branch",
  "unpaired-result": "a tool result has no call above it",
  "bad-encoding": "bytes that are not UTF-8",
  "byte-order-mark": "the file starts with a byte order mark",
  "windows-lines": "lines end with a carriage return",
  "unknown-type": "a type of entry this version does not know",
  "bad-shape": "a field is missing or has the wrong type",
  "old-version": "written in an earlier version of the format",
  "future-version": "written in a later version of the format",
  "lost-bytes": "the file became shorter while it was open",
} as const;
export type ProblemCode = keyof typeof PROBLEM_CODES;

export interface Problem {
  readonly code: ProblemCode;
  /** Starts at 1; 0 if the problem belongs to the whole file. */
  readonly line: number;
  /** Byte offset of the line, and its length in bytes. */
  readonly offset: number;
  readonly bytes: number;
  /** What was found, in words. */
  readonly cause: string;
  /** The effect for readers of the session. */
  readonly effect: string;
  readonly entryId?: string;
}
