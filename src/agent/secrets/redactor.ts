/** Masks what a scan found, the same way everywhere. */

import { withStrings } from "./entry-strings.js";
import type { SecretScan } from "./scan-entries.js";

export interface RedactorOptions {
  /** Numbers of findings that stay as they are. */
  readonly keep?: ReadonlySet<number>;
  /** Folders written as `~`, longest first: the person's home. */
  readonly homes?: readonly string[];
}

export interface Redactor {
  text(text: string): string;
  /** A copy of a record with the same structure: ids, kinds and times stay. */
  record<Value>(record: Value): Value;
  /** How many values were masked so far, and how many paths were shortened. */
  readonly counts: { readonly masked: number; readonly shortened: number };
}

export function createRedactor(scan: SecretScan, { keep = new Set(), homes = [] }: RedactorOptions = {}): Redactor {
  const masks = new Map<string, string>();
  for (const [value, number] of scan.values) {
    const finding = scan.findings[number - 1];
    if (finding !== undefined && !keep.has(number)) masks.set(value, `••••(${finding.rule} ${number})`);
  }
  // The longest first: a value inside a longer one goes with it.
  const values = [...masks.keys()].sort((a, b) => b.length - a.length);
  const pattern = values.length === 0 ? undefined : new RegExp(values.map(escaped).join("|"), "g");
  const folders = homes
    .filter((home) => home.length > 1)
    .map((home) => new RegExp(`${escaped(home)}(?![\\w-]|\\.\\w)`, "g"));
  let masked = 0;
  let shortened = 0;
  const text = (original: string): string => {
    let changed = original;
    if (pattern !== undefined) {
      changed = changed.replace(pattern, (value) => {
        masked += 1;
        return masks.get(value) as string;
      });
    }
    for (const folder of folders) {
      changed = changed.replace(folder, () => {
        shortened += 1;
        return "~";
      });
    }
    return changed;
  };
  return {
    text,
    record: (record) => withStrings(record, text),
    get counts() {
      return { masked, shortened };
    },
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
