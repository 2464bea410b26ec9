/** Notes about events in the transcript that are not in the file. */
import type { AgentEvent, ModelFailure } from "@bough/agent/agent/index.js";
import { noticeText } from "@bough/session/text/index.js";
import { extensionProblemSentence } from "../../../command/index.js";
import type { PassingNote } from "../transcript/passing-notes.js";

/** Events that the transcript shows although they are not in the file. */
export function eventNote(event: AgentEvent): PassingNote | undefined {
  switch (event.type) {
    case "notice":
      // The answer already says that it was truncated, so add only the hint.
      if (event.about === "output-limit") {
        return event.hint === undefined ? undefined : { text: event.hint, level: "info" };
      }
      return { text: noticeText(event), level: event.level };
    case "extension_problem":
      return { text: extensionProblemSentence(event), level: "warning" };
    case "run_end":
      if (event.outcome.kind !== "failed") return undefined;
      if (event.outcome.by !== undefined) return { text: noticeText(event.outcome.failure), level: "error" };
      return failureNote(event.outcome.failure);
    default:
      return undefined;
  }
}

/**
 * A model failure is an entry of its own; the advice is not. If the run could not even start, the status line shows
 * both.
 */
function failureNote({ kind, hint }: ModelFailure): PassingNote | undefined {
  if (hint === undefined || kind === "unknown") return undefined;
  // In a session, keys are saved without leaving it.
  const text = hint.replace(/`bough login ([^`]+)`/, "/login $1");
  return { text, level: "info", isAdvice: true };
}
