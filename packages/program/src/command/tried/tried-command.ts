/** /tried: what was attempted before, in the sessions of every agent, and how it ended. */
import { resolve } from "node:path";
import { readArguments } from "../arguments.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { unchanged } from "../outcome.js";

export const TRIED_COMMAND: Command = {
  name: "tried",
  group: "session",
  usage: "<words> [--all]",
  summary: "Show what was tried before, and how it ended",
  details:
    'Looks through the sessions of every agent in this folder for attempts that match the words, or a question; quote "a phrase". If no attempt has all words, the closest are shown. Each is shown with its branch, its prompt and its outcome: kept, left, undone, failed check or error. --all looks through every folder. The first time, all sessions are indexed, which takes a while.',
  async run(context, args) {
    const { words, options } = readArguments(args, { least: 1, options: ["--all"] });
    return lookedUp(context, words, options.has("--all"));
  },
};

async function lookedUp(
  { front, home, cwd, now, agentPlaces }: CommandContext,
  words: readonly string[],
  everywhere: boolean,
): Promise<CommandOutcome> {
  // Loaded on first use, so that startup does not wait for it.
  const { History, indexingSentence, triedText, triedWords } = await import("@bough/workbench/history/index.js");
  const question = { words: triedWords(words), folder: everywhere ? undefined : resolve(cwd) };
  const history = new History({ home, agents: agentPlaces });
  const work = async (signal?: AbortSignal) => {
    signal?.addEventListener("abort", () => void history.close(), { once: true });
    await history.refresh();
    return triedText(history, question, now);
  };
  try {
    const looked =
      front.watch === undefined
        ? ({ kind: "done", value: await work() } as const)
        : await front.watch({ title: () => indexingSentence(history), stops: "the rest is indexed next time", work });
    if (looked.kind === "stopped") return unchanged("Stopped. The rest is indexed next time.");
    const { text, found } = looked.value;
    return found ? { kind: "done", message: text } : unchanged(text);
  } finally {
    await history.close();
  }
}
