/** A header for a file without one: from the rest of the old header, the file's name and its first entry. */
import { hash } from "node:crypto";
import { basename } from "node:path";
import { CURRENT_SESSION_VERSION, type SessionHeader } from "../../entry/index.js";
import { attempt, defined } from "../../text/index.js";

interface HeaderSources {
  readonly path: string;
  /** The first bytes of a damaged header line. */
  readonly damaged: string | undefined;
  /** Time of the first entry. */
  readonly time: string | undefined;
  /** Makes the ID unique if nothing names the session. */
  readonly seed: string;
}

/** If the damaged header does not name the working directory, it is empty, which means unknown. */
export function newHeader({ path, damaged, time, seed }: HeaderSources): SessionHeader {
  const left = damaged ?? "";
  const parentSession = stringField(left, "parentSession");
  return {
    type: "session",
    version: CURRENT_SESSION_VERSION,
    id: stringField(left, "id") ?? idInName(path) ?? uuidFrom(seed),
    timestamp: stringField(left, "timestamp") ?? time ?? UNKNOWN_TIME,
    cwd: stringField(left, "cwd") ?? "",
    ...defined({ parentSession }),
  };
}

/** The version in a damaged header, if that part of it is left. */
export function damagedVersion(damaged: string | undefined): number | undefined {
  const version = /"version":(\d+)/.exec(damaged ?? "")?.[1];
  return version === undefined ? undefined : Number(version);
}

/** Obviously not a real time, and older than everything. */
export const UNKNOWN_TIME = "1970-01-01T00:00:00.000Z";

function stringField(text: string, key: string): string | undefined {
  const quoted = new RegExp(`"${key}":("(?:[^"\\\\]|\\\\.)+")`).exec(text)?.[1];
  if (quoted === undefined) return undefined;
  // Undefined if the field itself is damaged.
  return attempt(() => JSON.parse(quoted) as string);
}

/** Session files are named `<time>_<id>.jsonl`. */
function idInName(path: string): string | undefined {
  return /^\d{4}-\d\d-\d\dT[\d-]+Z_([^.]+)/.exec(basename(path))?.[1];
}

export function uuidFrom(seed: string): string {
  const hex = hash("sha256", seed, "hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}
