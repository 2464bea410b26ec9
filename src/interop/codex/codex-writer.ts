/** A path as a rollout that `codex resume` goes on with. */
import { join } from "node:path";
import type { CompactionEntry, SessionEntry } from "../../entry/index.js";
import type { ForeignWriter, WriteLoss, WritePlan, WriteRequest } from "../contract.js";
import { editedEntries } from "../edited-entries.js";
import { foreignSessionId, isConversationEntry, NOTE_TYPE } from "../foreign-entry.js";
import { isObject, stringIn } from "../foreign-lines.js";
import { InteropError } from "../interop-error.js";
import { codexHome } from "./codex-places.js";
import { verbatimHistories } from "./compaction/written-histories.js";
import { isOutput } from "./item-call.js";
import type { JsonObject } from "./rollout-record.js";
import { RolloutText } from "./rollout-text.js";
import { callIdOf, itemsOf, type WrittenItem } from "./write-items.js";
import { lossOf, NAME_LOSS } from "./write-losses.js";

export const codexWriter: ForeignWriter = { agent: "codex", planWrite: planRollout };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Codex starts an empty session, without a word, where the id is no UUID or a line has no time; so both are made sure
 * of. History is written in the form every version reads; settings of turns come along where Codex itself wrote them.
 */
function planRollout(request: WriteRequest): WritePlan {
  const { cwd, now, places } = request;
  const entries = editedEntries(request.entries);
  if (!entries.some(isConversationEntry)) {
    throw new InteropError("nothing-to-write", "There is no conversation on this path", {
      hint: "Choose an entry with something said above it.",
    });
  }
  const made = request.newId();
  const sessionId = UUID.test(made) ? made : foreignSessionId("codex", made);
  const start = now();
  const text = new RolloutText(sessionId, start.toISOString());
  text.add("session_meta", metaOf(entries, { id: sessionId, timestamp: start.toISOString(), cwd }));
  const losses: WriteLoss[] = [];
  const open = new Set<string>();
  const written = verbatimHistories(entries);
  for (const entry of entries) {
    if (written.has(entry) && entry.type !== "compaction") continue;
    const loss = lossOf(entry);
    if (loss !== undefined) losses.push({ entryId: entry.id, ...loss });
    if (entry.type === "compaction") {
      text.add("compacted", compactedOf(entry, { entries, written }), entry.timestamp);
      open.clear();
      continue;
    }
    const settings = turnContextOf(entry);
    if (settings !== undefined) text.add("turn_context", { ...settings, cwd }, entry.timestamp);
    const items = itemsOf(entry);
    if (isPrompt(entry)) text.beginTurn(textOf(items), entry.timestamp);
    for (const item of items) {
      const callId = callIdOf(item.item);
      if (isOutput(String(item.item.type)) && !open.delete(callId ?? "")) {
        losses.push({ entryId: entry.id, what: "a result without its call", effect: "left out: Codex would drop it" });
        continue;
      }
      if (callId !== undefined && !isOutput(String(item.item.type))) open.add(callId);
      text.addItem(item, entry.timestamp);
    }
    text.hearEnding(entry);
  }
  text.endTurn();
  return {
    agent: "codex",
    path: pathOf(codexHome(places), sessionId, start),
    sessionId,
    lines: text.lines,
    losses: [...losses, ...titleLoss(request, losses)],
    resume: { command: ["codex", "resume", sessionId], cwd },
  };
}

interface WrittenPath {
  readonly entries: readonly SessionEntry[];
  /** What `verbatimHistories` gave. */
  readonly written: ReadonlySet<SessionEntry>;
}

/** Once: an entry of the path may have said it already. */
function titleLoss({ title, entries }: WriteRequest, losses: readonly WriteLoss[]): readonly WriteLoss[] {
  if (title === undefined || losses.some(({ what }) => what === NAME_LOSS.what)) return [];
  return [{ entryId: entries.at(-1)?.id ?? "", ...NAME_LOSS }];
}

/** Codex names the folders and the file in local time. */
function pathOf(home: string, id: string, start: Date): string {
  const two = (number: number): string => String(number).padStart(2, "0");
  const day = [String(start.getFullYear()), two(start.getMonth() + 1), two(start.getDate())] as const;
  const clock = [start.getHours(), start.getMinutes(), start.getSeconds()].map(two).join("-");
  return join(home, "sessions", ...day, `rollout-${day.join("-")}T${clock}-${id}.jsonl`);
}

interface Identity {
  readonly id: string;
  readonly timestamp: string;
  readonly cwd: string;
}

/**
 * What the program was told at the start goes along; what ties a file to others does not. Nor does the provider: Codex
 * refuses to resume a thread of another one than is set up.
 */
function metaOf(entries: readonly SessionEntry[], identity: Identity): JsonObject {
  const payload = entries.map((entry) => noteOf(entry, "session_meta")).find((meta) => meta !== undefined);
  const { base_instructions, git } = isObject(payload?.payload) ? payload.payload : {};
  return {
    ...identity,
    session_id: identity.id,
    originator: "bough",
    cli_version: "0.0.0",
    source: "cli",
    ...(isObject(base_instructions) ? { base_instructions } : {}),
    ...(isObject(git) ? { git } : {}),
  };
}

function noteOf(entry: SessionEntry, type: string): JsonObject | undefined {
  if (entry.type !== "custom" || entry.customType !== NOTE_TYPE || !isObject(entry.data)) return undefined;
  const { agent, record } = entry.data;
  return agent === "codex" && entry.data.type === type && isObject(record) ? record : undefined;
}

function turnContextOf(entry: SessionEntry): JsonObject | undefined {
  const payload = noteOf(entry, "turn_context")?.payload;
  return isObject(payload) ? payload : undefined;
}

function isPrompt(entry: SessionEntry): boolean {
  return entry.type === "message" && entry.message.role === "user";
}

function textOf(items: readonly WrittenItem[]): string {
  return items
    .flatMap(({ item }) => (Array.isArray(item.content) ? item.content.filter(isObject) : []))
    .map((part) => stringIn(part.text) ?? "")
    .join("\n");
}

/** What the model sees from here on: the summary, and then what the compaction keeps verbatim. */
function compactedOf(entry: CompactionEntry, { entries, written }: WrittenPath): JsonObject {
  if (written.has(entry) && isObject(entry.details) && isObject(entry.details.codex)) return entry.details.codex;
  const end = entries.indexOf(entry);
  const from = entries.findIndex(({ id }) => id === entry.firstKeptEntryId);
  const kept = from < 0 || from >= end ? [] : entries.slice(from, end);
  const history = [entry, ...kept].flatMap((each) => itemsOf(each)).map(({ item }) => item);
  return { message: entry.summary, replacement_history: history };
}
