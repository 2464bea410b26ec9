/**
 * Recognizes `.bough/settings.local.json` files that contain nothing but the user's own answers, by digests in Bough's
 * own folder. A file that came with the project, or was changed otherwise, must be trusted like the rest of the
 * project.
 */
import { createHash } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { writeWhole } from "@bough/session/log/index.js";
import { isRecord, parsedJson } from "@bough/session/text/index.js";

const MOST_FOLDERS = 1000;

/** Whether this text is exactly what the user's last answer wrote. */
export function isOwnLocalText(text: string, { cwd, home }: OwnPlace): boolean {
  const known = digestsIn(home);
  return Object.hasOwn(known, realFolder(cwd)) && known[realFolder(cwd)] === digestOf(text);
}

/** Records a change that the user asked for, unless the text before it was not the user's own. */
export function recordOwnChange(
  place: OwnPlace,
  { before, after }: { readonly before: string | undefined; readonly after: string },
): void {
  if (before !== undefined && !isOwnLocalText(before, place)) return;
  const { [realFolder(place.cwd)]: _, ...others } = digestsIn(place.home);
  const entries = [...Object.entries(others), [realFolder(place.cwd), digestOf(after)]].slice(-MOST_FOLDERS);
  const text = `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
  writeWhole(ownFile(place.home), text, { existing: "replace", durable: false });
}

export interface OwnPlace {
  readonly cwd: string;
  readonly home: string;
}

function ownFile(home: string): string {
  return join(home, "local-settings.json");
}

function digestsIn(home: string): Readonly<Record<string, unknown>> {
  try {
    const value = parsedJson(readFileSync(ownFile(home), "utf8"));
    return isRecord(value) ? value : {};
  } catch {
    // Missing or damaged: no file is known to be the user's own.
    return {};
  }
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function realFolder(cwd: string): string {
  try {
    return realpathSync(cwd);
  } catch {
    return resolve(cwd);
  }
}
