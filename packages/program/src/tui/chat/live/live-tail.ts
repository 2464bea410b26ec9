/** What is happening and not in the file yet, collected from the agent's events. */
import type { AgentEvent, QueuedTexts, ToolResultMessage } from "@bough/agent/agent/index.js";
import type { AssistantMessage } from "@bough/session/entry/index.js";

export type LivePart =
  | { readonly kind: "text" | "thinking"; readonly text: string }
  /** A call that is still being written: its input is the beginning of some JSON. */
  | {
      readonly kind: "call";
      readonly callId: string;
      readonly name: string;
      readonly text: string;
      /** It has ended, and its entry comes later. */
      readonly result?: ToolResultMessage;
    };

export interface LiveTool {
  readonly name: string;
  readonly input: unknown;
  readonly startedAt: number;
  /** Its output so far. */
  readonly text: string;
  /** For the renderer of an extension. */
  readonly details?: unknown;
}

interface LiveRetry {
  readonly attempt: number;
  /** When the next attempt starts. */
  readonly at: number;
  readonly message: string;
}

interface LiveSummary {
  readonly purpose: "branch" | "compaction";
  readonly startedAt: number;
}

/** The user's own commands. All other calls belong to an answer. */
const OWN_COMMAND = "user-";

/** Raw text: control characters are removed when drawing, because a sequence may arrive in two pieces. */
export class LiveTail {
  #version = 0;
  #running = false;
  /** A prompt whose entry comes later. */
  #prompt: string | undefined;
  /** Another agent answers: its entries come later than what it says, and may end before it. */
  #isDriven = false;
  #answer: LivePart[] | undefined;
  #retry: LiveRetry | undefined;
  #summary: LiveSummary | undefined;
  #queue: QueuedTexts = { steering: [], followUp: [] };
  readonly #tools = new Map<string, LiveTool>();

  /** Increases with every change. */
  get version(): number {
    return this.#version;
  }

  /** A run is in progress. */
  get running(): boolean {
    return this.#running;
  }

  /** A prompt that another agent has, and that is not in the session yet. */
  get prompt(): string | undefined {
    return this.#prompt;
  }

  /** The answer being written; undefined between answers. */
  get answer(): readonly LivePart[] | undefined {
    return this.#answer;
  }

  get retry(): LiveRetry | undefined {
    return this.#retry;
  }

  get summary(): LiveSummary | undefined {
    return this.#summary;
  }

  get queue(): QueuedTexts {
    return this.#queue;
  }

  tool(callId: string): LiveTool | undefined {
    return this.#tools.get(callId);
  }

  /** Running commands of the user, which are not part of an answer. */
  get ownCommands(): readonly LiveTool[] {
    return [...this.#tools].filter(([callId]) => callId.startsWith(OWN_COMMAND)).map(([, tool]) => tool);
  }

  /** Whether anything shown changes with time. */
  get hasClock(): boolean {
    return this.#tools.size > 0 || this.#retry !== undefined || this.#summary !== undefined;
  }

  handle(event: AgentEvent, now: number): void {
    this.#version += 1;
    switch (event.type) {
      case "run_start":
        this.#running = true;
        return;
      case "run_end":
        this.#running = false;
        this.#forgetRun();
        return;
      case "session_changed":
      case "moved":
        this.#answer = undefined;
        return;
      case "prompt_sent":
        this.#prompt = event.text;
        this.#isDriven = true;
        return;
      case "message_start":
        if (event.role !== "assistant") return;
        this.#answer = [];
        this.#retry = undefined;
        return;
      case "message_update":
        this.#grow({ kind: event.part, text: event.delta });
        return;
      case "tool_input":
        this.#grow({ kind: "call", callId: event.toolCallId, name: event.toolName, text: event.delta });
        return;
      case "message_end":
        if (event.message.role === "user") this.#prompt = undefined;
        if (event.message.role === "assistant")
          this.#answer = this.#isDriven ? partsAfter(event.message, this.#answer) : undefined;
        if (event.message.role === "bashExecution") this.#forgetOwnCommands();
        return;
      case "tool_start":
        this.#tools.set(event.toolCallId, { name: event.toolName, input: event.input, startedAt: now, text: "" });
        return;
      case "tool_update": {
        const tool = this.#tools.get(event.toolCallId);
        if (tool !== undefined) this.#tools.set(event.toolCallId, { ...tool, ...event.update });
        return;
      }
      case "tool_end":
        this.#tools.delete(event.toolCallId);
        this.#ended(event.toolCallId, event.result);
        return;
      case "retry":
        this.#answer = undefined;
        this.#retry = { attempt: event.attempt, at: now + event.delayMs, message: event.failure.message };
        return;
      case "queue":
        this.#queue = { steering: event.steering, followUp: event.followUp };
        return;
      case "summary_start":
        this.#summary = { purpose: event.purpose, startedAt: now };
        return;
      case "summary_end":
        this.#summary = undefined;
        return;
      default:
    }
  }

  #grow(piece: LivePart): void {
    this.#answer ??= [];
    const last = this.#answer.at(-1);
    if (last === undefined || !continues(last, piece)) this.#answer.push(piece);
    else this.#answer[this.#answer.length - 1] = { ...last, text: last.text + piece.text };
  }

  #ended(callId: string, result: ToolResultMessage): void {
    const at = this.#answer?.findIndex((part) => part.kind === "call" && part.callId === callId) ?? -1;
    const part = this.#answer?.[at];
    if (this.#answer !== undefined && part?.kind === "call") this.#answer[at] = { ...part, result };
  }

  /** However a run ended, drop its state. */
  #forgetRun(): void {
    this.#prompt = undefined;
    this.#isDriven = false;
    this.#answer = undefined;
    this.#retry = undefined;
    for (const callId of [...this.#tools.keys()]) if (!callId.startsWith(OWN_COMMAND)) this.#tools.delete(callId);
  }

  #forgetOwnCommands(): void {
    for (const callId of [...this.#tools.keys()]) if (callId.startsWith(OWN_COMMAND)) this.#tools.delete(callId);
  }
}

/** What was said after a message; undefined if that is nothing, or if the message was not shown like this. */
function partsAfter({ content }: AssistantMessage, parts: readonly LivePart[] = []): LivePart[] | undefined {
  const calls = new Set(content.flatMap((block) => (block.type === "toolCall" ? [block.id] : [])));
  const words = (text: string) => text.replace(/\s+/g, "");
  let said = words(content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(""));
  for (const [at, part] of parts.entries()) {
    if (part.kind === "thinking" || (part.kind === "call" && calls.has(part.callId))) continue;
    const text = words(part.text);
    if (part.kind === "text" && said !== "" && said.startsWith(text)) {
      said = said.slice(text.length);
      continue;
    }
    // One part may have the texts of two answers.
    if (part.kind === "text" && said !== "" && text.startsWith(said))
      return [{ ...part, text: part.text.slice(lengthOf(part.text, said.length)) }, ...parts.slice(at + 1)];
    return at === 0 ? undefined : parts.slice(at);
  }
  return undefined;
}

/** How many characters of a text have so many that are not blanks. */
function lengthOf(text: string, count: number): number {
  let at = 0;
  for (let left = count; left > 0 && at < text.length; at++) if (!/\s/.test(text[at] as string)) left -= 1;
  return at;
}

function continues(last: LivePart, piece: LivePart): boolean {
  if (last.kind === "call" || piece.kind === "call") {
    return last.kind === "call" && piece.kind === "call" && last.callId === piece.callId;
  }
  return last.kind === piece.kind;
}
