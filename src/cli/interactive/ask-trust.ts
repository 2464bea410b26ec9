/** Whether a project's own code and rights count. */
import type { Desk } from "../../tui/index.js";
import { askChoice } from "../../tui/index.js";
import { span, visibleText, wrapWords } from "../../view/index.js";
import type { TrustAnswer, TrustQuestion } from "../start-agent.js";

const MOST_SHOWN = 6;

export function askTrust(desk: Desk, { folder, brings }: TrustQuestion): Promise<TrustAnswer> {
  const more = brings.length > MOST_SHOWN ? [`and ${brings.length - MOST_SHOWN} more`] : [];
  const sentences = [
    `This project brings code or rights of its own: ${folder}`,
    ...brings.slice(0, MOST_SHOWN).map((thing) => `  ${thing}`),
    ...more,
    "Extensions run with all your rights. Use them?",
  ];
  return askChoice<TrustAnswer>(desk, {
    name: "trust",
    lines: ({ width }) =>
      sentences
        .flatMap((text) => wrapWords(visibleText(text, { newlines: "escape" }).text, width - 2))
        .map((line) => [span(` ${line}`)]),
    choices: [
      { keys: ["enter"], answer: "not-now", label: "not now", detail: "asked again next time" },
      { keys: ["y"], answer: "yes", label: "yes", detail: "always, for this folder" },
      { keys: ["o"], answer: "once", label: "once" },
      { keys: ["n"], answer: "no", label: "never", detail: "not asked again for this folder" },
    ],
    cancel: "not-now",
  });
}
