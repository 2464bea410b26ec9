import type { AgentEvent, RunOutcome } from "@bough/agent/agent/index.js";
import { describe, expect, test } from "vitest";
import { textOutput } from "./text-output.js";

const answer = (text: string, stopReason = "stop") =>
  ({
    kind: "done",
    message: { role: "assistant", content: [{ type: "text", text }], stopReason },
  }) as unknown as RunOutcome;

function printed(
  outcome: RunOutcome,
  options: { readonly events?: readonly AgentEvent[]; readonly verbose?: boolean; readonly isTerminal?: boolean } = {},
): readonly [string, string] {
  let out = "";
  let errors = "";
  const output = textOutput({
    write: (text) => {
      out += text;
    },
    writeError: (text) => {
      errors += text;
    },
    isTerminal: options.isTerminal ?? false,
    verbose: options.verbose ?? false,
  });
  for (const event of options.events ?? []) output.event(event);
  output.end(outcome);
  return [out, errors];
}

const EVENTS: readonly AgentEvent[] = [
  { type: "tool_start", toolCallId: "1", toolName: "read", input: { path: "a.txt" } },
  { type: "notice", level: "warning", message: "Careful", hint: "Look twice." },
  { type: "notice", level: "error", message: "Broken\u001b[2J" },
  { type: "extension_problem", extension: "gate", event: "tool_call", message: "threw" },
];

describe("textOutput", () => {
  test("prints only the answer; on standard error only warnings and errors", () => {
    expect(printed(answer("Done.\n"), { events: EVENTS })).toEqual([
      "Done.\n",
      "bough: Careful\n  Look twice.\nbough: Broken\nbough: The extension gate failed (tool_call): threw\n",
    ]);
  });

  test("reports everything on request", () => {
    expect(printed(answer("Done."), { events: EVENTS, verbose: true })[1]).toBe(
      'bough: read {"path":"a.txt"}\nbough: Careful\n  Look twice.\nbough: Broken\n' +
        "bough: The extension gate failed (tool_call): threw\n",
    );
  });

  test("removes control characters for a terminal, and keeps them in a file", () => {
    const text = "a\u001b]0;title\u0007b\tc\r\nd";
    expect(printed(answer(text), { isTerminal: true })[0]).toBe("ab\tc\nd\n");
    expect(printed(answer(text))[0]).toBe(`${text}\n`);
  });

  test("prints the part of an answer that was cut off, or nothing if there is none", () => {
    expect(printed(answer("Half", "length"))).toEqual(["Half\n", ""]);
    expect(printed({ kind: "cancelled", by: "gate" })).toEqual(["", ""]);
  });
});
