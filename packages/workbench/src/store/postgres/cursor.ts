/** A cursor of a session in PostgreSQL: the number of a line, and the push that stored it. */

export interface Place {
  /** 0 before the first line. */
  readonly seq: string;
  /** No two pushes have the same. Null of a line that was stored before pushes had marks. */
  readonly mark: string | null;
}

export const START: Place = { seq: "0", mark: null };

export function cursorAt({ seq, mark }: Place): string {
  return seq === "0" ? "0" : `${seq}.${mark ?? 0}`;
}

export interface ReadCursor {
  readonly seq: string;
  readonly mark: string;
  /** From before pushes had marks: whether the store is still the same cannot be told. */
  readonly isOld: boolean;
}

/** The start for a cursor that cannot be read: then everything is read again. */
export function placeIn(cursor: string | undefined): ReadCursor {
  const [, seq = "0", mark] = /^(\d{1,18})(?:\.(\d{1,18}))?$/.exec(cursor ?? "") ?? [];
  return { seq: BigInt(seq).toString(), mark: mark ?? "0", isOld: mark === undefined };
}
