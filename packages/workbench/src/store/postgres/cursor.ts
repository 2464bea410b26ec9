/** A cursor in a session in PostgreSQL: the number of a line, and the push that stored it. */

export interface Place {
  /** 0 before the first line. */
  readonly seq: string;
  /** Unique for each push. Null for lines stored before pushes had marks. */
  readonly mark: string | null;
}

export const START: Place = { seq: "0", mark: null };

export function cursorAt({ seq, mark }: Place): string {
  return seq === "0" ? "0" : `${seq}.${mark ?? 0}`;
}

export interface ReadCursor {
  readonly seq: string;
  readonly mark: string;
  /** Written before pushes had marks, so a replaced line cannot be detected. */
  readonly isOld: boolean;
}

/** The start for an unreadable cursor, so that everything is read again. */
export function readCursor(cursor: string | undefined): ReadCursor {
  const [, seq = "0", mark] = /^(\d{1,18})(?:\.(\d{1,18}))?$/.exec(cursor ?? "") ?? [];
  return { seq: BigInt(seq).toString(), mark: mark ?? "0", isOld: mark === undefined };
}
