/** Replays a path of the session as updates, for `session/load`. */
import type { SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import {
  type AgentMessage,
  type EntryId,
  type SessionEntry,
  type TodoItem,
  type ToolResultMessage,
  todoIn,
} from "@bough/session/entry/index.js";
import { contentUpdates, entryMeta, textUpdate } from "./message-updates.js";
import { planUpdate } from "./plan-update.js";
import { callFinished, callStarted, textContent, toolKind } from "./tool-call.js";

interface HistoryOptions {
  readonly cwd: string;
}

/** Entries from the root to the leaf, one at a time. Includes everything on the path that was shown to the user. */
export function* historyUpdates(path: Iterable<SessionEntry>, { cwd }: HistoryOptions): Generator<SessionUpdate> {
  /** Calls without a result so far, with their input. */
  const open = new Map<string, unknown>();
  for (const entry of path) {
    switch (entry.type) {
      case "message":
        yield* messageUpdates(entry.id, entry.message, { cwd, open });
        yield* planned(todoIn(entry));
        break;
      case "custom_message":
        if (entry.display !== false) {
          yield* contentUpdates(entry.content, { as: "agent_message_chunk", messageId: entry.id, entryId: entry.id });
        }
        break;
      case "compaction":
      case "branch_summary":
        yield textUpdate(`${SUMMARIES[entry.type]}\n\n${entry.summary}`, {
          as: "agent_message_chunk",
          messageId: entry.id,
          entryId: entry.id,
        });
        break;
      default:
    }
  }
  yield* interrupted(open);
}

const SUMMARIES = {
  compaction: "**Earlier messages are summarized.** The model sees this instead of them:",
  branch_summary: "**Summary of the previous branch:**",
} as const;

interface MessageParts extends HistoryOptions {
  readonly open: Map<string, unknown>;
}

function* messageUpdates(entryId: EntryId, message: AgentMessage, parts: MessageParts): Generator<SessionUpdate> {
  const { cwd, open } = parts;
  const said = { messageId: entryId, entryId };
  switch (message.role) {
    case "user":
      // Earlier calls will not get a result any more.
      yield* interrupted(open);
      yield* contentUpdates(message.content, { as: "user_message_chunk", ...said });
      return;
    case "custom":
      if (message.display) yield* contentUpdates(message.content, { as: "agent_message_chunk", ...said });
      return;
    case "assistant":
      for (const block of Array.isArray(message.content) ? message.content : []) {
        if (block.type === "text" && block.text !== "") {
          yield textUpdate(block.text, { as: "agent_message_chunk", ...said });
        } else if (block.type === "thinking" && block.thinking !== "") {
          yield textUpdate(block.thinking, { as: "agent_thought_chunk", ...said });
        } else if (block.type === "toolCall") {
          open.set(block.id, block.arguments);
          const call = callStarted({ id: block.id, name: block.name, input: block.arguments }, cwd);
          yield { sessionUpdate: "tool_call", ...call, ...entryMeta(entryId) };
        }
      }
      return;
    case "toolResult":
      yield resultUpdate(entryId, message, { cwd, input: open.get(message.toolCallId), hasTerminal: false });
      open.delete(message.toolCallId);
      return;
    case "bashExecution":
      yield {
        sessionUpdate: "tool_call",
        toolCallId: entryId,
        title: `bash ${message.command}`,
        kind: toolKind("bash"),
        status: message.exitCode === 0 ? "completed" : "failed",
        content: [textContent(message.output)],
        rawInput: { command: message.command },
        ...entryMeta(entryId),
      };
      return;
    default:
  }
}

function* planned(items: readonly TodoItem[] | undefined): Generator<SessionUpdate> {
  if (items !== undefined) yield planUpdate(items);
}

interface ResultParts extends HistoryOptions {
  readonly input: unknown;
  readonly hasTerminal: boolean;
}

/** A result in the session means that the call is complete. */
export function resultUpdate(entryId: EntryId, result: ToolResultMessage, parts: ResultParts): SessionUpdate {
  return {
    sessionUpdate: "tool_call_update",
    ...callFinished({ result, ...parts }),
    status: result.isError ? "failed" : "completed",
    ...entryMeta(entryId),
  };
}

function* interrupted(open: Map<string, unknown>): Generator<SessionUpdate> {
  for (const id of open.keys()) {
    yield {
      sessionUpdate: "tool_call_update",
      toolCallId: id,
      status: "failed",
      content: [textContent("Interrupted before it had a result.")],
    };
  }
  open.clear();
}
