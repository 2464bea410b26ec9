/** The facts about an entry that a row needs: read once, short, safe to show. */
import {
  type BranchSummaryEntry,
  type CompactionEntry,
  FILES_TYPE,
  Kind,
  type SessionEntry,
} from "../../../entry/index.js";
import { type FilesRecord, filesRecord } from "../../../entry/internal.js";
import { counted, firstWords, isRecord } from "../../../text/index.js";
import { isConversation } from "../../../tree/index.js";
import { changeText } from "../../transcript/change-text.js";
import { compactionWords, RESET_WORDS } from "../../transcript/compaction-words.js";
import { blocksIn, callsIn, type Fields, messageIn, timeOf } from "../../transcript/read-content.js";
import { pathIn, toolTitle } from "../../transcript/tool-title.js";
import { toolTrouble } from "../../transcript/tool-trouble.js";
import type { FactsSource } from "../facts-source.js";
import { branchName } from "./branch-name.js";
import { contentWords, MOST_WORDS } from "./content-words.js";

/** The kind of the entry's row. */
export type EntrySort = "prompt" | "answer" | "tool" | "note" | "message" | "bookkeeping" | "unreadable";

/** How a reply ended, if it did not end normally. */
export type EntryTrouble = "failed" | "refused" | "stopped";

export interface EntryFacts {
  readonly sort: EntrySort;
  /** The beginning of its text, on one line. */
  readonly words: string;
  /** An answer with text, not only tool calls. */
  readonly speaks: boolean;
  /** An extension wants it hidden. */
  readonly hidden: boolean;
  /** The number of tool calls. */
  readonly calls: number;
  readonly trouble: EntryTrouble | undefined;
  /** The file that a tool changed. */
  readonly changedFile: string | undefined;
  /** Milliseconds; 0 if unknown. */
  readonly time: number;
}

/** Calls are close above their results; they are not searched for further up. */
const CALL_DISTANCE = 200;

export function readFacts(from: FactsSource, n: number): EntryFacts {
  const entry = from.source.entryAt(n);
  const kind = from.source.tree.kindOf(n);
  const plain = { speaks: false, hidden: false, calls: 0, trouble: undefined, changedFile: undefined };
  const base = { ...plain, time: timeOf(entry) };
  if (kind === Kind.unreadable || entry.type === "unreadable") {
    return { ...base, sort: "unreadable", words: "a line that could not be read" };
  }
  if (!isConversation(kind)) return { ...base, sort: "bookkeeping", words: bookkeepingWords(entry) };
  if (entry.type === "reset_boundary") return { ...base, sort: "note", words: RESET_WORDS, speaks: true };
  if (entry.type === "compaction" || entry.type === "branch_summary") {
    return { ...base, sort: "note", words: noteWords(from, n, entry), speaks: true };
  }
  if (entry.type === "custom_message") {
    const words = contentWords(entry.content) || firstWords(String(entry.customType), 60);
    return { ...base, sort: "message", words, speaks: true, hidden: entry.display === false };
  }
  const message = messageIn(entry);
  return { ...base, ...(message === undefined ? UNKNOWN_MESSAGE : messageFacts(from, n, message)) };
}

type MessageFacts = Pick<EntryFacts, "sort" | "words"> & Partial<EntryFacts>;

const UNKNOWN_MESSAGE: MessageFacts = { sort: "unreadable", words: "a message without content" };

function messageFacts(from: FactsSource, n: number, message: Fields): MessageFacts {
  switch (message.role) {
    case "user":
      return { sort: "prompt", words: contentWords(message.content) || emptyPrompt(message.content), speaks: true };
    case "assistant":
      return answerFacts(from.source.entryAt(n), message);
    case "toolResult":
      return resultFacts(from, n, message);
    case "bashExecution": {
      const failed = message.cancelled !== true && typeof message.exitCode === "number" && message.exitCode !== 0;
      const trouble = message.cancelled === true ? "stopped" : failed ? "failed" : undefined;
      return { sort: "tool", words: `$ ${wordsOf(message.command)}`, trouble };
    }
    default: {
      const words = contentWords(message.content) || wordsOf(message.summary) || wordsOf(message.role);
      return { sort: "message", words, speaks: true, hidden: message.display === false };
    }
  }
}

