/** `bough show`: a path as Markdown, as plain lines or as JSON. */
import { type AgentMessage, type EntryId, isPrompt, type SessionEntry } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { withoutControls } from "@bough/session/text/index.js";
import { pathBlocks } from "@bough/session/view/index.js";
import { markdownPieces, plainBlock, turnsOf } from "@bough/session/view/internal.js";
import { findEntry } from "@bough/workbench/find/index.js";
import { openToLook } from "../open-to-look.js";
import { sessionArgument } from "../session-argument.js";
import { sessionFacts, sessionTitle } from "../session-facts.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";

export const row: SubcommandRow = {
  name: "show",
  usage: "[session[#entry]]",
  summary: "Print a conversation",
  details:
    "Prints the path from the first entry to the current position, or to the entry after #: an ID, the start of an ID, a label, @ for the current position, or #4 for the end of branch 4. Includes compacted entries; --context prints what the model sees instead. Also accepts other agents' sessions, like tree.",
  flags: {
    format: {
      short: "f",
      value: "format",
      choices: ["markdown", "plain", "json"],
      help: "output format (default markdown)",
    },
    context: { help: "print what the model sees there: after compaction, with summaries and edits" },
    tools: { value: "how", choices: ["full", "names"], help: "print full tool output, or only tool names" },
    thinking: { help: "include thinking" },
    last: { value: "n", help: "only the last N prompts and their replies" },
  },
  examples: [
    ["show", "the last conversation in this folder"],
    ["show 4f2a#before-rewrite --tools names", "the path to a label, without tool output"],
    ["show 4f2a#4 --last 1", "how branch 4 ended"],
    ["show --context", "what the model sees"],
    ["show codex:4f2a --last 1", "how another agent's session ended"],
  ],
  json: 'the same as --format json: { "session": { id, path, name, leafId, agent? }, "entryId", "entries": [...] } with entries as in the file; with --context { ..., "messages": [...] }.',
  args: { least: 0, most: 1 },
  completes: "sessions",
};

export async function run(call: SubcommandCall): Promise<number> {
  const { out, flags } = call;
  const last = flags.count("last");
  const argument = await sessionArgument(call.args[0], call.places, call);
  const { place } = argument;
  const { session, foreign, close } = await openToLook(argument, call);
  try {
    if (place !== undefined) session.branch(findEntry(session, place));
    const context = flags.isOn("context");
    const format = out.json ? "json" : (flags.text("format") ?? "markdown");
    if (format === "json") {
      const head = { session: sessionFacts(session, foreign), entryId: session.getLeafId() };
      if (context) await out.values(head, "messages", session.buildSessionContext().messages);
      else await out.values(head, "entries", pathEntries(session, last));
      return 0;
    }
    const entries = context ? contextEntries(session) : pathEntries(session, last);
    const tools = flags.text("tools") === "names" ? "names" : "full";
    const thinking = flags.isOn("thinking") ? "show" : "hide";
    const title = sessionTitle(session, foreign);
    const pieces =
      format === "plain" ? plainPieces(entries, call) : markdownPieces(entries, { title, tools, thinking });
    await out.raw(pieces);
    return 0;
  } finally {
    close();
  }
}

/** Reads the entries of the path one by one, so that a long one is never in memory as a whole. */
function* pathEntries(session: SessionManager, lastTurns: number | undefined): Generator<SessionEntry> {
  const path = session.readBranch();
  let from = lastTurns === undefined ? 0 : path.length;
  for (let left = lastTurns ?? 0; from > 0 && left > 0; ) {
    if (isPrompt(path.at(--from) as SessionEntry)) left -= 1;
  }
  for (; from < path.length; from++) yield path.at(from) as SessionEntry;
}

/** Wraps the context's messages as entries, so that they are drawn like all others. */
function* contextEntries(session: SessionManager): Generator<SessionEntry> {
  let parentId: EntryId | null = null;
  let number = 0;
  for (const message of session.buildSessionContext().messages) {
    const id = `context-${++number}` as EntryId;
    yield entryFor(message, { id, parentId, timestamp: new Date(message.timestamp || 0).toISOString() });
    parentId = id;
  }
}

function entryFor(
  message: AgentMessage,
  place: { readonly id: EntryId; readonly parentId: EntryId | null; readonly timestamp: string },
): SessionEntry {
  if (message.role === "compactionSummary") {
    const { role: _role, timestamp: _timestamp, ...fields } = message;
    return { type: "compaction", ...place, ...fields, firstKeptEntryId: place.id };
  }
  if (message.role === "branchSummary") {
    return { type: "branch_summary", ...place, fromId: message.fromId, summary: message.summary };
  }
  return { type: "message", ...place, message };
}

function* plainPieces(entries: Iterable<SessionEntry>, { flags }: SubcommandCall): Generator<string> {
  const outputLines = flags.text("tools") === "names" ? 0 : Number.MAX_SAFE_INTEGER;
  for (const turn of turnsOf(entries)) {
    for (const block of pathBlocks(turn)) {
      if (block.kind === "thinking" && !flags.isOn("thinking")) continue;
      const text = plainBlock(block, { outputLines }).join("\n");
      if (text !== "") yield `${withoutControls(text)}\n`;
    }
  }
}
