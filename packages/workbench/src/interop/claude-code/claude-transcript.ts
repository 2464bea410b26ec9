/** A transcript under construction: records, each chained to the one before, and losses. */
import type { EntryId, SessionEntry } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import type { WriteLoss } from "../contract.js";
import { stringIn } from "../foreign-lines.js";
import { callsIn, type JsonObject, resultIdsIn, textIn } from "./claude-record.js";

interface TranscriptOptions {
  readonly sessionId: string;
  readonly cwd: string;
  readonly newId: () => string;
  /** Settlements from an earlier transcript of the same path. */
  readonly settled?: Settlements;
}

/** By uuid, functions that finalize a record once it is known which other records are written. */
type Settlements = ReadonlyMap<string, (record: JsonObject) => JsonObject>;

export class ClaudeTranscript {
  readonly #options: TranscriptOptions;
  /** Records that `take` has not returned yet. */
  #records: JsonObject[] = [];
  /** The uuids of all records, in order, and those that belong to compactions. */
  readonly #order: string[] = [];
  readonly #ofCompactions = new Set<string>();
  readonly losses: WriteLoss[] = [];
  /** For each entry, the uuids of its records, which compactions refer to. */
  readonly #uuids = new Map<EntryId, string[]>();
  readonly #written = new Set<string>();
  /** For each call ID as written, the record and entry with the call. */
  readonly #calls = new Map<string, { readonly uuid: string; readonly entryId: EntryId }>();
  /** For each original call ID, the ID with which its latest call is written. */
  readonly #callIds = new Map<string, string>();
  readonly #answered = new Set<string>();
  readonly #settlements = new Map<string, (record: JsonObject) => JsonObject>();
  #last: string | undefined;
  #lastPrompt = "";
  #title: string | undefined;

  constructor(options: TranscriptOptions) {
    this.#options = options;
  }

  /** The parent of the next record. */
  get last(): string | undefined {
    return this.#last;
  }

  isWritten(uuid: string | undefined): boolean {
    return uuid !== undefined && this.#written.has(uuid);
  }

  newId(): string {
    return this.#options.newId();
  }

  /** Registers all entries of the path, even those that are not written: a compaction may keep everything from one. */
  begin(path: Iterable<EntryId>): void {
    for (const id of path) this.#uuids.set(id, []);
  }

