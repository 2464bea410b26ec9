/** Converts the output of a call to a tool result, with details from events meant for the screen. */
import type { SessionEntry, ToolResultMessage } from "@bough/session/entry/index.js";
import { millisecondsOf } from "../conversion/entry-chain.js";
import { foreignId, type Place } from "../foreign-entry.js";
import { type CallEvent, failedCall } from "./call-ledger.js";
import { originFor, originItem } from "./codex-origin.js";
import { readOutput } from "./item-content.js";
import type { RolloutRecord } from "./rollout-record.js";

interface ResultFacts {
  readonly callId: string;
  readonly name: string;
  readonly event: CallEvent | undefined;
  /** The thread of the sub-agent that the call started. */
  readonly thread: string | undefined;
}

export function resultEntry(place: Place, record: RolloutRecord, facts: ResultFacts): SessionEntry {
  const { event, thread } = facts;
  const { output, tools } = record.payload;
  const { blocks, whole, exitCode } = readOutput(output ?? (tools === undefined ? "" : JSON.stringify(tools)));
  const details = {
    ...(event === undefined ? {} : { event: event.details }),
    ...(thread === undefined ? {} : { subagent: foreignId(thread, "subagent") }),
  };
  const failed = event === undefined ? undefined : failedCall(event.details);
  const message: ToolResultMessage = {
    role: "toolResult",
    toolCallId: facts.callId,
    toolName: facts.name,
    content: blocks,
    ...(Object.keys(details).length === 0 ? {} : { details }),
    isError: failed ?? (exitCode !== undefined && exitCode !== 0),
    timestamp: millisecondsOf(place.timestamp),
  };
  const item = originItem(record, { whole: whole && tools === undefined, said: ["call_id"], blocks: blocks.length });
  const origin = originFor(record, [item]);
  return { type: "message", ...place, message, origin } as SessionEntry;
}
