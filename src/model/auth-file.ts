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
  const path = authPath(home);
  let text: string;
  try {
    const { mode } = statSync(path);
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      return {
        ...NOTHING,
        problem: `${path} is readable by other users, so its keys are not used; make it private with: chmod 600 ${path}`,
      };
    }
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return NOTHING;
    return {
      ...NOTHING,
      problem: `${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown reason"})`,
    };
  }
  const entries = jsonObject(text);
  if (entries === undefined) return { ...NOTHING, problem: `${path} is not a JSON object, so its keys are not used` };
  const keys = new Map<string, string>();
  const logins = new Map<string, object>();
  for (const [provider, entry] of Object.entries(entries)) {
    if (isRecord(entry) && entry.type === "oauth") {
      logins.set(provider, entry);
      continue;
    }
    const key = typeof entry === "string" ? entry : (entry as { key?: unknown } | null)?.key;
    if (typeof key === "string" && key.trim() !== "") keys.set(provider, key.trim());
  }
  return { keys, logins };
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
  saveEntry({ home, provider, entry: key === undefined ? undefined : { type: "api_key", key: key.trim() } });
}

interface SaveLoginOptions {
  readonly home: string;
  readonly provider: string;
  readonly credentials: object;
}

/** Saves what a login gave, in place of a key. */
export function saveLogin({ home, provider, credentials }: SaveLoginOptions): void {
  saveEntry({ home, provider, entry: { ...credentials, type: "oauth" } });
}

interface SaveEntryOptions {
  readonly home: string;
  readonly provider: string;
  /** Undefined takes it out. */
  readonly entry: object | undefined;
}

function saveEntry({ home, provider, entry }: SaveEntryOptions): void {
  const path = authPath(home);
  const entries = { ...existing(path) };
  if (entry === undefined) delete entries[provider];
  else entries[provider] = entry;
  writeWhole(path, `${JSON.stringify(entries, null, 2)}\n`, { existing: "replace", durable: true });
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
