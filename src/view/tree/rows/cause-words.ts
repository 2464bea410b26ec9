/** Why a branch exists, in words. */
import type { MoveCause } from "../../../entry/index.js";
import { firstWords } from "../../../text/index.js";

const CAUSES: ReadonlyMap<string, string> = new Map([
  ["tree", "started from the tree"],
  ["branch", "started with /branch-here"],
  ["switch", "started after /switch"],
  ["pop", "started with /pop"],
  ["undo", "started after /undo"],
  ["redo", "started after /redo"],
  ["undo-compaction", "started after a compaction was undone"],
  ["retry", "started as a retry"],
  ["attempt", "started as one of several attempts"],
  ["extension", "started by an extension"],
]);

/** "started with /pop". Words of other programs are shown as they are, in quotes. */
export function causeWords(cause: MoveCause): string {
  return CAUSES.get(cause) ?? `started by "${firstWords(cause, 40)}"`;
}
