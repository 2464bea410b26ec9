/** All events with a description each. `docs/extensions.md` contains this table, and a test compares the two. */
import { closestNames } from "@bough/session/text/index.js";
import type { ExtensionEventName } from "./extension-events.js";

export interface ExtensionEventNote {
  /** When it fires. */
  readonly when: string;
  /** Fields next to `type`. */
  readonly carries: string;
  /** What a handler may do. */
  readonly may: string;
}

/** Every event that an extension can listen to. */
export const EXTENSION_EVENTS: Readonly<Record<ExtensionEventName, ExtensionEventNote>> = {
  session_start: {
    when: "the agent is ready, and again in each session it switches to",
    carries: "`reason` (`startup`, `reload`, `new`, `resume`, `fork`), `previousSessionFile?`",
    may: "react",
  },
  session_shutdown: {
    when: "the agent ends or leaves the session, which can still be written",
    carries: "`reason` (`quit`, `reload`, `new`, `resume`, `fork`), `targetSessionFile?`",
    may: "react",
  },
  project_trust: {
    when: "before it is decided whether a project may load its own extensions and permissions, if there is something to decide; only for extensions of the user and of the command line, with `ctx.cwd`, `ctx.mode`, `ctx.hasUi` and `ctx.ui`",
    carries: "`cwd`",
    may: 'return `{ trusted: "yes" | "no" | "undecided", remember? }`; the first yes or no decides, without a question',
  },
  mcp_servers_change: {
    when: "an extension registered or removed an MCP server after loading",
    carries: "`servers` (`name`, `config`, `extensionPath`): all that extensions registered",
    may: "react",
  },
  session_info_changed: { when: "the session was named", carries: "`name`", may: "react" },
  resources_discover: {
    when: "after `session_start`, at the start and after a reload",
    carries: "`cwd`, `reason` (`startup`, `reload`)",
    may: "return `{ skillPaths?, promptPaths? }`: folders or files to load too",
  },
  session_before_tree: {
    when: "before a move inside the session",
    carries:
      "`preparation` (`targetId`, `oldLeafId`, `commonAncestorId`, `entriesToSummarize`, `userWantsSummary`, `customInstructions?`, `replaceInstructions?`, `label?`), `signal`, `targetId`, and the methods `cancel()`, `setSummarize(yes)`, `setCustomInstructions(text)`, `setReplaceInstructions(yes)`",
    may: "call the methods, or return `{ cancel?, summary?: { summary, details? }, customInstructions?, replaceInstructions?, label? }`; returned values take precedence",
  },
  session_tree: {
    when: "after a move, including a cancelled one",
    carries:
      "`newLeafId`, `oldLeafId`, `targetId`, `summaryEntry?`, `fromHook`, `fromExtension`, `editorText?`, `cancelled`, `aborted`",
    may: "react",
  },
  session_before_files: {
    when: "before files are restored, with or without a move",
    carries: "`targetId`, `root`, `written`, `deleted`, `conflicts` (paths relative to `root`), `cancel()`",
    may: "call `cancel()` or return `{ cancel: true }` to keep the files as they are",
  },
  files_changed: {
    when: "changes to files were recorded",
    carries:
      "`entryId`, `by` (`tool`, `person`, `restore`, `attempt`), `count`, `files` (the first 100: `path`, `change`)",
    may: "react",
  },
  session_before_fork: {
    when: "before a path is copied into a new file",
    carries: "`entryId`, `position` (`before`, `at`), `cancel()`",
    may: "call `cancel()` or return `{ cancel: true }`",
  },
  session_before_branch: {
    when: "the same event under its older name, right after it",
    carries: "`entryId`, `position` (`before`, `at`), `cancel()`",
    may: "call `cancel()` or return `{ cancel: true }`",
  },
  session_fork: {
    when: "the agent is in the new file",
    carries: "`entryId`, `previousSessionFile`, `newSessionFile`",
    may: "react",
  },
  session_branch: {
    when: "the same event under its older name, right after it",
    carries: "`entryId`, `previousSessionFile`, `newSessionFile`",
    may: "react",
  },
  session_before_compact: {
    when: "before a compaction, manual or automatic",
    carries:
      "`preparation` (`entriesToSummarize`, `firstKeptEntryId`, `tokensBefore`, `previousSummary`, `splitTurn`, `readFiles`, `modifiedFiles`, `pins`), `previousCompactions` newest first, `branchEntries`, `reason` (`manual`, `threshold`, `overflow`), `customInstructions`, `model`, `signal`, `cancel()`",
    may: "call `cancel()`, or return `{ cancel?, compaction?: { summary, firstKeptEntryId, tokensBefore, details? } }`",
  },
  "session.compacting": {
    when: "before the model is asked for the summary of a compaction; not if an extension supplied it",
    carries: "`preparation`, `signal`",
    may: "return `{ context?: string[], prompt?: string }` to add to the prompt",
  },
  session_compact: {
    when: "after a compaction",
    carries: "`compactionEntry`, `reason`, `fromHook`, `fromExtension`",
    may: "react",
  },
  session_compact_failed: {
    when: "a compaction failed or was stopped",
    carries: "`reason`, `errorMessage?`, `aborted`",
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
  input: {
    when: "a text was sent by a user, a program or an extension",
    carries:
      "`text`, `images?`, `source` (`interactive`, `rpc`, `extension`), `streamingBehavior?` (`steer`, `followUp`)",
    may: 'return `{ action: "transform", text, images? }` or `{ text }` to send that instead, `{ action: "handled" }` or `{ handled: true }` to send nothing',
  },
  before_agent_start: {
    when: "before a prompt is stored and the model is asked",
    carries: "`prompt`, `images?`, `systemPrompt`, `systemPromptOptions`",
    may: "return `{ systemPrompt }` for this run, or change `systemPromptOptions` in place; return `{ message }` to add one after the prompt",
  },
  agent_start: { when: "a run begins", carries: "nothing", may: "react" },
  agent_end: { when: "a run ends", carries: "`messages`: what it added", may: "react" },
  agent_settled: { when: "a run has ended and nothing queued continues it", carries: "nothing", may: "react" },
  turn_start: {
    when: "before each model step",
    carries: "`turn`, counted from 1 in each run; `turnIndex`, counted from 0; `timestamp`",
    may: "react",
  },
  turn_end: {
    when: "after a model step and its tool calls",
    carries: "`turn`, `turnIndex`, `message` (the answer), `toolResults`",
    may: "react",
  },
  context: {
    when: "before each model step",
    carries: "`messages`: a copy of what the model will see",
    may: "return `{ messages }` for this request; the session is unchanged",
  },
  before_provider_request: {
    when: "before a request is sent to a provider",
    carries: "`payload`: its body",
    may: "return a replacement",
  },
  before_provider_headers: {
    when: "before a request is sent to a provider",
    carries: "`headers`",
    may: "change `headers` in place; `null` removes one",
  },
  after_provider_response: {
    when: "a provider answered, before its answer is read",
    carries: "`status`, `headers`",
    may: "react",
  },
  cache_warming_decision: {
    when: "the cache of the last request is about to expire, with the setting `cacheWarming`",
    carries: "`warmCost`, `missCost` (dollars), `continuationProbability`, `action` (`warm`, `stop`)",
    may: "return `{ action }`: whether the cache is refreshed; the last answer counts",
  },
  provider_stream_event: {
    when: "a provider sent an event of its stream, before it is interpreted; not stored",
    carries: "`provider`, `api`, `model`, `data` (do not change it)",
    may: "react; the stream waits for the handler",
  },
  message_start: { when: "a message begins", carries: "`message`", may: "react" },
  message_update: {
    when: "a part of an answer arrived",
    carries:
      "`message` so far; `assistantMessageEvent` (`type`: `text_delta`, `thinking_delta`, `toolcall_delta`, `toolcall_end`; `contentIndex`, `delta?`, `toolCall?`, `partial`)",
    may: "react",
  },
  message_end: {
    when: "a message is complete, right before it is stored",
    carries: "`message`",
    may: "return `{ message }` of the same role to store that instead; messages of extensions are stored already",
  },
  tool_call: {
    when: "before a tool runs",
    carries: "`toolName`, `toolCallId`, `input`",
    may: "return `{ block: true, reason?, terminate? }`, or change `input` in place or by returning `{ input }`; it is validated again",
  },
  tool_execution_start: {
    when: "the model called a tool, before `tool_call`",
    carries: "`toolCallId`, `toolName`, `args`",
    may: "react",
  },
  tool_execution_update: {
    when: "a running tool has output",
    carries: "`toolCallId`, `toolName`, `args`, `partialResult`",
    may: "react",
  },
  tool_result: {
    when: "after a tool ran, before its result is stored",
    carries: "`toolName`, `toolCallId`, `input`, `content`, `details`, `isError`, and all of it as `result`",
    may: "return `{ content?, details?, isError? }` to change it; `details: null` removes them",
  },
  tool_execution_end: {
    when: "a tool has its final result",
    carries: "`toolCallId`, `toolName`, `result`, `isError`",
    may: "react",
  },
  user_bash: {
    when: "before a shell command of the user runs",
    carries: "`command`, `excludeFromContext`, `cwd`",
    may: "return `{ result: { output, exitCode, ... } }` instead of running it, or `{ operations: { exec } }` to run it elsewhere",
  },
  model_select: {
    when: "the model changed",
    carries: "`model`, `previousModel`, `source` (`set`, or `restore`: the model of the branch)",
    may: "react",
  },
  thinking_level_select: {
    when: "the thinking level changed",
    carries: "`level`, `previousLevel`",
    may: "react",
  },
};

export function isExtensionEvent(name: string): name is ExtensionEventName {
  return Object.hasOwn(EXTENSION_EVENTS, name);
}

/** Events of pi that Bough does not fire: handlers are accepted but never called, and a notice says why. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  context_with_system: "the system prompt is not a message; use context and before_agent_start",
  agent_before_settle: "use agent_end or agent_settled",
  ui_prompt_start: "questions of extensions are not announced",
  ui_prompt_end: "questions of extensions are not announced",
};

/** Explains why a handler of this event is never called, with the closest known event. */
export function unknownEvent(name: string): string {
  const elsewhere = ELSEWHERE[name];
  if (elsewhere !== undefined) return `${name} is not fired by Bough: ${elsewhere}`;
  const near = closestNames(name, Object.keys(EXTENSION_EVENTS))[0];
  const meant = near === undefined ? "" : `; did you mean ${near}?`;
  return `unknown event ${name}; handler ignored${meant}`;
}
