import { expect, test } from "vitest";
import type { AgentEvent } from "./agent-events.js";
import { EventHub } from "./event-hub.js";

const MOVE: AgentEvent = { type: "session_changed" } as AgentEvent;

test.each([
  ["notices", ["notice"]],
  ["everything", ["session_changed", "notice"]],
] as const)("keeps %s from before anyone listens for the first listener alone", (keeps, kept) => {
  const hub = new EventHub({ keeps });
  hub.emit(MOVE);
  hub.notice("info", { message: "Moved.", hint: "/undo to return." });
  const heard: string[][] = [[], []];
  for (const one of heard) hub.subscribe(({ type }) => void one.push(type));
  expect(heard).toEqual([kept, []]);
});

test("a notice has its hint in a separate field, or no hint", () => {
  const hub = new EventHub({ keeps: "everything" });
  hub.notice("warning", "Not synced.");
  hub.notice("info", { message: "Moved.", hint: "/undo to return." });
  const heard: AgentEvent[] = [];
  hub.subscribe((event) => void heard.push(event));
  expect(heard).toStrictEqual([
    { type: "notice", level: "warning", message: "Not synced." },
    { type: "notice", level: "info", message: "Moved.", hint: "/undo to return." },
  ]);
});
