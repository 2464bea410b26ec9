/** Asks whether to bring a summary when leaving a branch, and what to do after a summary failed. */
import type { MoveAnswer, MoveQuestion } from "../../command/index.js";
import type { PanelHost } from "../host/panel-host.js";
import { askLongText } from "../questions/ask-long-text.js";
import { movePanel } from "./move-panel.js";

interface MoveQuestionFacts {
  /** The first time, one more line explains what a summary is for. */
  readonly firstTime?: boolean;
  /** The model that would write the summary. */
  readonly model?: string;
}

/** A panel closed from outside counts as "stay". */
export async function askBeforeMove(
  host: PanelHost,
  question: MoveQuestion,
  facts: MoveQuestionFacts = {},
): Promise<MoveAnswer> {
  const answer = await host.open<MoveAnswer>((done) =>
    movePanel(host, {
      name: "leaving",
      question,
      phase: () => ({ kind: "ask", ...facts }),
      answers: {
        enter: () => done({ kind: question.preferred }),
        none: () => done({ kind: "none" }),
        summary: () => done({ kind: "summary" }),
        about: () => void askAbout(host, question).then((wanted) => wanted && done(wanted)),
        never: () => done({ kind: "never" }),
        stay: () => done({ kind: "stay" }),
      },
      off: "The summary has not failed.",
    }),
  );
  return answer ?? { kind: "stay" };
}

/** Instructions of any number of lines; Esc returns to the question. */
async function askAbout(host: PanelHost, { branch }: MoveQuestion): Promise<MoveAnswer | undefined> {
  const title = `What should the summary of #${branch.number} keep?`;
  const text = await askLongText(host, { name: "leaving-about", title });
  if (text === undefined) return undefined;
  const instructions = text.trim();
  return instructions === "" ? { kind: "summary" } : { kind: "summary", instructions };
}

type FailedAnswer = "without" | "again" | "stay";

/**
 * After a summary failed: continue without one, retry, or stay. The message says what went wrong and where you are;
 * `instead` is what a merge brings without a summary.
 */
export async function askFailed(host: PanelHost, message: string, instead?: "turns"): Promise<FailedAnswer> {
  const answer = await host.open<FailedAnswer>((done) => {
    const without = (): void => done("without");
    return movePanel(host, {
      name: "summary-failed",
      phase: () => ({ kind: "failed", message, instead }),
      answers: { enter: without, none: without, again: () => done("again"), stay: () => done("stay") },
      off: "The summary failed. Retry, or go without it.",
    });
  });
  return answer ?? "stay";
}
