/** Converts events of a running agent to updates, in order. */
import { randomUUID } from "node:crypto";
import type { SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import type { AgentEvent, AgentMessage, EntryId } from "@bough/agent/agent/index.js";
import { defined, noticeLine, shortCount } from "@bough/session/text/index.js";
import { extensionProblemSentence } from "../../../command/index.js";
import type { ClientFacts } from "../client/client-facts.js";
import { resultUpdate } from "./history-updates.js";
import { contentUpdates, entryMeta, textUpdate } from "./message-updates.js";
import { callStarted, textContent } from "./tool-call.js";

interface LiveOptions {
  readonly cwd: string;
  readonly facts: ClientFacts;
  readonly send: (update: SessionUpdate) => void;
  /** A message was saved, so totals and the title may have changed. */
  readonly onMessage: (entryId: EntryId, role: AgentMessage["role"]) => void;
  /** The model or the permission mode changed. */
  readonly onSettings: () => void;
  readonly log: (line: string) => void;
}

type Notice = Extract<AgentEvent, { readonly type: "notice" }>;

/** For the client, a call is complete once its result is saved: what was acknowledged survives a kill. */
export class LiveUpdates {
  readonly #options: LiveOptions;
  /** The input of this turn's calls. */
  readonly #inputs = new Map<string, unknown>();
  readonly #terminals = new Set<string>();
  readonly #entries = new Map<string, EntryId>();
  #messageId: string = randomUUID();
  #compactionId: string | undefined;

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  /** The entry of a message that was shown while it streamed. */
  entryOf(messageId: string): EntryId | undefined {
    return this.#entries.get(messageId);
  }

  /** The output of this call goes to a terminal of the client. */
  hasTerminal(callId: string): void {
    this.#terminals.add(callId);
  }

  hear(event: AgentEvent): void {
    const { send, cwd } = this.#options;
    switch (event.type) {
      case "message_start":
        this.#messageId = randomUUID();
        return;
      case "message_update": {
        const as = event.part === "text" ? "agent_message_chunk" : "agent_thought_chunk";
        if (event.delta !== "") send(textUpdate(event.delta, { as, messageId: this.#messageId }));
        return;
      }
      case "message_end":
        this.#messageEnd(event.entryId, event.message);
        return;
      case "tool_start": {
        const { toolCallId: id, toolName: name, input } = event;
        this.#inputs.set(id, input);
        send({ sessionUpdate: "tool_call", ...callStarted({ id, name, input }, cwd) });
        return;
      }
      case "tool_update":
        if (this.#terminals.has(event.toolCallId)) return;
        send({
          sessionUpdate: "tool_call_update",
          toolCallId: event.toolCallId,
          content: [textContent(event.update.text)],
        });
        return;
      case "retry":
        this.#messageId = randomUUID();
        this.#notice({ type: "notice", level: "warning", message: `${event.failure.message}. Trying again.` });
        return;
      case "summary_start":
        if (event.purpose === "compaction") this.#compaction("in_progress");
        return;
      case "summary_end":
        if (event.purpose === "compaction" && event.outcome !== "done") this.#compaction("failed");
        return;
      case "compacted":
        this.#compacted(event);
        return;
      case "model_changed":
        this.#options.onSettings();
        return;
      case "extension_problem":
        this.#notice({ type: "notice", level: "warning", message: extensionProblemSentence(event) });
        return;
      case "notice":
        this.#notice(event);
        return;
      default:
    }
  }

  #messageEnd(entryId: EntryId, message: AgentMessage): void {
    const { send, cwd, onMessage } = this.#options;
    if (message.role === "toolResult") {
      const { toolCallId } = message;
      const hasTerminal = this.#terminals.has(toolCallId);
      send(resultUpdate(entryId, message, { cwd, input: this.#inputs.get(toolCallId), hasTerminal }));
      this.#inputs.delete(toolCallId);
      this.#terminals.delete(toolCallId);
    } else if (message.role === "assistant") {
      this.#entries.set(this.#messageId, entryId);
      send({
        sessionUpdate: "session_info_update",
        ...entryMeta(entryId, { messageId: this.#messageId, role: "assistant" }),
      });
    } else if (message.role === "custom" && message.display) {
      for (const update of contentUpdates(message.content, {
        as: "agent_message_chunk",
        messageId: entryId,
        entryId,
      })) {
        send(update);
      }
    } else if (message.role === "user") {
      send({ sessionUpdate: "session_info_update", ...entryMeta(entryId, { role: "user" }) });
    }
    onMessage(entryId, message.role);
  }

  #compaction(status: "in_progress" | "failed"): void {
    const { facts, send } = this.#options;
    if (!facts.compaction) return;
    this.#compactionId ??= randomUUID();
    send({ sessionUpdate: "compaction_update", compactionId: this.#compactionId, status });
    if (status === "failed") this.#compactionId = undefined;
  }

  #compacted({ entryId, tokensBefore, tokensAfter }: Extract<AgentEvent, { readonly type: "compacted" }>): void {
    const { facts, send, onMessage } = this.#options;
    const text = `Summarized ${shortCount(tokensBefore)} tokens into ${shortCount(tokensAfter)}.`;
    if (facts.compaction) {
      const compactionId = this.#compactionId ?? randomUUID();
      this.#compactionId = undefined;
      const summary = [{ type: "text", text } as const];
      send({ sessionUpdate: "compaction_update", compactionId, status: "completed", summary, ...entryMeta(entryId) });
    } else this.#say(`${text}\n\n`);
    onMessage(entryId, "compactionSummary");
  }

  /** For clients without notices, important ones become messages; the rest goes to the log. */
  #notice({ level, message, hint }: Notice): void {
    const { facts, send, log } = this.#options;
    const text = noticeLine({ message, hint });
    log(`${level}: ${text}`);
    if (facts.notices) {
      send({ sessionUpdate: "notice", severity: level, title: message, ...defined({ description: hint }) });
    } else if (level !== "info") this.#say(`${level === "error" ? "Error" : "Warning"}: ${text}\n\n`);
  }

  #say(text: string): void {
    this.#options.send(textUpdate(text, { as: "agent_message_chunk", messageId: randomUUID() }));
  }
}
