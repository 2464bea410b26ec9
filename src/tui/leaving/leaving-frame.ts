/** One phase of leaving a branch, drawn. */
import type { LeavingQuestion } from "../../command/index.js";
import { type LeavingPhase, layoutLeaving } from "../../view/index.js";
import type { Desk } from "../desk/desk.js";
import { layoutOptions, listFrame } from "../desk/list-frame.js";
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
  return listFrame(desk, size, { drawn: layoutLeaving(question, phase, layoutOptions(desk, size)) });
}
