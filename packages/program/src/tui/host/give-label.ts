/** Labels an entry; asks first if that would move the label from another entry. */

import type { EntryId } from "@bough/session/entry/index.js";
import { span } from "@bough/session/view/index.js";
import { wrapWords } from "@bough/session/view/internal.js";
import { labelEntry } from "../../command/index.js";
import type { ScreenApp } from "../app/screen.js";
import { askChoice } from "../questions/ask-choice.js";
import type { PanelHost } from "./panel-host.js";

/** The notice about it. */
export async function giveLabel(
  { host, context }: ScreenApp,
  request: { readonly entryId: EntryId; readonly label: string },
): Promise<string | undefined> {
  const outcome = await labelEntry(context, request);
  if (outcome.kind !== "done" && outcome.kind !== "unchanged") return undefined;
  if (outcome.kind === "done" || outcome.code !== "label-taken") return outcome.message;
  if ((await askMoveLabel(host, outcome.message)) === "keep") return `"${request.label.trim()}" stays where it was.`;
  const moved = await labelEntry(context, { ...request, taken: "move" });
  return moved.kind === "done" || moved.kind === "unchanged" ? moved.message : undefined;
}

/** The notice names the entry that has the label. */
function askMoveLabel(host: PanelHost, message: string): Promise<"move" | "keep"> {
  return askChoice<"move" | "keep">(host, {
    name: "label-taken",
    lines: ({ width }) => wrapWords(message, Math.max(1, width - 2)).map((line) => [span(` ${line}`)]),
    choices: [
      { keys: ["enter"], answer: "move", label: "moves it here" },
      { keys: ["esc"], answer: "keep", label: "keeps it there" },
    ],
    cancel: "keep",
  });
}
