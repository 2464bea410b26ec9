/** What to do with a session that another process has open. */
import { counted, withoutControls } from "@bough/session/text/index.js";
import { span } from "@bough/session/view/index.js";
import { wrapWords } from "@bough/session/view/internal.js";
import type { PanelHost } from "../host/panel-host.js";
import { askChoice } from "./ask-choice.js";

export interface OtherOpener {
  readonly program: string;
  readonly pid: number;
  readonly host: string;
}

/** `branch`: both write, each on its own branch. `look`: read-only. */
export type PresenceAnswer = "branch" | "look" | "cancel";

export function askPresence(host: PanelHost, others: readonly OtherOpener[]): Promise<PresenceAnswer> {
  const names = others.map(({ program, pid, host }) => `${program} (process ${pid} on ${host})`).join(", ");
  const sentence = `This session is open in ${others.length > 2 ? `${counted(others.length, "other process", "other processes")}: ` : ""}${names}.`;
  return askChoice<PresenceAnswer>(host, {
    name: "presence",
    lines: ({ width }) => wrapWords(withoutControls(sentence), width - 2).map((line) => [span(` ${line}`)]),
    choices: [
      {
        keys: ["enter"],
        answer: "branch",
        label: "continue here",
        detail: "each writes its own branch",
      },
      { keys: ["r"], answer: "look", label: "open read-only", detail: "nothing is written from here" },
      { keys: ["esc"], answer: "cancel", label: "cancel" },
    ],
    cancel: "cancel",
  });
}
