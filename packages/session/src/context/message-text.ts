/** The fixed text around anything that is not a user's own message. Changing it breaks every prompt cache. */
import { isFilledString, type JsonRecord, textOfValue } from "./json-value.js";

/** Precedes the summary of a branch that was left. */
export const BRANCH_SUMMARY_PREAMBLE = "The following is a summary of a branch that this conversation came back from:";
/** Precedes the summary of a compaction. */
export const COMPACTION_SUMMARY_PREAMBLE =
  "The following is a summary of the earlier part of this conversation, which is no longer shown:";

export function summaryText(role: "branchSummary" | "compactionSummary", summary: string): string {
  const preamble = role === "branchSummary" ? BRANCH_SUMMARY_PREAMBLE : COMPACTION_SUMMARY_PREAMBLE;
  return `${preamble}\n\n${tagged("summary", summary)}`;
}

/** A shell command or Python code that the user ran: the code, its output, and how it ended. */
export function executionText(message: JsonRecord): string {
  const python = message.role === "pythonExecution";
  const parts = [
    python ? "The user ran this Python code:" : "The user ran this shell command:",
    python ? tagged("code", textOrNothing(message.code)) : tagged("command", textOrNothing(message.command)),
    isFilledString(message.output) ? tagged("output", message.output) : "It printed nothing.",
  ];
  if (message.cancelled === true) parts.push("It was cancelled.");
  if (typeof message.exitCode === "number") parts.push(`Exit code: ${message.exitCode}`);
  if (message.truncated === true) {
    const whole = message.fullOutputPath;
    parts.push(isFilledString(whole) ? `The output was cut. All of it is in ${whole}` : "The output was cut.");
  }
  return parts.join("\n\n");
}

export function fileMentionText(file: JsonRecord): string {
  return `The user mentioned this file:\n\n<file path=${JSON.stringify(textOrNothing(file.path))}>\n${textOrNothing(file.content)}\n</file>`;
}

function tagged(tag: string, text: string): string {
  return `<${tag}>\n${text}\n</${tag}>`;
}

function textOrNothing(value: unknown): string {
  return value === null || value === undefined ? "" : textOfValue(value);
}
