/** /thinking: how much the model thinks. */

import { THINKING_LEVELS, type ThinkingLevel } from "@bough/agent/model/index.js";
import { runCommandLine, showOutcome } from "../../command/index.js";
import type { Screen } from "../app/screen.js";
import { askSelect } from "../questions/ask-select.js";
import { openDriverOption } from "./open-driver-option.js";

const MEANING: Readonly<Record<ThinkingLevel, string>> = {
  off: "answers at once",
  minimal: "brief",
  low: "for everyday work",
  medium: "for multi-step work",
  high: "for hard problems; slower, and more tokens",
};

export const openThinking: Screen<"thinking"> = async (app) => {
  const { host, context } = app;
  const { driver } = context.agent;
  if (driver !== undefined) return openDriverOption(app, driver, "effort");
  const { agent } = context;
  const silent = agent.model?.info.reasoning === false;
  const level = await askSelect<ThinkingLevel>(host, {
    name: "thinking",
    title: silent ? "Thinking (not supported by this model)" : "Thinking",
    items: THINKING_LEVELS.map((value) => ({
      value,
      label: value,
      detail: value === agent.thinkingLevel ? `${MEANING[value]} (now)` : MEANING[value],
    })),
    selected: agent.thinkingLevel,
  });
  if (level !== undefined) showOutcome(context.front, await runCommandLine(context, `/thinking ${level}`));
};
