/** /session: file, counts, tokens and cost. */

import { todoOnPath } from "@bough/agent/agent/internal.js";
import { counted, shortCount, titleOf } from "@bough/session/text/index.js";
import { readArguments } from "../arguments.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { shownOr } from "../outcome.js";

export const SESSION_COMMAND: Command = {
  name: "session",
  aliases: ["cost", "status"],
  group: "session",
  usage: "",
  summary: "Show this session's file, counts, tokens and cost",
  details: "For the current path and for the whole session.",
  async run(context, args) {
    readArguments(args, { most: 0 });
    return shownOr(context, { screen: "session" }, () => statistics(context));
  },
};

const TODO_WORDS = { pending: "To do", in_progress: "Doing", done: "Done" } as const;

function statistics({ agent }: CommandContext): CommandOutcome {
  const stats = agent.getStats();
  const todo = todoOnPath(agent.session);
  const totals = ({ entries, userMessages, toolCalls, usage }: typeof stats.path): string => {
    const cost = usage.unpriced > 0 ? "" : `, $${usage.dollars.toFixed(2)}`;
    const parts = [
      counted(entries, "entry", "entries"),
      counted(userMessages, "prompt"),
      counted(toolCalls, "tool call"),
    ];
    return `${parts.join(", ")}, ${shortCount(usage.tokens)} tokens${cost}`;
  };
  const lines = [
    ...(stats.name === undefined ? [] : [titleOf(stats.name)]),
    `Session ${stats.sessionId}`,
    `File ${stats.file === undefined ? "none (in memory only)" : titleOf(stats.file, 400)}`,
    `This path: ${totals(stats.path)}`,
    `All ${counted(stats.branches, "branch", "branches")}: ${totals(stats.session)}`,
    `Context: about ${shortCount(stats.context.tokens)} tokens`,
    ...todo.map(({ text, status }) => `${TODO_WORDS[status]}: ${titleOf(text, 400)}`),
  ];
  return { kind: "done", message: lines.join("\n"), data: todo.length === 0 ? stats : { ...stats, todo } };
}
