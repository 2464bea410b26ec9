/** `$BOUGH_HOME/auth.json`: keys and logins by provider, for the owner's eyes alone. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "../log/index.js";
import { isRecord, jsonObject } from "../text/index.js";
import { ModelError } from "./model-error.js";

interface AuthFile {
  readonly keys: ReadonlyMap<string, string>;
  /** What logins to providers gave; not checked. */
  readonly logins: ReadonlyMap<string, object>;
  /** Why the file, or a part of it, was not used; a sentence without any key. */
  readonly problem?: string;
}

const NOTHING: AuthFile = { keys: new Map(), logins: new Map() };

export function authPath(home: string): string {
  return join(home, "auth.json");
}

/** The saved keys. A file that others can read is refused, because it may no longer be a secret. Never throws. */
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

/** One entry of the file that is not a key of a provider, such as a login. Undefined if it is not there or not private. */
export function readAuthEntry(home: string, name: string): unknown {
  const read = readEntries(home);
  return "entries" in read && Object.hasOwn(read.entries, name) ? read.entries[name] : undefined;
}

/** Changes such an entry; undefined takes it out. A whole new private file, in which everything else stays. */
export function changeAuthEntry(home: string, name: string, change: (before: unknown) => unknown): void {
  const path = authPath(home);
  const entries = { ...existing(path) };
  const next = change(Object.hasOwn(entries, name) ? entries[name] : undefined);
  if (next === undefined) delete entries[name];
  else entries[name] = next;
  writeWhole(path, `${JSON.stringify(entries, null, 2)}\n`, { existing: "replace", durable: true });
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

interface SaveKeyOptions {
  readonly home: string;
  readonly provider: string;
  /** Undefined takes the provider's key out. */
  readonly key: string | undefined;
}

/** Saves a key: a whole new private file in place of the old one. Everything else in it stays. */
export function saveKey({ home, provider, key }: SaveKeyOptions): void {
  if (key !== undefined && (key.trim() === "" || /\s/.test(key.trim()))) {
    throw new ModelError("bad-key", `The key for ${provider} is empty or has spaces in it`, { data: { provider } });
  }
  changeAuthEntry(home, provider, () => (key === undefined ? undefined : { type: "api_key", key: key.trim() }));
}

interface SaveLoginOptions {
  readonly home: string;
  readonly provider: string;
  readonly credentials: object;
}

/** Saves what a login gave, in place of a key. */
export function saveLogin({ home, provider, credentials }: SaveLoginOptions): void {
  changeAuthEntry(home, provider, () => ({ ...credentials, type: "oauth" }));
}

function existing(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new ModelError("bad-auth-file", `${path} cannot be read`, { data: { path }, cause: error });
  }
  const entries = jsonObject(text);
  if (entries !== undefined) return entries;
  throw new ModelError("bad-auth-file", `${path} is not a JSON object and was left as it is`, {
    data: { path },
    hint: "Correct the file, or move it away and save the key again.",
  });
}
