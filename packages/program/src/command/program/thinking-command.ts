/** /thinking: how much the model thinks. */
import { THINKING_LEVELS } from "@bough/agent/model/index.js";
import { driverOption } from "../agent/driver-option.js";
import { readArguments, wrongArguments } from "../arguments.js";
import type { Command } from "../command.js";
import { choices } from "../completions.js";
import { shown, unchanged } from "../outcome.js";
import { SENTENCES, thinkingSentence } from "../sentences.js";

export const THINKING_COMMAND: Command = {
  name: "thinking",
  group: "model",
  usage: `[${THINKING_LEVELS.join("|")}]`,
  summary: "Set the thinking level",
  details:
    "Applies from the next step and is saved on this branch. Without an argument, lists the levels. While another agent does the turns, these are its own.",
  complete: (_context, typed) => choices(THINKING_LEVELS, typed),
  async run(context, args) {
    const { words } = readArguments(args, { most: 1 });
    const { agent, front } = context;
    const { driver } = agent;
    if (driver !== undefined) return driverOption(context, driver, { option: "effort", wanted: words[0] ?? "" });
    if (words[0] === undefined) {
      if (front.screens.has("thinking")) return shown(front, { screen: "thinking" });
      const levels = THINKING_LEVELS.map((level) => `${level === agent.thinkingLevel ? "@" : " "} ${level}`);
      return {
        kind: "done",
        message: levels.join("\n"),
        hint: "/thinking <level> chooses one.",
        data: { level: agent.thinkingLevel, levels: THINKING_LEVELS },
      };
    }
    const wanted = words[0].toLowerCase();
    const level = THINKING_LEVELS.find((known) => known === wanted);
    if (level === undefined) throw wrongArguments("Unknown level");
    if (level === agent.thinkingLevel) return unchanged(SENTENCES.sameLevel);
    agent.setThinkingLevel(level);
    const unused = agent.model?.info.reasoning === false && level !== "off";
    return { kind: "done", message: thinkingSentence(level, unused ? "ignored" : "used"), data: { level } };
  },
};
