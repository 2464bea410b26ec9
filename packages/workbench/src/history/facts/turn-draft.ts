/** A turn that is being assembled from its entries. */
import { contentText, type SessionEntry } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import { type CallFacts, callFacts } from "./call-facts.js";
import { checkIn, commandEnd } from "./check-command.js";
import { cutWords } from "./cut-words.js";
import type { CheckFacts } from "./facts.js";

const LONGEST_PROMPT = 400;
const LONGEST_ANSWER = 400;
const LONGEST_ERROR = 280;
const MOST_ERRORS = 4;
const MOST_FILES = 60;
/** Characters of an output, half from each end, that are searched for the reason of a failure. */
const LOOKED_AT = 6_000;
const FAILURE_WORDS =
  /error|exception|fail|fatal|panic|cannot|can't|not found|denied|refused|undefined|unexpected|expected|timed? ?out|✗|×/i;

export class TurnDraft {
  readonly id: string;
  readonly parent: number;
  readonly branch: number;
  readonly time: number;
  /** Index of its last conversation entry. */
  last: number;
  prompt = "";
  answer = "";
  stopped: "error" | "aborted" | undefined;
  readonly changed = new Set<string>();
  readonly read = new Set<string>();
  check: CheckFacts | undefined;
  readonly errors: string[] = [];
  readonly labels: string[] = [];
  leftBy: string | undefined;
  isLeft = false;
  merged = false;
  summary: number | undefined;
  subagentOf: number | undefined;
  /** Whether no answer followed the last prompt, tool call or tool result. */
  isOpen = true;
  /** Whether the last tool result was a failure that no answer followed. */
  lastToolFailed = false;
  readonly restoredPaths = new Set<string>();
  readonly #calls = new Map<string, CallFacts>();

  constructor(place: Pick<TurnDraft, "id" | "parent" | "branch" | "time" | "last">) {
    this.id = place.id;
    this.parent = place.parent;
    this.branch = place.branch;
    this.time = place.time;
    this.last = place.last;
  }

  addPrompt(text: string): void {
    this.prompt = cutWords(text, LONGEST_PROMPT);
    this.isOpen = true;
  }

  addMessage(entry: SessionEntry): void {
    const message: unknown = (entry as { readonly message?: unknown }).message;
    if (!isRecord(message)) return;
    this.isOpen = message.role === "toolResult" || callsTools(message);
    if (message.role === "assistant") this.#addAnswer(message);
    else if (message.role === "toolResult") this.#addResult(message);
    else if (message.role === "bashExecution") this.#addShell(message);
  }

  addFile(path: string): void {
    if (this.changed.size < MOST_FILES) this.changed.add(path);
  }

  #addAnswer(message: Readonly<Record<string, unknown>>): void {
    const { content, stopReason, errorMessage } = message;
    const text = contentText(content);
    if (text.trim() !== "") {
      this.answer = cutWords(text, LONGEST_ANSWER);
      this.lastToolFailed = false;
    }
    this.stopped = stopReason === "error" || stopReason === "aborted" ? stopReason : undefined;
    if (this.stopped === "error" && typeof errorMessage === "string") this.#addError(errorMessage);
    if (!Array.isArray(content)) return;
    for (const block of content as readonly unknown[]) {
      if (!isRecord(block) || block.type !== "toolCall" || typeof block.id !== "string") continue;
      const input = isRecord(block.arguments) ? block.arguments : {};
      this.#calls.set(block.id, callFacts(typeof block.name === "string" ? block.name : "", input));
    }
  }

  #addResult({ toolCallId, content, isError, details }: Readonly<Record<string, unknown>>): void {
    const call = typeof toolCallId === "string" ? this.#calls.get(toolCallId) : undefined;
    const output = contentText(content);
    const failed = isError === true;
    this.lastToolFailed = failed;
    if (!failed) {
      for (const path of call?.changes ?? []) this.addFile(path);
      for (const path of call?.reads ?? []) if (this.read.size < MOST_FILES) this.read.add(path);
    }
    if (call?.command !== undefined) this.#addCommand(call.command, { output, isError: failed, details });
    else if (failed) this.#addError(output);
  }

  #addShell({ command, output, exitCode }: Readonly<Record<string, unknown>>): void {
    if (typeof command !== "string") return;
    const text = typeof output === "string" ? output : "";
    this.#addCommand(command, { output: text, isError: false, details: { exitCode } });
  }

  #addCommand(
    command: string,
    end: { readonly output: string; readonly isError: boolean; readonly details: unknown },
  ): void {
    const { failed, exitCode } = commandEnd(end.output, end);
    const check = checkIn(command);
    if (check !== undefined) {
      const said = failed ? failureLines(end.output, LONGEST_ERROR) : "";
      this.check = { command: cutWords(check, 120), failed, said, ...(exitCode === undefined ? {} : { exitCode }) };
      // The check records the failure.
      this.lastToolFailed = false;
    }
    if (failed) this.#addError(end.output);
  }

  #addError(text: string): void {
    const said = failureLines(text, LONGEST_ERROR);
    if (said === "" || this.errors.includes(said)) return;
    // Keep the latest ones, which show how the turn ended.
    if (this.errors.length >= MOST_ERRORS) this.errors.shift();
    this.errors.push(said);
  }
}

function callsTools({ content, stopReason }: Readonly<Record<string, unknown>>): boolean {
  if (stopReason === "error" || stopReason === "aborted" || !Array.isArray(content)) return false;
  return (content as readonly unknown[]).some((block) => isRecord(block) && block.type === "toolCall");
}

/** The lines of an output that say what went wrong, joined into one; its last lines if there are none. */
function failureLines(output: string, longest: number): string {
  const text =
    output.length <= LOOKED_AT ? output : `${output.slice(0, LOOKED_AT / 2)}\n${output.slice(-LOOKED_AT / 2)}`;
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const telling = lines.filter((line) => FAILURE_WORDS.test(line));
  const chosen = telling.length > 0 ? telling.slice(0, 4) : lines.slice(-3);
  return cutWords(chosen.join(" | "), longest);
}
