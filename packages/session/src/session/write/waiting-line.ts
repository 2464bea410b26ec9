/** Entries on their way to the log, and the error for those that could not be written (keeps I7). */
import { type EntryId, type Kind, type Role, SessionError } from "../../entry/index.js";
import { defined } from "../../text/index.js";

/** An entry to append. */
export interface NewLine {
  readonly id: EntryId;
  readonly parentId: EntryId | null;
  readonly kind: Kind;
  readonly role: Role;
  /** Without its newline. */
  readonly line: string;
}

/** An entry that could not be written. */
export interface WaitingLine extends Omit<NewLine, "line"> {
  /** With its newline. */
  readonly line: Buffer;
}

/** Adds to an error the entry that could not be written and the number of waiting entries. */
export function withWaiting(error: unknown, entryId: EntryId, waiting: number): unknown {
  if (!(error instanceof SessionError)) return error;
  const { code, message, data, hint, cause } = error;
  return new SessionError(code, message, {
    data: { ...data, entryId, waiting },
    ...defined({ hint, cause }),
  });
}
