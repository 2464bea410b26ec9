/** Lines of the transcript before they are put into a window. */

/** A picture that covers some lines, from the one it is on downwards. Drawn only if all of them are in the window. */
interface DrawnImage {
  readonly rows: number;
  /** What shows it, for its first and for its last line; one of the two is empty. */
  readonly first: string;
  readonly last: string;
}

export interface DrawnLine {
  /** Painted, and no wider than the window. */
  readonly text: string;
  /** The block that opens or folds from here. */
  readonly block?: string;
  readonly image?: DrawnImage;
}
