/** The question whether a summary comes along when a branch is left, and the one after a summary failed. */
import type { LeavingAnswer, LeavingQuestion } from "../../command/index.js";
import type { Desk } from "../desk/desk.js";
import type { Frame, Panel, Size } from "../desk/panel.js";
import type { KeyPress } from "../keys/key-press.js";
import { askLongText } from "../questions/ask-long-text.js";
import { leavingFrame } from "./leaving-frame.js";

export interface LeavingFacts {
  /** The very first time: one line more says what a summary is good for. */
  readonly firstTime?: boolean;
  /** The model that would write it. */
  readonly model?: string;
}

/** A panel that was taken away has answered "stay". */
export async function askLeaving(
  desk: Desk,
  question: LeavingQuestion,
  facts: LeavingFacts = {},
): Promise<LeavingAnswer> {
  const answer = await desk.open<LeavingAnswer>((done) => new LeavingPanel(desk, { question, facts, done }));
  return answer ?? { kind: "stay" };
}

export type FailedAnswer = "without" | "again" | "stay";

/** After a summary failed: go without one, try again, or stay. The message says what went wrong and where one is. */
export async function askFailed(desk: Desk, message: string): Promise<FailedAnswer> {
  const answer = await desk.open<FailedAnswer>((done) => failedPanel(desk, message, done));
  return answer ?? "stay";
}

interface LeavingOptions {
  readonly question: LeavingQuestion;
  readonly facts: LeavingFacts;
  readonly done: (answer: LeavingAnswer) => void;
}

class LeavingPanel implements Panel {
  readonly name = "leaving";
  readonly share = "fit";
  readonly keyScope = "leaving";
  readonly #desk: Desk;
  readonly #options: LeavingOptions;

  constructor(desk: Desk, options: LeavingOptions) {
    this.#desk = desk;
    this.#options = options;
  }

  draw(size: Size): Frame {
    const { question, facts } = this.#options;
    return leavingFrame(this.#desk, size, { question, phase: { kind: "ask", ...facts } });
  }

  handleKey(key: KeyPress): boolean {
    const action = this.#desk.keys.actionFor("leaving", key);
    const { done, question } = this.#options;
    switch (action) {
      case "leaving.enter":
        done({ kind: question.preferred });
        return true;
      case "leaving.none":
        done({ kind: "none" });
        return true;
      case "leaving.summary":
        done({ kind: "summary" });
        return true;
      case "leaving.about":
        void this.#askAbout();
        return true;
      case "leaving.never":
        done({ kind: "never" });
        return true;
      case "leaving.stay":
        done({ kind: "stay" });
        return true;
      default:
        // A letter that is no answer was still meant for the question.
        return key.text !== undefined;
    }
  }

  disabledReason(actionId: string): string | undefined {
    return actionId === "leaving.again" ? "No summary has failed." : undefined;
  }

  /** Instructions of as many lines as it takes; Esc returns to the question. */
  async #askAbout(): Promise<void> {
    const { question, done } = this.#options;
    const title = `What should the summary of #${question.branch.number} keep?`;
    const text = await askLongText(this.#desk, { name: "leaving-about", title });
    if (text === undefined) return;
    const instructions = text.trim();
    done(instructions === "" ? { kind: "summary" } : { kind: "summary", instructions });
  }
}

function failedPanel(desk: Desk, message: string, done: (answer: FailedAnswer) => void): Panel {
  const answers: Readonly<Record<string, FailedAnswer>> = {
    "leaving.enter": "without",
    "leaving.none": "without",
    "leaving.again": "again",
    "leaving.stay": "stay",
  };
  return {
    name: "summary-failed",
    share: "fit",
    keyScope: "leaving",
    disabledReason: (actionId) =>
      answers[actionId] === undefined ? "The summary failed: try again, or go without." : undefined,
    draw: (size) => leavingFrame(desk, size, { phase: { kind: "failed", message } }),
    handleKey: (key) => {
      const answer = answers[desk.keys.actionFor("leaving", key) ?? ""];
      if (answer === undefined) return key.text !== undefined;
      done(answer);
      return true;
    },
  };
}
