/** The blocks for one entry, so that a list can draw window by window. */
import { type EntryId, resultIn, type SessionEntry } from "../../entry/index.js";
import { firstWords } from "../../text/index.js";
import type { ShellBlock, TranscriptBlock } from "./block.js";
import { changeText } from "./change-text.js";
import { compactionWords } from "./compaction-words.js";
import { type CopiesRun, copiesOrigin } from "./copies-run.js";
import { filesBlock } from "./files-block.js";
import { compactionNote, originNote, resetNote, summaryNote } from "./note-block.js";
import { blockStart, blocksIn, callOf, type Fields, imagesIn, messageIn, shownText, textIn } from "./read-content.js";
import { toolBlock, unpairedResult } from "./tool-block.js";

/** Looks up an entry's surroundings. */
export interface BlockFinder {
  /** The entry with the result of a call in this entry. */
  resultOf(callId: string): SessionEntry | undefined;
  /** Whether the call of this result is drawn elsewhere. Default: yes. */
  hasCall?(callId: string): boolean;
  /** Whether a call without a result is running right now. Default: no. */
  isRunning?(callId: string): boolean;
  /** The name of the branch with this entry: "#4 lexer". */
  branchName?(id: EntryId): string | undefined;
  /** The label of this entry. */
  label?(): string | undefined;
  /** Whether the next entry of the path changes the same setting again. Default: no. */
  isChangedAgain?(): boolean;
  /** The run of copies around a record. Default: each record has its own line. */
  copies?(): CopiesRun;
}

/**
 * In reading order, the entry's label last. Bookkeeping, and a result that is drawn with its call, have no blocks.
 * Never throws.
 */
export function entryBlocks(entry: SessionEntry, find: BlockFinder): TranscriptBlock[] {
  const blocks = contentBlocks(entry, find);
  const label = textIn(find.label?.());
  return label === ""
    ? blocks
    : [...blocks, { kind: "label", ...blockStart(entry, "label"), text: firstWords(label, 200) }];
}

function contentBlocks(entry: SessionEntry, find: BlockFinder): TranscriptBlock[] {
  const nameOf = (id: EntryId) => find.branchName?.(id);
  switch (entry.type) {
    case "message":
      return messageBlocks(entry, find);
    case "branch_summary":
      return [summaryNote(entry, nameOf)];
    case "compaction":
      return [compactionNote(entry)];
    case "reset_boundary":
      return [resetNote(entry)];
    case "custom_message":
      return entry.display === false ? [] : [customBlock(entry, entry as unknown as Fields)];
    case "custom": {
      const run = copiesOrigin(entry) === undefined ? undefined : find.copies?.();
      if (run?.continues === true) return [];
      const note = originNote(entry, nameOf, run?.count);
      if (note !== undefined) return [note];
      const files = filesBlock(entry);
      if (files !== undefined) return [files];
      break;
    }
    case "unreadable":
      return [
        {
          kind: "unreadable",
          ...blockStart(entry, "unreadable"),
          text: `This entry could not be read: ${textIn(entry.reason)}`,
        },
      ];
    // Of several consecutive changes only the last counts.
    case "thinking_level_change":
      if (find.isChangedAgain?.() === true) return [];
      break;
    default:
  }
  const text = changeText(entry);
  return text === undefined ? [] : [{ kind: "change", ...blockStart(entry, "change"), text }];
}

function messageBlocks(entry: SessionEntry, find: BlockFinder): TranscriptBlock[] {
  const message = messageIn(entry);
  switch (message?.role) {
    case "user":
      return [
        {
          kind: "prompt",
          ...blockStart(entry, "prompt"),
          text: shownText(message.content),
          images: imagesIn(message.content),
        },
      ];
    case "assistant":
      return answerBlocks(entry, message, find);
    case "toolResult": {
      const callId = resultIn(entry)?.toolCallId;
      return callId !== undefined && find.hasCall?.(callId) !== false ? [] : [unpairedResult(entry)];
    }
    case "bashExecution":
      return [shellBlock(entry, message)];
    case "custom":
    case "hookMessage":
      return message.display === false ? [] : [customBlock(entry, message)];
    case "branchSummary":
    case "compactionSummary": {
      const note = message.role === "branchSummary" ? "summary" : "compaction";
      const title = note === "summary" ? "summary of another branch" : compactionWords(message);
      return [
        { kind: "note", ...blockStart(entry, "note"), note, title, text: textIn(message.summary), sourceId: undefined },
      ];
    }
    default: {
      const text = shownText(message?.content);
      const customType = textIn(message?.role) || "message";
      return text === "" ? [] : [{ ...customBlock(entry, { content: text }), customType }];
    }
  }
}

function answerBlocks(entry: SessionEntry, message: Fields, find: BlockFinder): TranscriptBlock[] {
  const blocks: TranscriptBlock[] = [];
  const calls = new Set<string>();
  for (const [index, block] of blocksIn(message.content).entries()) {
    if (block.type === "text") {
      const text = textIn(block.text);
      if (text.trim() !== "") blocks.push({ kind: "answer", ...blockStart(entry, String(index)), text });
    } else if (block.type === "thinking") {
      const text = textIn(block.thinking);
      const redacted = block.redacted === true;
      if (text.trim() !== "" || redacted) {
        blocks.push({ kind: "thinking", ...blockStart(entry, String(index)), text, redacted });
      }
    } else if (block.type === "toolCall") {
      const call = callOf(block);
      if (call === undefined || calls.has(call.id)) continue;
      calls.add(call.id);
      const result = find.resultOf(call.id);
      const running = result === undefined && find.isRunning?.(call.id) === true;
      blocks.push(toolBlock({ entry, call, result, running }));
    }
  }
  const failure = failureOf(message);
  if (failure !== undefined) blocks.push({ kind: "failure", ...blockStart(entry, "failure"), ...failure });
  return blocks;
}

function failureOf(
  message: Fields,
): { readonly reason: "error" | "aborted" | "length"; readonly text: string } | undefined {
  const said = textIn(message.errorMessage);
  switch (message.stopReason) {
    case "error":
      return { reason: "error", text: said === "" ? "The model gave no answer." : said };
    case "aborted":
      return { reason: "aborted", text: "Stopped." };
    case "length":
      return { reason: "length", text: "Truncated: the answer hit the model's output limit." };
    default:
      return undefined;
  }
}

function shellBlock(entry: SessionEntry, message: Fields): ShellBlock {
  const { exitCode, fullOutputPath } = message;
  return {
    kind: "shell",
    ...blockStart(entry, "shell"),
    command: textIn(message.command),
    output: textIn(message.output),
    exitCode: typeof exitCode === "number" || exitCode === null ? exitCode : undefined,
    cancelled: message.cancelled === true,
    truncated: message.truncated === true,
    fullOutputPath: typeof fullOutputPath === "string" ? textIn(fullOutputPath) : undefined,
    outsideContext: message.excludeFromContext === true,
  };
}

function customBlock(entry: SessionEntry, fields: Fields): Extract<TranscriptBlock, { kind: "custom" }> {
  return {
    kind: "custom",
    ...blockStart(entry, "custom"),
    customType: textIn(fields.customType),
    text: shownText(fields.content),
    images: imagesIn(fields.content),
    details: fields.details,
  };
}
