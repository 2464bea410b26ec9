/** The question where a label is on another entry already. */
import { span, wrapWords } from "../../view/index.js";
import type { Desk } from "../desk/desk.js";
import { askChoice } from "../questions/ask-choice.js";

/** `message` says who has it. */
export function askTaken(desk: Desk, message: string): Promise<"move" | "keep"> {
  return askChoice<"move" | "keep">(desk, {
    name: "label-taken",
    lines: ({ width }) => wrapWords(message, Math.max(1, width - 2)).map((line) => [span(` ${line}`)]),
    choices: [
      { keys: ["enter"], answer: "move", label: "moves it here" },
      { keys: ["esc"], answer: "keep", label: "keeps it there" },
    ],
    cancel: "keep",
  });
}
