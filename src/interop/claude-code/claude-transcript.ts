/** A transcript under construction: records, each chained to the one before, and what could not be written. */
import type { EntryId, SessionEntry } from "../../entry/index.js";
import type { WriteLoss } from "../contract.js";
import { isObject, stringIn } from "../foreign-lines.js";
import { callsIn, type JsonObject, resultIdsIn, textIn } from "./claude-record.js";

export interface TranscriptOptions {
  readonly sessionId: string;
  readonly cwd: string;
  readonly newId: () => string;
}

export interface FinishedTranscript {
  readonly records: readonly JsonObject[];
  readonly losses: readonly WriteLoss[];
}

export class ClaudeTranscript {
  readonly #options: TranscriptOptions;
  readonly #records: JsonObject[] = [];
  readonly #losses: WriteLoss[] = [];
  /** The uuids each entry became; a compaction names those it keeps. */
  readonly #uuids = new Map<EntryId, string[]>();
  readonly #written = new Set<string>();
  /** The record and the entry each call is in. */
  readonly #calls = new Map<string, { readonly uuid: string; readonly entryId: EntryId }>();
  readonly #answered = new Set<string>();
  /** How a record will read once it is known what else is written. */
  readonly #unsettled = new Map<string, (record: JsonObject) => JsonObject>();
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
  begin(path: readonly SessionEntry[]): void {
    for (const { id } of path) this.#uuids.set(id, []);
  }

  /** The record a call was written in; undefined where it was not. */
  recordOfCall(id: string): string | undefined {
    return this.#calls.get(id)?.uuid;
  }

  /** The uuids written from an entry on, or from the next one that anything was written for. Compactions are not among them. */
  uuidsFrom(entryId: EntryId): string[] {
    let first: string | undefined;
    let isBehind = false;
    for (const [id, own] of this.#uuids) {
      isBehind ||= id === entryId;
      first ??= isBehind ? own[0] : undefined;
    }
    const at = first === undefined ? -1 : this.#records.findIndex(({ uuid }) => uuid === first);
    if (at < 0) return [];
    const records = this.#records.slice(at).filter((record) => !isOfCompaction(record));
    return records.map(({ uuid }) => uuid as string);
  }

  /** Changes a record at the end, when `isWritten` is known for all. */
  settleLater(uuid: string, settle: (record: JsonObject) => JsonObject): void {
    this.#unsettled.set(uuid, settle);
  }

  /**
   * Adds a record of an entry. It hangs below `parentUuid` where that is given and written, else below the last record;
   * `null` makes it a root.
   */
  push(entryId: EntryId, record: JsonObject, parentUuid?: string | null): string {
    const { sessionId, cwd } = this.#options;
    const uuid = stringIn(record.uuid) ?? this.newId();
    const known = parentUuid === null || (parentUuid !== undefined && this.#written.has(parentUuid));
    const parent = known ? parentUuid : (this.#last ?? null);
    this.#records.push({ isSidechain: false, cwd, ...record, uuid, parentUuid: parent, sessionId });
    this.#written.add(uuid);
    this.#last = uuid;
    const own = this.#uuids.get(entryId);
    if (own === undefined) this.#uuids.set(entryId, [uuid]);
    else own.push(uuid);
    this.#takeLinks(entryId, uuid, record);
    return uuid;
  }

  lose(entryId: EntryId, what: string, effect: string): void {
    this.#losses.push({ entryId, what, effect });
  }

  name(title: string): void {
    this.#title = title;
  }

  finish(title: string | undefined): FinishedTranscript {
    const { sessionId } = this.#options;
    for (const [call, { entryId }] of this.#calls) {
      if (!this.#answered.has(call))
        this.lose(entryId, "a call without a result", "the program sends no call, or says it was interrupted");
    }
    if (this.#last === undefined) return { records: [], losses: this.#losses };
    for (const [at, record] of this.#records.entries()) {
      const settle = this.#unsettled.get(record.uuid as string);
      if (settle !== undefined) this.#records[at] = settle(record);
    }
    const name = title ?? this.#title;
    if (name !== undefined) this.#records.push({ type: "custom-title", customTitle: name, sessionId });
    this.#records.push({ type: "last-prompt", lastPrompt: this.#lastPrompt, leafUuid: this.#last, sessionId });
    return { records: this.#records, losses: this.#losses };
  }

  #takeLinks(entryId: EntryId, uuid: string, record: JsonObject): void {
    const content = isObject(record.message) ? record.message.content : undefined;
    if (record.type === "assistant") {
      for (const { id } of callsIn(content)) this.#calls.set(id, { uuid, entryId });
    } else if (record.type === "user") {
      const results = resultIdsIn(content);
      for (const id of results) this.#answered.add(id);
      if (results.length === 0) this.#lastPrompt = textIn(content);
    }
  }
}

function isOfCompaction({ subtype, isCompactSummary }: JsonObject): boolean {
  return subtype === "compact_boundary" || isCompactSummary === true;
}

export function userRecord({ timestamp }: SessionEntry, content: string | readonly JsonObject[]): JsonObject {
  return { type: "user", userType: "external", timestamp, message: { role: "user", content } };
}
