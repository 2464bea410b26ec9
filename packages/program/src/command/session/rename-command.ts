/** /rename: the session's name. */
import { titleOf, withoutControls } from "@bough/session/text/index.js";
import { splitWords } from "../arguments.js";
import { readOnly } from "../availability.js";
import type { Command } from "../command.js";
import { unchanged } from "../outcome.js";
import { SENTENCES } from "../sentences.js";

export const RENAME_COMMAND: Command = {
  name: "rename",
  aliases: ["name"],
  group: "session",
  usage: "[name]",
  summary: "Rename this session",
  details: "Without an argument, shows the current name. The name is shown in lists and works with /resume.",
  unavailable: readOnly,
  async run({ agent }, args) {
    const name = withoutControls(splitWords(args).join(" ")).trim();
    const before = agent.session.getSessionName();
    if (name === "")
      return unchanged(before === undefined ? SENTENCES.noName : `This session is "${titleOf(before)}".`);
    if (name === before) return unchanged(SENTENCES.sameName);
    agent.rename(name);
    return { kind: "done", message: SENTENCES.named(titleOf(name)), data: { name } };
  },
};
