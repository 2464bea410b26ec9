/** Generates the records of a rollout from a path, entry by entry. */
import { type CompactionEntry, type EntryId, isPrompt, type SessionEntry } from "@bough/session/entry/index.js";
import type { EntryPath } from "@bough/session/session/index.js";
import { isRecord } from "@bough/session/text/index.js";
import type { WriteLoss } from "../../contract.js";
import { NOTE_TYPE } from "../../foreign-entry.js";
import { stringIn } from "../../foreign-lines.js";
import { originOf } from "../codex-origin.js";
import { isKeptItem } from "../compaction/compacted-entries.js";
import { replacedHistory } from "../compaction/replaced-history.js";
import { isOutput } from "../item-call.js";
import type { JsonObject } from "../rollout-record.js";
import { RolloutText } from "../rollout-text.js";
import { callIdOf, itemsOf, type WrittenItem } from "./write-items.js";
import { lossOf } from "./write-losses.js";

interface Identity {
  readonly id: string;
  readonly timestamp: string;
  readonly cwd: string;
  /** The provider that Codex is configured with, if any. */
  readonly provider?: string;
}

export class Rollout {
  readonly #path: EntryPath;
  readonly #identity: Identity;
  readonly #meta: JsonObject;
  /** The result of `verbatimHistories`. */
  readonly #verbatim: ReadonlySet<number>;
  readonly #places = new Map<EntryId, number>();

  /** `path` must have its edits applied. */
  constructor(path: EntryPath, identity: Identity) {
    this.#path = path;
    this.#identity = identity;
    this.#verbatim = verbatimHistories(path);
    let meta: JsonObject | undefined;
    let place = 0;
    for (const entry of path) {
      meta ??= noteOf(entry, "session_meta");
      if (!this.#places.has(entry.id)) this.#places.set(entry.id, place);
      place += 1;
    }
    this.#meta = metaOf(meta, identity);
  }

  /** Starts from the beginning on every call. `lose` is called with everything that the rollout cannot store. */
  *records(lose: (loss: WriteLoss) => void = () => undefined): Generator<JsonObject> {
    const text = new RolloutText(this.#identity.id, this.#identity.timestamp);
    text.add("session_meta", this.#meta);
    const open = new Set<string>();
    let place = -1;
    for (const entry of this.#path) {
      place += 1;
      if (this.#verbatim.has(place) && entry.type !== "compaction") continue;
      const loss = lossOf(entry);
      if (loss !== undefined) lose({ entryId: entry.id, ...loss });
      if (entry.type === "compaction") {
        text.add("compacted", this.#compacted(entry, place), entry.timestamp);
        open.clear();
      } else this.#addMessage(entry, { text, open, lose });
      yield* text.take();
    }
    text.endTurn();
    yield* text.take();
  }

  #addMessage(entry: SessionEntry, { text, open, lose }: OpenRollout): void {
    const { cwd } = this.#identity;
    const settings = turnContextOf(entry);
    if (settings !== undefined) text.add("turn_context", { ...settings, cwd }, entry.timestamp);
    const items = itemsOf(entry);
    if (isPrompt(entry)) text.beginTurn(textOf(items), entry.timestamp);
    for (const item of items) {
      const callId = callIdOf(item.item);
      if (isOutput(String(item.item.type)) && !open.delete(callId ?? "")) {
        lose({ entryId: entry.id, what: "a tool result without its call", effect: "left out; Codex would drop it" });
        continue;
      }
      if (callId !== undefined && !isOutput(String(item.item.type))) open.add(callId);
      text.addItem(item, entry.timestamp);
    }
    text.noteEnding(entry);
  }

  /** What the model sees from here on: the summary, followed by what the compaction keeps verbatim. */
  #compacted(entry: CompactionEntry, end: number): JsonObject {
    if (this.#verbatim.has(end) && isOwnCompaction(entry)) return entry.details.codex;
    const from = this.#places.get(entry.firstKeptEntryId ?? "") ?? end;
    const history = itemsOf(entry).map(({ item }) => item);
    for (let place = from; place < end; place++) {
      for (const { item } of itemsOf(this.#path.at(place) as SessionEntry)) history.push(item);
    }
    return { message: entry.summary, replacement_history: history };
  }
}

interface OpenRollout {
  readonly text: RolloutText;
  /** Calls without their result. */
  readonly open: Set<string>;
  readonly lose: (loss: WriteLoss) => void;
}

/**
 * Keeps the original instructions, but no links to other files. The provider is the configured one, because Codex
 * refuses to resume a thread of another provider.
 */
function metaOf(note: JsonObject | undefined, { provider, ...identity }: Identity): JsonObject {
  const { base_instructions, git } = isRecord(note?.payload) ? note.payload : {};
  return {
    ...identity,
    session_id: identity.id,
    originator: "bough",
    cli_version: "0.0.0",
    source: "cli",
    model_provider: provider,
    base_instructions: isRecord(base_instructions) ? base_instructions : undefined,
    git: isRecord(git) ? git : undefined,
  };
}

function noteOf(entry: SessionEntry, type: string): JsonObject | undefined {
  if (entry.type !== "custom" || entry.customType !== NOTE_TYPE || !isRecord(entry.data)) return undefined;
  const { agent, record } = entry.data;
  return agent === "codex" && entry.data.type === type && isRecord(record) ? record : undefined;
}

function turnContextOf(entry: SessionEntry): JsonObject | undefined {
  const payload = noteOf(entry, "turn_context")?.payload;
  return isRecord(payload) ? payload : undefined;
}

function textOf(items: readonly WrittenItem[]): string {
  return items
    .flatMap(({ item }) => (Array.isArray(item.content) ? item.content.filter(isRecord) : []))
    .map((part) => stringIn(part.text) ?? "")
    .join("\n");
}

/**
 * The places of compactions whose original record still matches their entries, and of the entries after them that are
 * items of that record.
 *
 * Excludes compactions of which the path omits such an entry, and is empty on a path with edits, since a record repeats
 * messages that may have been edited.
 */
function verbatimHistories(path: EntryPath): ReadonlySet<number> {
  const verbatim = new Set<number>();
  let at = 0;
  for (const entry of path) {
    if (entry.type === "context_edit") return new Set();
    if (isOwnCompaction(entry)) for (const place of historyAt(path, at)) verbatim.add(place);
    at += 1;
  }
  return verbatim;
}

function historyAt(path: EntryPath, at: number): number[] {
  const compaction = path.at(at);
  if (compaction === undefined || !isOwnCompaction(compaction)) return [];
  const places = [at];
  let found = 0;
  for (let next = at + 1; ; next++) {
    const origin = originOf(path.at(next));
    if (origin?.kept !== true) break;
    places.push(next);
    found += origin.items.length;
  }
  const { items } = replacedHistory(compaction.details.codex);
  const wanted = items?.filter(isKeptItem).length;
  // Sessions imported by older versions of Bough have no entries for the items at all.
  return wanted !== undefined && found !== wanted && found !== 0 ? [] : places;
}

/** A compaction with Codex's original record. */
function isOwnCompaction(
  entry: SessionEntry,
): entry is CompactionEntry & { readonly details: { readonly codex: JsonObject } } {
  return entry.type === "compaction" && isRecord(entry.details) && isRecord(entry.details.codex);
}
