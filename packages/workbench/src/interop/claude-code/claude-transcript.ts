/** A transcript under construction: records, each chained to the one before, and what could not be written. */
import type { EntryId, SessionEntry } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import type { WriteLoss } from "../contract.js";
import { stringIn } from "../foreign-lines.js";
import { callsIn, type JsonObject, resultIdsIn, textIn } from "./claude-record.js";

interface TranscriptOptions {
  readonly sessionId: string;
  readonly cwd: string;
  readonly newId: () => string;
  /** What an earlier transcript of the same path found out. */
  readonly settled?: Settlements;
}

/** How a record reads once it is known what else is written, by its uuid. */
type Settlements = ReadonlyMap<string, (record: JsonObject) => JsonObject>;

export class ClaudeTranscript {
  readonly #options: TranscriptOptions;
  /** The records that were not taken yet. */
  #records: JsonObject[] = [];
  /** The uuid of every record, and those of compactions among them. */
  readonly #order: string[] = [];
  readonly #ofCompactions = new Set<string>();
  readonly losses: WriteLoss[] = [];
  /** The uuids each entry became; a compaction names those it keeps. */
  readonly #uuids = new Map<EntryId, string[]>();
  readonly #written = new Set<string>();
  /** The record and the entry each call is in, by the id it is written with. */
  readonly #calls = new Map<string, { readonly uuid: string; readonly entryId: EntryId }>();
  /** The id that the latest call of an id is written with. */
  readonly #callIds = new Map<string, string>();
  readonly #answered = new Set<string>();
  readonly #settlements = new Map<string, (record: JsonObject) => JsonObject>();
  #last: string | undefined;
  #lastPrompt = "";
  #title: string | undefined;

  constructor(options: TranscriptOptions) {
    this.#options = options;
  }

  /** The record that the next one hangs below. */
  get last(): string | undefined {
    return this.#last;
  }

  isWritten(uuid: string | undefined): boolean {
    return uuid !== undefined && this.#written.has(uuid);
  }

  newId(): string {
    return this.#options.newId();
  }

  /** Takes in the path, with entries that nothing will be written for: a compaction may keep from one of those. */
  begin(path: Iterable<EntryId>): void {
    for (const id of path) this.#uuids.set(id, []);
  }

  /** The records that were added since this was asked last. */
  take(): readonly JsonObject[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  /** Is true for every record only when the transcript is finished. */
  get settlements(): Settlements {
    return this.#settlements;
  }

  /** The record a call was written in; undefined if it was not. */
  recordOfCall(id: string): string | undefined {
    return this.#calls.get(this.#callIds.get(id) ?? "")?.uuid;
  }

  /** The uuids written from an entry on, or from the next one that anything was written for. Compactions are not among them. */
  uuidsFrom(entryId: EntryId): string[] {
    let first: string | undefined;
    let isBehind = false;
    for (const [id, own] of this.#uuids) {
      isBehind ||= id === entryId;
      first ??= isBehind ? own[0] : undefined;
    }
    const at = first === undefined ? -1 : this.#order.indexOf(first);
    return at < 0 ? [] : this.#order.slice(at).filter((uuid) => !this.#ofCompactions.has(uuid));
  }

  /** Changes a record in the next transcript of the path, because `isWritten` is known for all only at the end. */
  settleLater(uuid: string, settle: (record: JsonObject) => JsonObject): void {
    this.#settlements.set(uuid, settle);
  }

  /**
   * Adds a record of an entry. It hangs below `parentUuid` where that is given and written, else below the last record;
   * `null` makes it a root. A call whose id is taken by an earlier answer gets another one, and so does its result.
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

  /** Adds what comes after all records. Nothing if there are none. */
  finish(title: string | undefined): void {
    const { sessionId } = this.#options;
    for (const [call, { entryId }] of this.#calls) {
      if (!this.#answered.has(call))
        this.lose(entryId, "a call without a result", "the program sends no call, or says it was interrupted");
    }
    if (this.#last === undefined) return;
    const name = title ?? this.#title;
    if (name !== undefined) this.#records.push({ type: "custom-title", customTitle: name, sessionId });
    this.#records.push({ type: "last-prompt", lastPrompt: this.#lastPrompt, leafUuid: this.#last, sessionId });
  }

  /** The provider refuses two calls of one id, and the program would give both the same result. */
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

/** The provider takes ids of 64 letters; this leaves room for a number. */
const LONGEST_START = 56;

/** The same record where nothing changes. */
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
