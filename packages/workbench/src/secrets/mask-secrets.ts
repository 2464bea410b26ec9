/** Masks what a scan found, consistently in every record. */
import { withStrings } from "./entry-strings.js";
import type { SecretScan } from "./scan-entries.js";

export interface RedactorOptions {
  /** Numbers of findings to leave unmasked. */
  readonly keep?: ReadonlySet<number>;
  /** Home folders to shorten to `~`, longest first. */
  readonly homes?: readonly string[];
}

export interface Redactor {
  text(text: string): string;
  /** A masked copy of a record with the same structure: IDs, kinds and times stay. */
  record<Value>(record: Value): Value;
  /** How many values were masked so far, and how many paths were shortened. */
  readonly counts: { readonly masked: number; readonly shortened: number };
}

/** Makes the function that masks the secrets which a scan found, in any text. */
export function createRedactor(scan: SecretScan, { keep = new Set(), homes = [] }: RedactorOptions = {}): Redactor {
  const masks = new Map<string, string>();
  for (const [value, number] of scan.values) if (!keep.has(number)) masks.set(value, maskFor(scan, number));
  // Longest first, so that a value inside a longer one is masked with it.
  const values = [...masks.keys()].sort((a, b) => b.length - a.length);
  const pattern = values.length === 0 ? undefined : new RegExp(values.map(escaped).join("|"), "g");
  const folders = homes
    .filter((home) => home.length > 1)
    .map((home) => new RegExp(`${escaped(home)}(?![\\w-]|\\.\\w)`, "g"));
  let masked = 0;
  let shortened = 0;
  const stretchesIn = (text: string, place: string): Stretch[] => {
    const found: Stretch[] = [];
    for (const { start, end, number } of scan.spots.in(text, place)) {
      if (!keep.has(number)) found.push({ start, end, mask: maskFor(scan, number) });
    }
    if (pattern === undefined) return found;
    for (const { 0: value, index } of text.matchAll(pattern)) {
      found.push({ start: index, end: index + value.length, mask: masks.get(value) as string });
    }
    return found.sort((a, b) => a.start - b.start);
  };
  const masking = (original: string, place: string): string => {
    let changed = "";
    let from = 0;
    for (const { start, end, mask } of stretchesIn(original, place)) {
      if (start >= from) {
        changed += original.slice(from, start) + mask;
        masked += 1;
      }
      from = Math.max(from, end);
    }
    changed += original.slice(from);
    for (const folder of folders) {
      changed = changed.replace(folder, () => {
        shortened += 1;
        return "~";
      });
    }
    return changed;
  };
  return {
    text: (text) => masking(text, ""),
    record: (record) => withStrings(record, masking),
    get counts() {
      return { masked, shortened };
    },
  };
}

interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly mask: string;
}

function maskFor({ findings }: SecretScan, number: number): string {
  return `••••(${findings[number - 1]?.rule ?? "secret"} ${number})`;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
