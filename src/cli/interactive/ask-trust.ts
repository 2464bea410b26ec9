/** Asks whether a project may load its own extensions and permissions. */
import { visibleText } from "../../text/index.js";
import type { PanelHost } from "../../tui/index.js";
import { askChoice } from "../../tui/index.js";
import { span } from "../../view/index.js";
import { wrapWords } from "../../view/internal.js";
import type { TrustAnswer, TrustQuestion } from "../start/prepare-agent.js";

const MOST_SHOWN = 6;

export function askTrust(host: PanelHost, { folder, brings }: TrustQuestion): Promise<TrustAnswer> {
  const more = brings.length > MOST_SHOWN ? [`and ${brings.length - MOST_SHOWN} more`] : [];
  const sentences = [
    `This project wants to load its own extensions or permissions: ${folder}`,
    ...brings.slice(0, MOST_SHOWN).map((thing) => `  ${thing}`),
    ...more,
    "Extensions run with your full permissions. Load them?",
  ];
  return askChoice<TrustAnswer>(host, {
    name: "trust",
    lines: ({ width }) =>
      sentences
        .flatMap((text) => wrapWords(visibleText(text, { newlines: "escape" }).text, width - 2))
        .map((line) => [span(` ${line}`)]),
    // No letter and no number answers: the question is there when the program starts, and people begin to type before they read it.
    choices: [
      { keys: ["enter"], answer: "not-now", label: "not now", detail: "ask again next time" },
      { keys: ["ctrl+y"], answer: "yes", label: "yes", detail: "always load them here", broad: true },
      { keys: ["ctrl+o"], answer: "once", label: "once", detail: "only this time", broad: true },
      { keys: ["ctrl+n"], answer: "no", label: "never", detail: "never load them here", broad: true },
    ],
    cancel: "not-now",
  });
}
