/** Scans everything that an export would contain for secrets. */
import type { EntryId, SessionEntry } from "@bough/session/entry/index.js";
import { WorkTurns } from "@bough/session/log/index.js";
import { withoutEncoding } from "./decoded-text.js";
import { type SecretFinderOptions, type SecretMatch, secretFinder } from "./find-secrets.js";
import { isOrdinary } from "./ordinary-value.js";
import { ScanBatch, type Scanned } from "./scan-batch.js";
import { withoutHidden } from "./shown-text.js";
import { Spots } from "./spots.js";

export interface SecretFinding {
  /** 1-based; users name it to keep a value. All occurrences of a value have the same number. */
  readonly number: number;
  readonly rule: string;
  readonly title: string;
  /** Entry of the first occurrence; undefined for the header, or if the ID itself contains a found secret. */
  readonly entryId: EntryId | undefined;
  readonly place: string;
  readonly line: number;
  /** The surrounding words, with the value masked. */
  readonly excerpt: string;
  /** Number of occurrences in the export. */
  readonly count: number;
}

export interface SecretScan {
  readonly findings: readonly SecretFinding[];
  /** The secret values, to be masked everywhere. Never show them. */
  readonly values: ReadonlyMap<string, number>;
  /** Positions of values that are ordinary words elsewhere; these are masked only where they were found. */
  readonly spots: Pick<Spots, "in">;
}

export interface ScanOptions extends SecretFinderOptions {
  readonly signal?: AbortSignal;
  /** Called from time to time with the number of entries scanned. */
  readonly onProgress?: (entries: number) => void;
}

const MASK = "••••";
const PROGRESS_EVERY = 500;
/** Characters per call of secretlint: each call has a fixed cost and blocks everything else while it runs. */
const BATCH_LENGTH = 1 << 17;

/** Keeps only one batch of records in memory. Throws the signal's reason if aborted. */
export async function scanEntries(records: Iterable<Scanned>, options: ScanOptions): Promise<SecretScan> {
  const finder = await secretFinder(options);
  const found = new Findings();
  let batch = new ScanBatch();
  let looked = 0;
  const turns = new WorkTurns();
  const look = async () => {
    options.signal?.throwIfAborted();
    const matches = await batch.matches(finder);
    const masked = batch.maskedBy(matches);
    for (const match of matches) found.add(match, batch, masked);
    batch = new ScanBatch();
    // Otherwise neither a signal nor a key would be handled before the end.
    await turns.yieldNow();
  };
  options.signal?.throwIfAborted();
  // Loading the scanner and finding the first entry of a long path are each one long step.
  await turns.yieldNow();
  for (const record of records) {
    batch.add(record);
    looked += 1;
    if (batch.whole.length >= BATCH_LENGTH) await look();
    else if (turns.isDue) await turns.yieldNow();
    if (looked % PROGRESS_EVERY === 0) options.onProgress?.(looked);
  }
  await look();
  options.onProgress?.(looked);
  found.hideInPlaces();
  return found;
}

class Findings implements SecretScan {
  readonly values = new Map<string, number>();
  readonly spots = new Spots();
  readonly findings: { -readonly [Key in keyof SecretFinding]: SecretFinding[Key] }[] = [];
  /** Finding numbers by decoded value: colored or percent-encoded, it is the same finding. */
  readonly #numbers = new Map<string, number>();

  /** `masked` is the text of the batch with every match masked. */
  add(match: SecretMatch, batch: ScanBatch, masked: string): void {
    const value = batch.whole.slice(match.start, match.end);
    const { record, place, text, start } = batch.pieceAt(match.start);
    const seen = withoutEncoding(withoutHidden(value));
    const known = this.#numbers.get(seen);
    const number = known ?? this.findings.length + 1;
    if (isOrdinary(seen)) this.spots.add(text, place, { start: match.start - start, end: match.end - start, number });
    else for (const form of formsOf(value, seen)) this.values.set(form, number);
    const before = this.findings[number - 1];
    if (before !== undefined) {
      before.count += 1;
      return;
    }
    this.#numbers.set(seen, number);
    this.findings.push({
      number,
      rule: match.rule,
      title: match.title,
      entryId: record.type === "session" ? undefined : (record.id as EntryId),
      place: placeWords(record, place),
      line: text.slice(0, match.start - start).split("\n").length,
      excerpt: excerptOf(value, {
        before: masked.slice(Math.max(start, match.start - 30), match.start),
        after: masked.slice(match.end, Math.min(start + text.length, match.end + 20)),
      }),
      count: 1,
    });
  }

  /** Removes IDs and tool names that contain a secret from the findings, which would otherwise reveal it. */
  hideInPlaces(): void {
    const values = [...this.values.keys()];
    for (const finding of this.findings) {
      const holds = (text: string) => values.some((value) => text.includes(value));
      if (holds(String(finding.entryId))) finding.entryId = undefined;
      if (holds(finding.place)) finding.place = "entry";
    }
  }
}

/** The value as written, as displayed, and as percent-encoded. */
function formsOf(value: string, seen: string): Set<string> {
  const forms = new Set([value, seen]);
  // A lone surrogate cannot be percent-encoded.
  if (!/[\ud800-\udfff]/.test(seen)) forms.add(encodeURIComponent(seen));
  return forms;
}

function excerptOf(value: string, around: { readonly before: string; readonly after: string }): string {
  const shown = value.length >= 16 ? value.slice(0, 4) : "";
  const before = around.before.split("\n").at(-1) ?? "";
  const after = around.after.split("\n")[0] ?? "";
  return `${before}${/^[\w-]*$/.test(shown) ? shown : ""}${MASK}${after}`.trim();
}

/** A readable name for a place: "prompt", "output of bash", "arguments of edit", "label". */
function placeWords(record: Scanned, place: string): string {
  if (record.type === "session") return "session header";
  if (record.type !== "message") return /^[a-z_]{1,24}$/.test(record.type) ? record.type.replaceAll("_", " ") : "entry";
  const { message } = record as Extract<SessionEntry, { type: "message" }>;
  switch (message.role) {
    case "user":
      return "prompt";
    case "toolResult":
      return `output of ${toolWord(message.toolName)}`;
    case "assistant": {
      const block = message.content[Number(/^message\.content\.(\d+)/.exec(place)?.[1] ?? -1)];
      if (block?.type === "toolCall") return `arguments of ${toolWord(block.name)}`;
      return block?.type === "thinking" ? "thinking" : "answer";
    }
    default:
      return /^[A-Za-z]{1,24}$/.test(message.role) ? message.role : "message";
  }
}

/** Anything that is not a plausible tool name is not repeated: it may be the secret itself. */
function toolWord(name: unknown): string {
  return typeof name === "string" && /^[\w.:-]{1,32}$/.test(name) ? name : "a tool";
}
