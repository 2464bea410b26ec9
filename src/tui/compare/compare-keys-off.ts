/** Why a key of the comparison does nothing at the moment. */
import { SENTENCES } from "../../command/index.js";
import { wordsPair } from "../../view/index.js";
import type { PanelWork } from "../tree/panel-work.js";
import { isWhereYouAre } from "../tree/same-place.js";
import type { OpenCompare, Side } from "./open-compare.js";

const SCROLLS = new Set(["previous", "next", "pageUp", "pageDown", "first", "last"]);

export function compareOffReason(open: OpenCompare, work: PanelWork, actionId: string): string | undefined {
  const action = actionId.replace(/^compare\./, "");
  const { side, row, turn, model } = open;
  const last = open.count(side) - 1;
  // Word for word there are lines and no turns: they can always be scrolled.
  if (open.words && SCROLLS.has(action)) return undefined;
  switch (action) {
    case "left":
      return side === "a" ? "This is the first side." : undefined;
    case "right":
      return side === "b" ? "This is the second side." : undefined;
    case "previous":
    case "pageUp":
    case "first":
      return row > 0 ? undefined : "This is the first turn.";
    case "next":
    case "pageDown":
    case "last":
      return row < last ? undefined : "This is the last turn of this side.";
    case "enter":
      if (work.off !== undefined) return work.off;
      return isOwn(open, side) ? SENTENCES.alreadyHere : undefined;
    case "pick":
      return turn === undefined ? "There is no turn to pick here." : undefined;
    case "cherryPick":
      if (work.off !== undefined) return work.off;
      return turn === undefined && open.picked.size === 0 ? "There is no turn to copy here." : undefined;
    case "merge":
      if (work.off !== undefined) return work.off;
      return isOwn(open, side) ? "You are on this side. Tab goes to the other one." : undefined;
    case "export":
      return open.count(side) === 0 ? "There is nothing on this side to export." : undefined;
    case "words": {
      const { a, b } = wordsPair(model, open);
      return a === undefined || b === undefined ? "Only one side has a turn here." : undefined;
    }
    default:
      return undefined;
  }
}

export function otherSide(side: Side): Side {
  return side === "a" ? "b" : "a";
}

function isOwn(open: OpenCompare, side: Side): boolean {
  return isWhereYouAre(open.app.world.agent.session.getSource(), open.comparison[side].tipId);
}
