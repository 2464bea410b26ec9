/** `$BOUGH_HOME/auth.json`: keys and logins by provider, readable by the owner only. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isRecord, jsonObject } from "@bough/session/text/index.js";

export interface AuthFile {
  readonly keys: ReadonlyMap<string, string>;
  /** Unchecked login data by provider. */
  readonly logins: ReadonlyMap<string, object>;
  /** Why the file was not used; never contains a key. */
  readonly problem?: string;
}

const NOTHING: AuthFile = { keys: new Map(), logins: new Map() };

export function authPath(home: string): string {
  return join(home, "auth.json");
}

/** The saved keys. A file that other users can read is refused, since its keys may have leaked. Never throws. */
export function readAuthFile(home: string): AuthFile {
  const read = readEntries(home);
  if ("problem" in read) return { ...NOTHING, problem: read.problem };
  const keys = new Map<string, string>();
  const logins = new Map<string, object>();
  for (const [provider, entry] of Object.entries(read.entries)) {
    if (isRecord(entry) && entry.type === "oauth") {
      logins.set(provider, entry);
      continue;
    }
    const key = typeof entry === "string" ? entry : (entry as { key?: unknown } | null)?.key;
    if (typeof key === "string" && key.trim() !== "") keys.set(provider, key.trim());
  }
  return { keys, logins };
}

/** One raw entry of the file, such as a login. Undefined if it does not exist or the file is not usable. */
export function readAuthEntry(home: string, name: string): unknown {
  const read = readEntries(home);
  return "entries" in read && Object.hasOwn(read.entries, name) ? read.entries[name] : undefined;
}

function readEntries(
  home: string,
): { readonly entries: Readonly<Record<string, unknown>> } | { readonly problem: string } {
  const path = authPath(home);
  let text: string;
  try {
    const { mode } = statSync(path);
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      return {
        problem: `${path} is readable by other users, so its keys are not used; make it private with: chmod 600 ${path}`,
      };
    }
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { entries: {} };
    return { problem: `${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown reason"})` };
  }
  const entries = jsonObject(text);
  return entries === undefined ? { problem: `${path} is not a JSON object, so its keys are not used` } : { entries };
}
