/** One key as the user pressed it. */

export interface KeyPress {
  /** In the notation of the key table: "enter", "esc", "up", "ctrl+o", "shift+tab", "L", "@", "space". */
  readonly name: string;
  /** The text it types; undefined if it types none. */
  readonly text: string | undefined;
  /** The raw bytes, for the editor. */
  readonly raw: string;
}
