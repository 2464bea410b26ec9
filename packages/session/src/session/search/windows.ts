/** Sizes of the memory that files are read into. */
export interface Windows {
  /** Small enough that what was read is searched while it is in the processor's cache. */
  readonly small: number;
  /** Large enough for most files as a whole: their index then needs no second read. */
  readonly large: number;
}

export const WINDOWS: Windows = { small: 1 << 20, large: 1 << 24 };