  /** The records added since the last call. */
  take(): readonly JsonObject[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  /** Complete only when the transcript is finished. */
  get settlements(): Settlements {
    return this.#settlements;
  }

  /** The uuid of the record with a call; undefined if it was not written. */
  recordOfCall(id: string): string | undefined {
    return this.#calls.get(this.#callIds.get(id) ?? "")?.uuid;
  }

  /** The uuids written starting at an entry, or at the next entry that has any, without those of compactions. */
  uuidsFrom(entryId: EntryId): string[] {
    let first: string | undefined;
    let isReached = false;
    for (const [id, own] of this.#uuids) {
      isReached ||= id === entryId;
      first ??= isReached ? own[0] : undefined;
    }
    const at = first === undefined ? -1 : this.#order.indexOf(first);
    return at < 0 ? [] : this.#order.slice(at).filter((uuid) => !this.#ofCompactions.has(uuid));
  }

  /**
   * Changes a record in the next transcript of the path, since only at the end is it known which records are written.
   */
  settleLater(uuid: string, settle: (record: JsonObject) => JsonObject): void {
    this.#settlements.set(uuid, settle);
  }

  /**
   * Adds a record of an entry. Its parent is `parentUuid` if that is given and written, otherwise the last record;
   * `null` makes it a root. A call whose ID is taken by an earlier answer gets a new ID, as does its result.
   */
  push(entryId: EntryId, given: JsonObject, parentUuid?: string | null): string {
    const { sessionId, cwd, settled } = this.#options;
    const record = this.#withOwnCallIds(entryId, given);
    const uuid = stringIn(record.uuid) ?? this.newId();
    const known = parentUuid === null || (parentUuid !== undefined && this.#written.has(parentUuid));
    const parent = known ? parentUuid : (this.#last ?? null);
    const linked = { isSidechain: false, cwd, ...record, uuid, parentUuid: parent, sessionId };
    this.#records.push(settled?.get(uuid)?.(linked) ?? linked);
    this.#order.push(uuid);
    if (record.subtype === "compact_boundary" || record.isCompactSummary === true) this.#ofCompactions.add(uuid);
    this.#written.add(uuid);
    this.#last = uuid;
    const own = this.#uuids.get(entryId);
    if (own === undefined) this.#uuids.set(entryId, [uuid]);
    else own.push(uuid);
    this.#takeLinks(entryId, uuid, record);
    return uuid;
  }

  lose(entryId: EntryId, what: string, effect: string): void {
    this.losses.push({ entryId, what, effect });
  }

  name(title: string): void {
    this.#title = title;
  }

  /** Adds the closing records, unless the transcript is empty. */
  finish(title: string | undefined): void {
    const { sessionId } = this.#options;
    for (const [call, { entryId }] of this.#calls) {
      if (!this.#answered.has(call))
        this.lose(entryId, "a call without a result", "not sent, or reported as interrupted");
    }
    if (this.#last === undefined) return;
    const name = title ?? this.#title;
    if (name !== undefined) this.#records.push({ type: "custom-title", customTitle: name, sessionId });
    this.#records.push({ type: "last-prompt", lastPrompt: this.#lastPrompt, leafUuid: this.#last, sessionId });
  }

  /** The provider rejects two calls with one ID, and Claude Code would give both the same result. */
  #withOwnCallIds(entryId: EntryId, record: JsonObject): JsonObject {
    const idOf = (id: string): string => {
      if (record.type === "user") return this.#callIds.get(id) ?? id;
      const own = this.#freeCallId(id, entryId);
      this.#callIds.set(id, own);
      return own;
    };
    return withCallIds(record, idOf);
  }

  #freeCallId(id: string, entryId: EntryId): string {
    let own = id;
    for (let number = 2; (this.#calls.get(own)?.entryId ?? entryId) !== entryId; number++) {
      own = `${id.slice(0, LONGEST_START)}_${number}`;
    }
    return own;
  }

  #takeLinks(entryId: EntryId, uuid: string, record: JsonObject): void {
    const content = isRecord(record.message) ? record.message.content : undefined;
    if (record.type === "assistant") {
      for (const { id } of callsIn(content)) this.#calls.set(id, { uuid, entryId });
    } else if (record.type === "user") {
      const results = resultIdsIn(content);
      for (const id of results) this.#answered.add(id);
      if (results.length === 0) this.#lastPrompt = textIn(content);
    }
  }
}

/** The provider accepts IDs of up to 64 characters; this leaves room for a number. */
const LONGEST_START = 56;

/** Returns the record itself if no ID changes. */
function withCallIds(record: JsonObject, idOf: (id: string) => string): JsonObject {
  const content = isRecord(record.message) ? record.message.content : undefined;
  if (!Array.isArray(content)) return record;
  let isChanged = false;
  const named = content.map((block: unknown) => {
    const field = isRecord(block) ? CALL_FIELDS.get(block.type) : undefined;
    const id = field === undefined ? undefined : stringIn((block as JsonObject)[field]);
    const own = id === undefined ? undefined : idOf(id);
    if (field === undefined || own === id) return block;
    isChanged = true;
    return { ...(block as JsonObject), [field]: own };
  });
  return isChanged ? { ...record, message: { ...(record.message as JsonObject), content: named } } : record;
}

const CALL_FIELDS: ReadonlyMap<unknown, string> = new Map([
  ["tool_use", "id"],
  ["tool_result", "tool_use_id"],
]);

export function userRecord({ timestamp }: SessionEntry, content: string | readonly JsonObject[]): JsonObject {
  return { type: "user", userType: "external", timestamp, message: { role: "user", content } };
}
