/** A tool call and its result as one block. */
import { resultIn, type SessionEntry, type ToolCallBlock } from "../../entry/index.js";
import { isRecord } from "../../text/index.js";
import type { ToolBlock } from "./block.js";
import { blockStart, imagesIn, messageIn, shownText, textIn } from "./read-content.js";
import { toolTitle } from "./tool-title.js";
import { toolTrouble } from "./tool-trouble.js";

interface PairedCall {
  /** The entry with the call. */
  readonly entry: SessionEntry;
  readonly call: ToolCallBlock;
  readonly result: SessionEntry | undefined;
  readonly running: boolean;
}

export function toolBlock({ entry, call, result, running }: PairedCall): ToolBlock {
  return {
    kind: "tool",
    ...blockStart(entry, `call:${call.id}`),
    callId: call.id,
    name: call.name,
    arguments: call.arguments,
    ...outcomeOf(call, { result, running }),
  };
}

/** A result without a call is still shown, because it is part of the conversation. */
export function unpairedResult(entry: SessionEntry): ToolBlock {
  const message = messageIn(entry);
  const call: ToolCallBlock = {
    type: "toolCall",
    id: resultIn(entry)?.toolCallId ?? "",
    name: textIn(message?.toolName) || "tool",
    arguments: {},
  };
  return { ...toolBlock({ entry, call, result: entry, running: false }), id: `${entry.id}:result` };
}

type Outcome = Pick<
  ToolBlock,
  | "title"
  | "state"
  | "isRefused"
  | "isStopped"
  | "output"
  | "images"
  | "diff"
  | "exitCode"
  | "truncated"
  | "fullOutputPath"
  | "resultEntryId"
>;

function outcomeOf(
  call: ToolCallBlock,
  { result, running }: { readonly result: SessionEntry | undefined; readonly running: boolean },
): Outcome {
  const message = result === undefined ? undefined : messageIn(result);
  const details = isRecord(message?.details) ? message.details : {};
  const { diff, exitCode, truncated, fullOutputPath } = details;
  return {
    title: toolTitle(call.name, call.arguments, details),
    state: message === undefined ? (running ? "running" : "interrupted") : message.isError === true ? "failed" : "done",
    isRefused: message?.isError === true && toolTrouble(details) === "refused",
    isStopped: message?.isError === true && toolTrouble(details) === "stopped",
    output: shownText(message?.content),
    images: imagesIn(message?.content),
    diff: typeof diff === "string" && diff !== "" ? textIn(diff) : undefined,
    exitCode: typeof exitCode === "number" || exitCode === null ? exitCode : undefined,
    truncated: truncated === true,
    fullOutputPath: typeof fullOutputPath === "string" ? textIn(fullOutputPath) : undefined,
    resultEntryId: result?.id,
  };
}
