/** Turns errors into outcomes a user can read. */
import { CodedError } from "@bough/session/entry/index.js";
import { asNotice, defined, type Notice, withoutControls } from "@bough/session/text/index.js";
import type { CommandContext, CommandOutcome, FrontEnd, ScreenRequest } from "./command.js";
import { SENTENCES } from "./sentences.js";

type Unchanged = Extract<CommandOutcome, { kind: "unchanged" }>;

export function unchanged(said: string | Notice, code?: string): Unchanged {
  return { kind: "unchanged", ...asNotice(said), ...defined({ code }) };
}

/** Opens a screen, which does the rest. */
export async function shown(front: FrontEnd, request: ScreenRequest): Promise<CommandOutcome> {
  await front.open(request);
  return { kind: "shown" };
}

/** The same; if there is no such screen, the command does it in text. */
export async function shownOr(
  { front }: CommandContext,
  request: ScreenRequest,
  inText: () => Promise<CommandOutcome> | CommandOutcome,
): Promise<CommandOutcome> {
  return front.screens.has(request.screen) ? shown(front, request) : inText();
}

/** Failures with a code become the outcome. Anything else is a bug and passes. */
export async function asOutcome(work: () => Promise<CommandOutcome> | CommandOutcome): Promise<CommandOutcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CodedError) return unchanged(failureNotice(error));
    throw error;
  }
}

/** Codes whose engine message is replaced with one that fits a terminal. */
const OWN_WORDS: Readonly<Record<string, string | Notice>> = {
  "no-model": SENTENCES.noModel,
  "nothing-to-compact": SENTENCES.nothingToCompact,
};

export function failureNotice({ code, message, hint }: CodedError<string>): Notice {
  const own = OWN_WORDS[code];
  if (own !== undefined) return { ...asNotice(own), code };
  const safe = { message: withoutControls(message), code };
  return hint === undefined ? safe : { ...safe, hint: withoutControls(hint) };
}

export function isSummaryFailure(error: unknown): error is CodedError<string> {
  return error instanceof CodedError && (error.code === "summary-failed" || error.code === "summary-cut-off");
}

/** Why the summary failed, for a sentence that already says it did. No hint: the user is asked what to do. */
export function summaryFailureReason(error: CodedError<string>): string {
  const { reason } = error.data;
  return withoutControls(typeof reason === "string" ? reason : error.message);
}

/** Shows the message at its level and passes the editor text on. */
export function showOutcome(front: FrontEnd, outcome: CommandOutcome): void {
  if (outcome.kind === "done") {
    if (outcome.editorText !== undefined) front.setEditorText(outcome.editorText);
    const { message, hint } = outcome;
    if (message !== undefined) front.tell(asNotice({ message, hint }), "good");
  } else if (outcome.kind === "unchanged") {
    front.tell(asNotice(outcome), outcome.code === undefined ? "info" : "warning");
  }
}