function answerFacts(entry: SessionEntry, message: Fields): MessageFacts {
  const calls = callsIn(entry);
  const said = contentWords(message.content);
  const trouble = message.stopReason === "error" ? "failed" : message.stopReason === "aborted" ? "stopped" : undefined;
  if (said !== "") return { sort: "answer", words: said, speaks: true, calls: calls.length, trouble };
  if (trouble !== undefined) {
    const words =
      wordsOf(message.errorMessage) || (trouble === "failed" ? "the reply failed" : "stopped before it said anything");
    return { sort: "answer", words, speaks: true, calls: calls.length, trouble };
  }
  const [first] = calls;
  if (first === undefined) return { sort: "answer", words: "(an empty reply)" };
  const more = calls.length > 1 ? `, ${counted(calls.length - 1, "more call")}` : "";
  return {
    sort: "answer",
    words: `${firstWords(toolTitle(first.name, first.arguments), MOST_WORDS)}${more}`,
    calls: calls.length,
  };
}

function resultFacts(from: FactsSource, n: number, message: Fields): MessageFacts {
  const call = callAbove(from, n, message.toolCallId);
  const name = call?.name ?? wordsOf(message.toolName);
  const input = call?.arguments ?? {};
  const failed = message.isError === true;
  const changes = !failed && (name === "edit" || name === "write");
  return {
    sort: "tool",
    words: firstWords(toolTitle(name, input, message.details), MOST_WORDS),
    trouble: failed ? toolTrouble(message.details) : undefined,
    changedFile: changes ? pathIn(input) || undefined : undefined,
  };
}

function callAbove({ source }: FactsSource, n: number, callId: unknown) {
  let at = source.tree.parentOf(n);
  for (let steps = 0; at >= 0 && steps < CALL_DISTANCE; steps++, at = source.tree.parentOf(at)) {
    const call = callsIn(source.entryAt(at)).find(({ id }) => id === callId);
    if (call !== undefined) return call;
    // Calls and results are together, so a prompt in between means that there is no call.
    if (messageIn(source.entryAt(at))?.role === "user") return undefined;
  }
  return undefined;
}

function emptyPrompt(content: unknown): string {
  const images = blocksIn(content).filter(({ type }) => type === "image").length;
  return images > 0 ? `(${counted(images, "image")})` : "(an empty prompt)";
}

function bookkeepingWords(entry: SessionEntry): string {
  const change = changeText(entry);
  if (change !== undefined) return change;
  switch (entry.type) {
    case "label":
      return wordsOf(entry.label) === "" ? "label removed" : `label "${wordsOf(entry.label)}"`;
    case "session_info":
      return `named "${wordsOf(entry.name)}"`;
    case "usage":
      return `usage of ${wordsOf(entry.model)}`;
    case "custom": {
      const record = entry.customType === FILES_TYPE ? filesRecord(entry.data) : undefined;
      if (record !== undefined) return recordWords(record);
      const sources = isRecord(entry.data) ? entry.data.sourceIds : undefined;
      return `${wordsOf(entry.customType)}${Array.isArray(sources) ? `, ${counted(sources.length, "entry", "entries")}` : ""}`;
    }
    default:
      return wordsOf(entry.type);
  }
}

/** "files changed: a.ts, b.ts and 3 more". */
function recordWords({ changes, by }: FilesRecord): string {
  const what = by === "restore" ? "files restored" : by === "person" ? "files changed by you" : "files changed";
  const named = changes.slice(0, NAMED_FILES).map(({ path }) => firstWords(path, 60));
  const more = changes.length > NAMED_FILES ? ` and ${changes.length - NAMED_FILES} more` : "";
  return named.length === 0 ? what : `${what}: ${named.join(", ")}${more}`;
}

const NAMED_FILES = 3;

function wordsOf(value: unknown): string {
  return typeof value === "string" ? firstWords(value, MOST_WORDS) : "";
}

/** "summarized 41k tokens into 3k", "summary of #1, 7 entries", "merged #4 lexer". */
function noteWords(from: FactsSource, n: number, entry: CompactionEntry | BranchSummaryEntry): string {
  if (entry.type === "compaction") return compactionWords(entry);
  const merged = isRecord(entry.details) ? entry.details.mergedTipId : undefined;
  const { source, branches } = from;
  const left = source.tree.ids.findText(
    typeof merged === "string" ? merged : String(entry.abandonedLeafId ?? entry.fromId),
  );
  if (left < 0) return typeof merged === "string" ? "merged another branch" : "summary of what was left";
  const branch = branches.branchOf(left);
  if (typeof merged === "string") return `merged #${branch} ${branchName(source, branch)}`;
  const shared = branches.commonAncestor(left, source.tree.parentOf(n));
  const entries = branches.depthAt(left) - branches.depthAt(shared);
  return `summary of #${branch}, ${counted(entries, "entry", "entries")}`;
}
