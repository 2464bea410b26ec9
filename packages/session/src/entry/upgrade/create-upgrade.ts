/** Upgrades files of version 1 and 2 to version 3, line by line. */
import { CURRENT_SESSION_VERSION, type SessionHeader } from "../entry.js";
import { isHeader, isTitle, parseObject, type RawRecord } from "../parse-entries.js";
import { linearId } from "./linear-id.js";
import { recordsInText } from "./records-in-text.js";
import { type FieldChange, replaceFields } from "./replace-fields.js";
import { needsUpgrade, type SessionVersion, sessionVersion } from "./session-version.js";
import { type EntryUpgrade, upgradeEntry } from "./upgrade-entry.js";

export interface LineUpgrade {
  /**
   * The version 3 form of the next line. Pass every line of the file in order, without its newline.
   *
   * Blank lines, unreadable lines and lines with nothing to change are returned as the same string. In a line that
   * holds several records, or one after a torn one, the whole records are upgraded in place.
   */
  upgradeLine(text: string): string;
}

/**
 * An upgrade of one file. It never drops, adds or reorders a line, always assigns the same IDs, and returns files of
 * version 3, of a later version and without a header unchanged; so upgrading twice changes nothing.
 *
 * The first header decides. A caller that knows of a header further down passes its text, so that the entries before it
 * are upgraded too.
 */
export function createUpgrade(headerText?: string): LineUpgrade {
  const upgrade = new FileUpgrade();
  if (headerText !== undefined) {
    const read = parseObject(headerText);
    if (read.kind === "object" && isHeader(read.record)) upgrade.meetHeader(read.record);
  }
  return upgrade;
}

/** IDs of records that share a line are derived from numbers that no line of a file has. */
const FIRST_WITHIN = 0x80000000;

class FileUpgrade implements LineUpgrade {
  #header: SessionHeader | undefined;
  #version: SessionVersion | undefined;
  readonly #headerIds = new Set<string>();
  /** By ordinal: every line that is JSON has one, because version 1 counts them all. `undefined`: not an entry. */
  readonly #ids: (string | undefined)[] = [];
  /** The ordinals of headers. */
  readonly #headerOrdinals = new Set<number>([0]);
  /** The first entry on the path to each entry. */
  readonly #roots = new Map<string, string>();
  #previousId: string | null = null;
  /** Records found so far that share a line. */
  #within = 0;

  meetHeader(header: SessionHeader): void {
    this.#header ??= header;
    this.#version ??= sessionVersion(header);
    const uuid = (header as { readonly uuid?: unknown }).uuid;
    if (typeof uuid === "string") this.#headerIds.add(uuid);
  }

  upgradeLine(text: string): string {
    if (this.#version !== undefined && this.#version.kind !== "old") return text;
    const read = parseObject(text);
    if (read.kind === "bad") {
      if (read.reason === "not-json") return this.#upgradeWithin(text);
      this.#ids.push(undefined);
      return text;
    }
    if (isTitle(read.record)) return text;
    if (!isHeader(read.record)) return this.#upgradeEntry(text, read.record);
    this.#headerOrdinals.add(this.#ids.length);
    this.#ids.push(undefined);
    return this.#upgradeHeader(text, read.record);
  }

  /** A second header is upgraded like the first, so that no line of the file names an old version any more. */
  #upgradeHeader(text: string, header: RawRecord & SessionHeader): string {
    this.meetHeader(header);
    return needsUpgrade(header) ? upgradeHeader(text, header) : text;
  }

  #upgradeEntry(text: string, record: RawRecord): string {
    const upgraded = this.#upgraded(text, record, this.#ids.length);
    this.#ids.push(upgraded?.id);
    if (upgraded === undefined) return text;
    this.#previousId = upgraded.id;
    return upgraded.text;
  }

  /** Records that share a line with others, or with a torn one. The program that counts lines reads none of them. */
  #upgradeWithin(text: string): string {
    let upgraded = "";
    let from = 0;
    for (const { record, start, end } of recordsInText(text)) {
      const own = text.slice(start, end);
      upgraded += text.slice(from, start);
      if (isHeader(record)) upgraded += this.#upgradeHeader(own, record);
      else {
        const entry = this.#upgraded(own, record, FIRST_WITHIN + this.#within);
        this.#within += 1;
        this.#previousId = entry?.id ?? this.#previousId;
        upgraded += entry?.text ?? own;
      }
      from = end;
    }
    return upgraded + text.slice(from);
  }

  get #firstId(): string | undefined {
    return this.#ids.find((id) => id !== undefined);
  }

  #rootOf(parentId: string | null): string | undefined {
    return parentId === null ? undefined : this.#roots.get(parentId);
  }

  #upgraded(text: string, record: RawRecord, ordinal: number): EntryUpgrade | undefined {
    if (this.#header === undefined || this.#version?.kind !== "old") return undefined;
    if (typeof record.type !== "string" || record.type === "session") return undefined;
    const upgraded = upgradeEntry({
      text,
      record,
      version: this.#version.version,
      newId: linearId(this.#header.id, ordinal),
      previousId: this.#previousId,
      headerIds: this.#headerIds,
      timestamp: typeof this.#header.timestamp === "string" ? this.#header.timestamp : UNKNOWN_TIME,
      idAt: (ordinal) => this.#ids[ordinal] ?? (this.#headerOrdinals.has(ordinal) ? this.#firstId : undefined),
      rootOf: (parentId) => this.#rootOf(parentId),
    });
    if (upgraded !== undefined) this.#roots.set(upgraded.id, this.#rootOf(upgraded.parentId) ?? upgraded.id);
    return upgraded;
  }
}

/** Used if neither the entry nor its header has a time: obviously not a real one, and older than everything. */
const UNKNOWN_TIME = "1970-01-01T00:00:00.000Z";

const HEADER_KEYS: readonly string[] = ["type", "version", "id", "timestamp", "cwd"];

/**
 * Upgrades a header of version 1 or 2 to version 3: `branchedFrom` becomes `parentSession`, and the links that made the
 * header the root of the tree are removed.
 *
 * The model and thinking level of version 1 stay in the header unchanged. As entries they would need IDs of their own
 * and shift every index in a compaction.
 */
function upgradeHeader(text: string, record: RawRecord): string {
  const changes = new Map<string, FieldChange | "drop">([
    ["version", { value: String(CURRENT_SESSION_VERSION) }],
    ["uuid", "drop"],
    ["parentUuid", "drop"],
  ]);
  if (record.parentSession === undefined && typeof record.branchedFrom === "string") {
    changes.set("branchedFrom", { key: "parentSession" });
  }
  if (record.timestamp === undefined) changes.set("timestamp", { value: JSON.stringify(UNKNOWN_TIME) });
  return replaceFields(text, { first: HEADER_KEYS, changes });
}
