/** `todo`: the model's todo list. It is stored in the session, on the branch where it was written. */

import { TODO_STATES, type TodoItem } from "@bough/session/entry/index.js";
import { z } from "zod";
import { defineTool, textResult } from "./define-tool.js";
import type { Tool } from "./tool.js";

const MOST_ITEMS = 50;

const input = z.strictObject({
  items: z
    .array(
      z.strictObject({
        text: z.string().min(1).max(500).describe("The task, in a few words."),
        status: z.enum(TODO_STATES).describe("At most one item is in_progress."),
      }),
    )
    .max(MOST_ITEMS)
    .describe("The full list; it replaces the previous one. An empty list removes it."),
});

export interface TodoDetails {
  readonly items: readonly TodoItem[];
}

const SIGNS: Readonly<Record<TodoItem["status"], string>> = { pending: "[ ]", in_progress: "[>]", done: "[x]" };

export function todoTool(): Tool {
  return defineTool({
    name: "todo",
    description:
      "Keeps a todo list that the user sees. Use it for work of three or more steps: write the list first, set an item to " +
      "in_progress when you start it and to done when it is finished. Send the whole list each time. Not for single steps.",
    input,
    readOnly: true,
    run: async ({ items }) => {
      const lines = items.map(({ text, status }) => `${SIGNS[status]} ${text}`);
      const details: TodoDetails = { items };
      return textResult(lines.length === 0 ? "The todo list is empty." : lines.join("\n"), details);
    },
  });
}
