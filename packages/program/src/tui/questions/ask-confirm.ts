/**
 * A question answered with Enter or Esc, with its consequence. Its text is shown unchanged, because it may be a
 * command.
 */
import { visibleText } from "@bough/session/text/index.js";
import { span } from "@bough/session/view/index.js";
import { wrapWords } from "@bough/session/view/internal.js";
import type { PanelHost } from "../host/panel-host.js";
import { askChoice } from "./ask-choice.js";
import { type TypingOptions, typingGuard } from "./typing-guard.js";

interface ConfirmQuestion {
  readonly title: string;
  readonly message?: string;
  readonly yes?: string;
  readonly no?: string;
  /** What Enter answers. Default `yes`. */
  readonly enter?: "yes" | "no" | undefined;
  /** For a question that appears unprompted: what the user is typing does not answer it. */
  readonly typing?: TypingOptions;
}

export function askConfirm(
  host: PanelHost,
  { title, message, yes = "yes", no = "no", enter = "yes", typing }: ConfirmQuestion,
): Promise<boolean> {
  return askChoice(host, {
    name: "confirm",
    ...(typing === undefined ? {} : typingGuard(host, typing)),
    lines: ({ width }) => [
      ...wrapWords(visibleText(title).text, width - 2).map((line) => [span(` ${line}`, "strong")]),
      ...(message === undefined
        ? []
        : wrapWords(visibleText(message).text, width - 2).map((line) => [span(` ${line}`)])),
    ],
    choices: [
      { keys: enter === "yes" ? ["enter", "y"] : ["y"], answer: true, label: yes },
      { keys: enter === "yes" ? ["esc", "n"] : ["enter", "esc", "n"], answer: false, label: no },
    ],
    cancel: false,
  });
}
