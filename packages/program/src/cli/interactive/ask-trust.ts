/** Asks whether a project may load its own extensions and permissions. */
import { visibleText } from "@bough/session/text/index.js";
import { span } from "@bough/session/view/index.js";
import { wrapWords } from "@bough/session/view/internal.js";
import type { PanelHost } from "../../tui/index.js";
import { askChoice } from "../../tui/index.js";
import type { TrustAnswer, TrustQuestion } from "../start/prepare-agent.js";

const MOST_SHOWN = 6;

export function askTrust(host: PanelHost, question: TrustQuestion): Promise<TrustAnswer> {
  const { folder, extensions, settings, agents = [] } = question;
  const brings = [...extensions, ...settings.map(({ file, field }) => `${file} (${field})`), ...agents];
  const more = brings.length > MOST_SHOWN ? [`and ${brings.length - MOST_SHOWN} more`] : [];
  const sentences = [
    `This project brings ${broughtWords(question)}: ${folder}`,
    ...brings.slice(0, MOST_SHOWN).map((thing) => `  ${thing}`),
    ...more,
    extensions.length === 0 ? "Use them?" : "Extensions run with your full permissions. Load them?",
  ];
  return askChoice<TrustAnswer>(host, {
    name: "trust",
    lines: ({ width }) =>
      sentences
        .flatMap((text) => wrapWords(visibleText(text, { newlines: "escape" }).text, width - 2))
        .map((line) => [span(` ${line}`)]),
    // No letter or number answers this: it appears when the program starts, and people start typing before they read
    // it.
    choices: [
      { keys: ["enter"], answer: "not-now", label: "not now", detail: "ask again next time" },
      { keys: ["ctrl+y"], answer: "yes", label: "yes", detail: "always use them here", broad: true },
      { keys: ["ctrl+o"], answer: "once", label: "once", detail: "only this time", broad: true },
      { keys: ["ctrl+n"], answer: "no", label: "never", detail: "never use them here", broad: true },
    ],
    cancel: "not-now",
  });
}

/** Names only what the project has: "extensions and permission rules". */
function broughtWords({ extensions, settings, agents = [] }: TrustQuestion): string {
  const rules = settings.filter(({ field }) => field === "permissions");
  return [
    ...(extensions.length === 0 ? [] : ["extensions"]),
    ...(rules.length === 0 ? [] : ["permission rules"]),
    ...(rules.length === settings.length ? [] : ["settings"]),
    ...(agents.length === 0 ? [] : ["agents"]),
  ].join(" and ");
}
