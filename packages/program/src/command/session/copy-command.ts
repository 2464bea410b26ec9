/** /copy: text to the clipboard. */
import { entryText } from "@bough/session/entry/index.js";
import { readArguments } from "../arguments.js";
import { empty } from "../availability.js";
import type { Command } from "../command.js";
import { placeCompletions } from "../completions.js";
import { unchanged } from "../outcome.js";
import { resolveReference } from "../reference.js";
import { SENTENCES } from "../sentences.js";
import { lastAnswer } from "./last-answer.js";

export const COPY_COMMAND: Command = {
  name: "copy",
  group: "session",
  usage: "[id|label]",
  summary: "Copy the last answer, or the text of an entry",
  details: "Copies the raw text to the terminal's clipboard.",
  complete: placeCompletions,
  unavailable: empty,
  async run(context, args) {
    const { words } = readArguments(args, { most: 1 });
    const { session } = context.agent;
    const entry = words[0] === undefined ? lastAnswer(session) : session.getEntry(resolveReference(context, words[0]));
    const text = entry === undefined ? "" : entryText(entry);
    if (text === "") return unchanged(words[0] === undefined ? SENTENCES.nothingToCopy : SENTENCES.noText);
    context.front.copy(text);
    return { kind: "done", message: SENTENCES.copied(text), data: { entryId: entry?.id, text } };
  },
};
