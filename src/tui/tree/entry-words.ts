/** What an entry says, whole, as text to copy. */

import type { SessionEntry } from "../../entry/index.js";
import { withoutControls } from "../../text/index.js";
import { textsOf } from "../../view/index.js";

/** Empty for entries that say nothing. Without control characters: it may be pasted into another terminal. */
export function entryWords(entry: SessionEntry): string {
  return withoutControls([...textsOf(entry)].join("\n\n")).trim();
}
