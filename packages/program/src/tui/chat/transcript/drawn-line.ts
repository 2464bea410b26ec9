/** Lines of the transcript before they are placed in a window. */

/** A picture that covers lines from here downwards. Drawn only if all of them are in the window. */
interface DrawnImage {
  readonly rows: number;
  /** The sequences that draw it from its first and from its last line; one of them is empty. */
  readonly first: string;
  readonly last: string;
}

export interface DrawnLine {
  /** Painted, and never wider than the window. */
  readonly text: string;
  /** The block that this line opens or folds. */
  readonly block?: string;
  readonly image?: DrawnImage;
}
