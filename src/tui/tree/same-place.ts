/** Whether two places are one for whoever talks: notes such as labels hang below an entry without being a place. */
import type { EntryId } from "../../entry/index.js";
import { planMove, type TreeSource } from "../../tree/index.js";

export function isWhereYouAre(source: TreeSource, target: number | EntryId): boolean {
  return planMove(source, { target, place: "exact" }).same;
}
