/** Prints what an agent does as lines of text, in order. */
import type { AgentEvent } from "@bough/agent/agent/index.js";
import { firstWords, noticeText, withoutControls } from "@bough/session/text/index.js";
import { toolTitle, toolTrouble } from "@bough/session/view/internal.js";
import { automaticCompactionNotice, extensionProblemSentence } from "../../command/index.js";

/** Answers stream; everything else is a line of its own. */
export class PlainEvents {
  readonly #write: (text: string) => void;
  /** Whether the last output did not end its line. */
  #open = false;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  say(text: string): void {
    this.#endLine();
    this.#write(`${withoutControls(text)}\n`);
  }

  handle(event: AgentEvent): void {
    if (event.type === "message_update" && event.part === "text") this.#stream(event.delta);
    if (event.type === "message_end" || event.type === "run_end") this.#endLine();
    const told = sentenceFor(event);
    if (told !== undefined) this.say(told);
  }

  #stream(delta: string): void {
    const text = withoutControls(delta);
    if (text === "") return;
    this.#write(text);
    this.#open = !text.endsWith("\n");
  }

  #endLine(): void {
    if (this.#open) this.#write("\n");
    this.#open = false;
  }
}

/** Events that get a line of their own. */
function sentenceFor(event: AgentEvent): string | undefined {
  switch (event.type) {
    case "message_end":
      return event.message.role === "assistant" && event.message.stopReason === "aborted" ? "Stopped." : undefined;
    case "tool_start":
      return `tool: ${firstWords(toolTitle(event.toolName, event.input as Record<string, unknown>), 200)}`;
    case "tool_end":
      return event.result.isError ? `tool ${toolTrouble(event.result.details)}: ${event.toolName}` : undefined;
    case "retry":
      return `${event.failure.message}; retrying in ${Math.ceil(event.delayMs / 1000)} seconds`;
    case "run_end":
      return event.outcome.kind === "failed"
        ? noticeText({ ...event.outcome.failure, message: `error: ${event.outcome.failure.message}` })
        : undefined;
    case "summary_start":
      return "Writing a summary. Ctrl+C stops it.";
    case "compacted":
      return event.automatic ? noticeText(automaticCompactionNotice(event)) : undefined;
    case "extension_problem":
      return `warning: ${extensionProblemSentence(event)}`;
    case "notice":
      return noticeText({ ...event, message: `${event.level === "info" ? "" : `${event.level}: `}${event.message}` });
    default:
      return undefined;
  }
}
