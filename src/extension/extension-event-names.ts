/** Every event with a sentence about it. `docs/extensions.md` shows this table, and a test compares the two. */
import type { ExtensionEventName } from "./extension-events.js";

export interface ExtensionEventNote {
  /** When it fires. */
  readonly when: string;
  /** Fields next to `type`. */
  readonly carries: string;
  /** What a handler may do with it. */
  readonly may: string;
}

/** Every event that an extension can listen to. */
export const EXTENSION_EVENTS: Readonly<Record<ExtensionEventName, ExtensionEventNote>> = {
  session_start: { when: "the agent is ready", carries: "nothing", may: "react" },
  session_shutdown: {
    when: "the agent ends; the session can still be written",
    carries: "nothing",
    may: "react",
  },
  session_before_tree: {
    when: "before a move inside the session",
    carries:
      "`preparation` (`targetId`, `oldLeafId`, `commonAncestorId`, `entriesToSummarize`, `userWantsSummary`, `customInstructions?`, `replaceInstructions?`, `label?`), `signal`, `targetId`, and the methods `cancel()`, `setSummarize(yes)`, `setCustomInstructions(text)`, `setReplaceInstructions(yes)`",
    may: "call the methods, or return `{ cancel?, summary?: { summary, details? }, customInstructions?, replaceInstructions?, label? }`; a returned value wins",
  },
  session_tree: {
    when: "after a move, including a cancelled one",
    carries:
      "`newLeafId`, `oldLeafId`, `targetId`, `summaryEntry?`, `fromHook`, `fromExtension`, `editorText?`, `cancelled`, `aborted`",
    may: "react",
  },
  session_before_fork: {
    when: "before a path is copied into a new file",
    carries: "`entryId`, `cancel()`",
    may: "call `cancel()` or return `{ cancel: true }`",
  },
  session_before_branch: {
    when: "the same under its older name, right after it",
    carries: "`entryId`, `cancel()`",
    may: "call `cancel()` or return `{ cancel: true }`",
  },
  session_fork: {
    when: "the agent is in the new file",
    carries: "`entryId`, `previousSessionFile`, `newSessionFile`",
    may: "react",
  },
  session_branch: {
    when: "the same under its older name, right after it",
    carries: "`entryId`, `previousSessionFile`, `newSessionFile`",
    may: "react",
  },
  session_before_compact: {
    when: "before a compaction, asked for or automatic",
    carries:
      "`preparation` (`entriesToSummarize`, `firstKeptEntryId`, `tokensBefore`, `previousSummary`, `splitTurn`, `readFiles`, `modifiedFiles`, `pins`), `previousCompactions` newest first, `customInstructions`, `model`, `signal`, `cancel()`",
    may: "call `cancel()`, or return `{ cancel?, compaction?: { summary, firstKeptEntryId, tokensBefore, details? } }`",
  },
  "session.compacting": {
    when: "before the model is asked for the summary of a compaction; not if an extension supplied it",
    carries: "`preparation`, `signal`",
    may: "return `{ context?: string[], prompt?: string }` to add to the prompt",
  },
  session_compact: {
    when: "after a compaction",
    carries: "`compactionEntry`, `fromHook`, `fromExtension`",
    may: "react",
  },
  session_before_switch: {
    when: "before switching to another session",
    carries: "`reason` (`new`, `resume`), `targetSessionFile`, `cancel()`",
    may: "call `cancel()` or return `{ cancel: true }`",
  },
  session_switch: {
    when: "the agent is in the other session",
    carries: "`reason`, `previousSessionFile`",
    may: "react",
  },
  turn_start: { when: "before each model step", carries: "`turn`, counted from 1 in each run", may: "react" },
  turn_end: { when: "after a model step and its tool calls", carries: "`turn`, `message` (the answer)", may: "react" },
  message_end: { when: "a message is complete and in the file", carries: "`message`", may: "react" },
  tool_call: {
    when: "before a tool runs",
    carries: "`toolName`, `toolCallId`, `input`",
    may: "return `{ block: true, reason? }`, or `{ input }` to change it; it is checked again",
  },
  tool_result: {
    when: "after a tool ran, before its result is stored",
    carries: "`toolName`, `toolCallId`, `input`, `result`",
    may: "return `{ content?, details?, isError? }` to change it; `details: null` removes them",
  },
  input: {
    when: "a person sent a text",
    carries: "`text`",
    may: "return `{ text }` to send that instead, or `{ handled: true }` to send nothing",
  },
};

export function isExtensionEvent(name: string): name is ExtensionEventName {
  return Object.hasOwn(EXTENSION_EVENTS, name);
}
