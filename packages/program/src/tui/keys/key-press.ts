/** One key as the user pressed it. */

export interface KeyPress {
  /** In the notation of the key table: "enter", "esc", "up", "ctrl+o", "shift+tab", "L", "@", "space". */
  readonly name: string;
  /** What the key would type; undefined for keys that type nothing. */
  readonly text: string | undefined;
  /** The bytes as they arrived, for the editor. */
  readonly raw: string;
}
