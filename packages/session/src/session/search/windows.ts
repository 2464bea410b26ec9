/** Sizes of the buffers that files are read into. */
export interface Windows {
  /** Small enough to search what was read while it is in the processor's cache. */
  readonly small: number;
  /** Large enough to hold most files whole: their index then needs no second read. */
  readonly large: number;
}

export const WINDOWS: Windows = { small: 1 << 20, large: 1 << 24 };
