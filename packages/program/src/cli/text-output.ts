import type { AgentEvent, RunOutcome } from "@bough/agent/agent/index.js";
import { withoutControls } from "@bough/session/text/index.js";
import { extensionProblemSentence } from "../command/door.js";
import { wordsOf } from "./outcome-words.js";
import type { PrintOutput } from "./print-output.js";
import { safeJson } from "./safe-json.js";

interface TextOutputOptions {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Terminals interpret control characters; a file keeps them. */
  readonly isTerminal: boolean;
  /** Whether to report progress; warnings and errors are always reported. */
  readonly verbose: boolean;
}

/** The answer goes to standard output, alone; everything else to standard error. */
export function textOutput({ write, writeError, isTerminal, verbose }: TextOutputOptions): PrintOutput {
  const say = (text: string) => writeError(`bough: ${withoutControls(text)}\n`);
  return {
    begin: () => {},
    event(event) {
      const told = progress(event);
      if (told !== undefined && (verbose || told.always)) say(told.text);
    },
    end(outcome) {
      const answer = answerOf(outcome);
      if (answer !== "") write(`${isTerminal ? withoutControls(answer) : answer}\n`);
    },
    errorReport: () => {},
    result: () => {},
  };
}

/** The answer, or the JSON that matches the schema if one was given. */
function answerOf(outcome: RunOutcome): string {
  if (outcome.kind !== "done") return "";
  return outcome.output === undefined ? wordsOf(outcome) : safeJson(outcome.output);
}

/** Events that get a line. */
function progress(event: AgentEvent): { readonly text: string; readonly always: boolean } | undefined {
  const now = (text: string) => ({ text, always: false });
  switch (event.type) {
    case "tool_start":
      return now(`${event.toolName} ${shortened(JSON.stringify(event.input) ?? "")}`);
    case "retry":
      return now(`${event.failure.message}; retrying in ${Math.ceil(event.delayMs / 1000)} s`);
    case "summary_start":
      return now("Writing a summary");
    case "run_end":
      return event.outcome.kind === "cancelled" ? now(`Handled by ${event.outcome.by}`) : undefined;
    case "extension_problem":
      return { text: extensionProblemSentence(event), always: true };
    case "notice": {
      const text = event.hint === undefined ? event.message : `${event.message}\n  ${event.hint}`;
      return { text, always: event.level !== "info" };
    }
    default:
      return undefined;
  }
}

function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}
