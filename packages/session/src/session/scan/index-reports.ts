/** The problems that the index finds in a log: cause and effect, in words. */
import { type ProblemReport, type Span, spanOf } from "./problem-list.js";

const WHOLE_FILE = { offset: 0, length: 0, line: 0 };

export function noHeader(): ProblemReport {
  return {
    code: "no-header",
    ...WHOLE_FILE,
    cause: "no line of the file is a readable header",
    effect: "the session is read-only; copy or repair it to continue",
  };
}

export function cycle(span: Span, entryId: string): ProblemReport {
  const cause = "the parent chain loops back to this entry";
  return { code: "cycle", ...spanOf(span), cause, effect: "shown as a separate root", entryId };
}

export function missingParent(span: Span, entryId: string, parentId: string | undefined): ProblemReport {
  const cause = `the parent ${parentId} is not in the file`;
  return { code: "missing-parent", ...spanOf(span), cause, effect: "shown as a separate root", entryId };
}

export function unreadableEntry(span: Span, entryId: string): ProblemReport {
  return {
    code: "unreadable-entry",
    ...spanOf(span),
    cause: "the line starts like an entry, but the rest is not JSON",
    effect: "the entry keeps its position in the tree; its content cannot be shown",
    entryId,
  };
}

export function repeatedLine(span: Span, entryId: string): ProblemReport {
  const cause = "the same line appears earlier";
  return { code: "repeated-line", ...spanOf(span), cause, effect: "shown once", entryId };
}

/** For the earlier of two lines with the same ID. */
export function lineWrittenAgain(span: Span, entryId: string): ProblemReport {
  const cause = "the line was cut off, and written again later";
  return { code: "unreadable-line", ...spanOf(span), cause, effect: "the later line is used", entryId };
}

export function duplicateId(span: Span, entryId: string): ProblemReport {
  return {
    code: "duplicate-id",
    ...spanOf(span),
    cause: `the id ${entryId} is taken by another entry`,
    effect: "shown as a separate root; the id refers to the first",
    entryId,
  };
}

export function secondHeader(span: Span): ProblemReport {
  const effect = "ignored; the first one is used";
  return { code: "second-header", ...spanOf(span), cause: "another header line", effect };
}

export function lateHeader(span: Span): ProblemReport {
  const cause = "entries come before the header";
  return { code: "late-header", ...spanOf(span), cause, effect: "they are read anyway" };
}

export function joinedRecords(span: Span, count: number): ProblemReport {
  const alone = "the record was read, the other bytes stay in the file";
  return {
    code: "joined-records",
    ...spanOf(span),
    cause: `the line holds ${count === 1 ? "a record" : `${count} records`} and other bytes`,
    effect: count === 1 ? alone : "the records were read one by one",
  };
}

const STAYS = "this line cannot be read; it stays in the file";

export function unreadableLine(span: Span, cause: string, entryId: string | undefined): ProblemReport {
  return { code: "unreadable-line", ...spanOf(span), cause, effect: STAYS, ...named(entryId) };
}

export function tornTail(span: Span, entryId: string | undefined): ProblemReport {
  const cause = "the last line was cut off while it was written";
  return { code: "torn-tail", ...spanOf(span), cause, effect: STAYS, ...named(entryId) };
}

export function lostBytes(entryId: string): ProblemReport {
  const cause = "the file was cut short by another program";
  return { code: "lost-bytes", ...WHOLE_FILE, cause, effect: "this entry was only in the part that is gone", entryId };
}

function named(entryId: string | undefined): { readonly entryId?: string } {
  return entryId === undefined ? {} : { entryId };
}
