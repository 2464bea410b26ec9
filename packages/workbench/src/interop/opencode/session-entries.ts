/** Creates the entries of one opencode session in order, and counts what its records became. */
import type { EntryId, SessionEntry } from "@bough/session/entry/index.js";
import type { EntryChain } from "../conversion/entry-chain.js";
import { foreignId, noteEntry, type Place } from "../foreign-entry.js";
import type { LossCollector, RecordFate } from "../loss-report.js";
import type { JsonObject, StoredPart, StoredRecord } from "./session-store.js";

export interface SessionEntriesOptions {
  readonly session: string;
  readonly report: LossCollector;
  readonly chain: EntryChain;
}

/** A readable part. */
export type Part = StoredPart & { readonly value: JsonObject };

const KNOWN_PARTS: ReadonlySet<string> = new Set([
  ...["text", "reasoning", "tool", "file", "agent", "subtask", "step-start", "step-finish", "snapshot", "patch"],
  ...["retry", "compaction"],
]);

export class SessionEntries {
  readonly #options: SessionEntriesOptions;
  readonly chain: EntryChain;
  /** The first entry created since this was last set to undefined. */
  firstMade: EntryId | undefined;
  #model = "";

  constructor(options: SessionEntriesOptions) {
    this.#options = options;
    this.chain = options.chain;
  }

  id(...parts: readonly string[]): EntryId {
    return foreignId(this.#options.session, ...parts);
  }

  take(...parts: readonly string[]): Place {
    return this.chain.take(this.id(...parts));
  }

  push(entry: SessionEntry): void {
    if (entry.type !== "model_change") this.firstMade ??= entry.id;
    this.chain.push(entry);
  }

  note(
    record: StoredRecord,
    { type, key, value = record.value }: { type: string; key: string; value?: unknown },
  ): void {
    this.push(noteEntry(this.take("note", key), { agent: "opencode", type, line: record.line, record: value }));
  }

  modelChange({ provider, model }: NamedModel, messageId: string): void {
    if (model === "" || this.#model === `${provider}/${model}`) return;
    this.#model = `${provider}/${model}`;
    this.push({ type: "model_change", ...this.take(messageId, "model"), provider, modelId: model });
  }

  nameUnknown(what: string): void {
    this.#options.report.nameUnknown(what);
  }

  count(fate: RecordFate, { file, line }: StoredRecord, type: string, reason?: string): void {
    this.#options.report.count(fate, { file, line, type, reason });
  }

  /** Counts the parts of a message's entry. Unknown parts become notes. */
  countParts(parts: readonly Part[]): void {
    for (const part of parts) {
      const type = String(part.value.type);
      const known = KNOWN_PARTS.has(type);
      if (!known) {
        this.nameUnknown(`part type ${type}`);
        this.note(part, { type: `part/${type}`, key: part.id });
      }
      if (part.inside !== true) this.count(known ? "converted" : "note", part, `part/${type}`);
    }
  }
}

export interface NamedModel {
  readonly provider: string;
  readonly model: string;
}

/** What a message's entry cannot store: fields other than `said`, and those of the given parts that are known. */
export function originOf(info: JsonObject, parts: readonly Part[], said: readonly string[]): JsonObject {
  const rest = Object.entries(info).filter(([key]) => !said.includes(key));
  const kept = parts
    .filter(({ value }) => KNOWN_PARTS.has(String(value.type)))
    .map(({ value: { sessionID: _s, messageID: _m, ...part } }) => part);
  return { agent: "opencode", info: Object.fromEntries(rest), ...(kept.length === 0 ? {} : { parts: kept }) };
}
