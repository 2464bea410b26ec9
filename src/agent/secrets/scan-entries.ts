/** Looks for secrets in everything an export would hold. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { EntryId, SessionEntry } from "../../entry/index.js";
import { stringsIn } from "./entry-strings.js";
import { type SecretFinderOptions, type SecretMatch, secretFinder } from "./find-secrets.js";

export interface SecretFinding {
  /** Counts from 1; what a person names to keep it. The same value has the same number wherever it stands. */
  readonly number: number;
  readonly rule: string;
  readonly title: string;
  /** Where it was seen first; undefined for the header. */
  readonly entryId: EntryId | undefined;
  readonly place: string;
  readonly line: number;
  /** The words around it, with the value masked. */
  readonly excerpt: string;
  /** How often it stands in the export. */
  readonly count: number;
}

export interface SecretScan {
  readonly findings: readonly SecretFinding[];
  /** The values themselves, for masking. Never to be shown. */
  readonly values: ReadonlyMap<string, number>;
}

export interface ScanOptions extends SecretFinderOptions {
  readonly signal?: AbortSignal;
  /** Called now and then with how many entries were looked at. */
  readonly onProgress?: (entries: number) => void;
}

/** A record to look at: an entry, or the header of the session. */
export type Scanned = SessionEntry | { readonly type: "session"; readonly id?: unknown };

const MASK = "••••";
const PROGRESS_EVERY = 500;
const TURN = 32;

/** Reads record after record and keeps none of them. Throws the signal's reason where it is stopped. */
export async function scanEntries(records: Iterable<Scanned>, options: ScanOptions): Promise<SecretScan> {
  const finder = await secretFinder(options);
  const values = new Map<string, number>();
  const findings: { -readonly [Key in keyof SecretFinding]: SecretFinding[Key] }[] = [];
  let looked = 0;
  for (const record of records) {
    options.signal?.throwIfAborted();
    const strings = [...stringsIn(record)];
    // One text for each record: what is loaded to look at it is asked once, and a rule may span lines but no fields.
    const whole = strings.map(({ text }) => text).join("\n\0\n");
    for (const match of await finder.find(whole)) {
      const value = whole.slice(match.start, match.end);
      if (value.includes("\0")) continue;
      const known = values.get(value);
      const before = known === undefined ? undefined : findings[known - 1];
      if (before !== undefined) {
        before.count += 1;
        continue;
      }
      values.set(value, findings.length + 1);
      findings.push(findingFor(record, { match, whole, strings, number: findings.length + 1 }));
    }
    looked += 1;
    // Otherwise neither a signal nor a key would be heard before the end.
    if (looked % TURN === 0) await nextTurn();
    if (looked % PROGRESS_EVERY === 0) options.onProgress?.(looked);
  }
  options.onProgress?.(looked);
  return { findings, values };
}

interface Found {
  readonly match: SecretMatch;
  readonly whole: string;
  readonly strings: readonly { readonly text: string; readonly place: string }[];
  readonly number: number;
}

function findingFor(record: Scanned, { match, whole, strings, number }: Found): SecretFinding {
  let start = 0;
  let at = strings[0] ?? { text: "", place: "" };
  for (const candidate of strings) {
    at = candidate;
    if (match.start < start + candidate.text.length + 3) break;
    start += candidate.text.length + 3;
  }
  const inside = at.text.slice(0, Math.max(0, match.start - start));
  return {
    number,
    rule: match.rule,
    title: match.title,
    entryId: record.type === "session" ? undefined : (record.id as EntryId),
    place: placeWords(record, at.place),
    line: inside.split("\n").length,
    excerpt: excerptOf(whole, match),
    count: 1,
  };
}

function excerptOf(whole: string, { start, end }: SecretMatch): string {
  const value = whole.slice(start, end);
  const shown = value.length >= 16 ? value.slice(0, 4) : "";
  const before =
    whole
      .slice(Math.max(0, start - 30), start)
      .split(/[\n\0]/)
      .at(-1) ?? "";
  const after = whole.slice(end, end + 20).split(/[\n\0]/)[0] ?? "";
  return `${before}${/^[\w-]*$/.test(shown) ? shown : ""}${MASK}${after}`.trim();
}

/** "prompt", "output of bash", "arguments of edit", "label". */
function placeWords(record: Scanned, place: string): string {
  if (record.type === "session") return "session header";
  if (record.type !== "message") return record.type.replaceAll("_", " ");
  const { message } = record as Extract<SessionEntry, { type: "message" }>;
  switch (message.role) {
    case "user":
      return "prompt";
    case "toolResult":
      return `output of ${message.toolName}`;
    case "assistant": {
      const block = message.content[Number(/^message\.content\.(\d+)/.exec(place)?.[1] ?? -1)];
      if (block?.type === "toolCall") return `arguments of ${block.name}`;
      return block?.type === "thinking" ? "thinking" : "answer";
    }
    default:
      return message.role;
  }
}
