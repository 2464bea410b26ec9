/** What is said about background jobs, without the command that lists them. */
import type { Job } from "@bough/agent/tool/index.js";
import { visibleText } from "@bough/session/text/index.js";

/** When a job ended by itself: "Job 2 ended (exit code 1): npm run dev" */
export function jobEndedSentence({ id, state, outcome, command }: Job): string {
  return `Job ${id} ${state}${outcome === undefined || state === "stopped" ? "" : ` (${outcome})`}: ${shownCommand(command)}`;
}

/** A command as one short line. */
export function shownCommand(text: string): string {
  const { text: visible } = visibleText(text, { newlines: "escape" });
  return visible.length > 200 ? `${visible.slice(0, 200)}...` : visible;
}
