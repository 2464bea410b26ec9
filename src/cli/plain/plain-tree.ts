/** The tree in plain lines: a numbered outline, printed once, and a question what to do. */
import { type CommandOutcome, type CommandWorld, goTo } from "../../command/index.js";
import type { EntryId } from "../../entry/index.js";
import { outlineTree, readOutlineAnswer } from "../../view/index.js";
import type { PlainVoice } from "./plain-questions.js";

/** Asks until a place was chosen or the person had enough. */
export async function plainTree(world: CommandWorld, voice: PlainVoice, search = ""): Promise<CommandOutcome> {
  const opened = new Set<number>();
  let words = search;
  for (;;) {
    const source = world.agent.session.getSource();
    const outline = outlineTree(source, { now: world.now().getTime(), opened, words });
    for (const line of outline.lines) voice.say(line);
    const answer = readOutlineAnswer(
      (await voice.ask("Number to go, b 8 to open a branch, s word to search, q to quit: ")) ?? "q",
    );
    switch (answer.kind) {
      case "quit":
        return { kind: "shown" };
      case "branch":
        if (opened.has(answer.number)) opened.delete(answer.number);
        else opened.add(answer.number);
        break;
      case "search":
        words = answer.words;
        break;
      case "go": {
        const target = outline.targets.get(answer.number);
        if (target !== undefined) return goTo(world, { targetId: source.tree.ids.textOf(target) as EntryId });
        voice.say(`There is no number ${answer.number} in the list.`);
        break;
      }
      case "unknown":
        voice.say("That is not an answer here.");
    }
  }
}
