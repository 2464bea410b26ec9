/** An entry on its way to the log, and what is said where the disk does not take it (keeps I7). */
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

/** An entry that the disk did not take. */
export interface WaitingLine extends Omit<NewLine, "line"> {
  /** With its newline. */
  readonly line: Buffer;
}

/** The error, with the entry that could not be written and how many wait in all. */
export function withWaiting(error: unknown, entryId: EntryId, waiting: number): unknown {
  if (!(error instanceof SessionError)) return error;
  const { code, message, data, hint, cause } = error;
  return new SessionError(code, message, {
    data: { ...data, entryId, waiting },
    ...defined({ hint, cause }),
  });
}
