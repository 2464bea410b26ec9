/** `bough show`: a path as Markdown, as plain lines or as JSON. */
import { type AgentMessage, type EntryId, isPrompt, type SessionEntry } from "../../../entry/index.js";
import type { SessionManager } from "../../../session/index.js";
import { withoutControls } from "../../../text/index.js";
import { pathBlocks, transcriptMarkdown } from "../../../view/index.js";
import { plainBlock } from "../../../view/internal.js";
import { openToLook } from "../open-to-look.js";
import { placeIn, sessionArgument } from "../session-argument.js";
import { sessionFacts, sessionTitle } from "../session-facts.js";
import type { SubcommandCall } from "../subcommand.js";

export async function run(call: SubcommandCall): Promise<number> {
  const { out, flags } = call;
  const last = flags.count("last");
  const argument = await sessionArgument(call.args[0], call.places, call);
  const { place } = argument;
  const { session, foreign, close } = await openToLook(argument, call);
  try {
    if (place !== undefined) session.branch(placeIn(session, place));
    const context = flags.isOn("context");
    const format = out.json ? "json" : (flags.text("format") ?? "markdown");
    if (format === "json") {
      const head = { session: sessionFacts(session, foreign), entryId: session.getLeafId() };
      if (context) await out.values(head, "messages", session.buildSessionContext().messages);
      else await out.values(head, "entries", pathEntries(session, last));
      return 0;
    }
    const entries = context ? contextEntries(session) : pathEntries(session, last);
    const title = sessionTitle(session, foreign);
    await out.raw(format === "plain" ? plainPieces(entries, call) : markdownPieces(entries, call, title));
    return 0;
  } finally {
    close();
  }
}

/** Entries of the path one after the other: a long one is never held as a whole. */
function* pathEntries(session: SessionManager, lastTurns: number | undefined): Generator<SessionEntry> {
  const ids = session.getBranchIds();
  for (let i = lastTurns === undefined ? 0 : startOfLast(session, ids, lastTurns); i < ids.length; i++) {
    const entry = session.getEntry(ids[i] as EntryId);
    if (entry !== undefined) yield entry;
  }
}

function startOfLast(session: SessionManager, ids: readonly EntryId[], turns: number): number {
  let left = turns;
  for (let i = ids.length - 1; i >= 0; i--) {
    const entry = session.getEntry(ids[i] as EntryId);
    if (entry !== undefined && isPrompt(entry) && --left === 0) return i;
  }
  return 0;
}

/** The messages of the context as entries, so that they are drawn like all others. */
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

/** A prompt and everything up to the next one: a call and its result are always in the same. */
function* turnsOf(entries: Iterable<SessionEntry>): Generator<SessionEntry[]> {
  let turn: SessionEntry[] = [];
  for (const entry of entries) {
    if (isPrompt(entry) && turn.length > 0) {
      yield turn;
      turn = [];
    }
    turn.push(entry);
  }
  if (turn.length > 0) yield turn;
}

function* markdownPieces(entries: Iterable<SessionEntry>, { flags }: SubcommandCall, title: string): Generator<string> {
  const tools = flags.text("tools") === "names" ? "names" : "full";
  const thinking = flags.isOn("thinking") ? "show" : "hide";
  yield `# ${title}\n`;
  for (const turn of turnsOf(entries)) {
    const text = transcriptMarkdown(turn, { tools, thinking }).trim();
    if (text !== "") yield `\n${withoutControls(text)}\n`;
  }
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
