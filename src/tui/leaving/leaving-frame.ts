/** One phase of leaving a branch, drawn. */
import type { LeavingQuestion } from "../../command/index.js";
import { type LeavingPhase, layoutLeaving } from "../../view/index.js";
import type { Desk } from "../desk/desk.js";
import { frameOfLines } from "../desk/frame-of-lines.js";
import type { Frame, Size } from "../desk/panel.js";

export interface LeavingPicture {
  /** Left out where the phase says everything itself. */
  readonly question?: LeavingQuestion;
  readonly phase: LeavingPhase;
}

const NOTHING_LEFT: LeavingQuestion = {
  branch: { number: 1, name: "" },
  entries: 0,
  tokens: 0,
  files: 0,
  preferred: "none",
  target: "",
};

export function leavingFrame(desk: Desk, size: Size, { question = NOTHING_LEFT, phase }: LeavingPicture): Frame {
  const hint = (actionId: string): string => desk.keys.hint(actionId);
  const drawn = layoutLeaving(question, { phase }, { ...size, glyphs: desk.glyphs, now: desk.now(), hint });
  return frameOfLines(desk, size, drawn);
}
