/** Changes `$BOUGH_HOME/auth.json`. The `secrets` room reads it. */
import { readFileSync } from "node:fs";
import { writeWhole } from "@bough/session/log/index.js";
import { jsonObject } from "@bough/session/text/index.js";
import { authPath } from "@bough/workbench/secrets/index.js";
import { ModelError } from "./model-error.js";
import type { OAuthCredentials } from "./provider/oauth-config.js";

/** Changes an entry of the file, or removes it if `change` returns undefined. Replaces the file atomically. */
export function changeAuthEntry(home: string, name: string, change: (before: unknown) => unknown): void {
  const path = authPath(home);
  const entries = { ...existing(path) };
  const next = change(Object.hasOwn(entries, name) ? entries[name] : undefined);
  if (next === undefined) delete entries[name];
  else entries[name] = next;
  writeWhole(path, `${JSON.stringify(entries, null, 2)}\n`, { existing: "replace", durable: true });
}

interface SaveKeyOptions {
  readonly home: string;
  readonly provider: string;
  /** Undefined removes the provider's key. */
  readonly key: string | undefined;
}

/** Saves or removes a key; all other entries stay. */
export function saveKey({ home, provider, key }: SaveKeyOptions): void {
  if (key !== undefined && (key.trim() === "" || /\s/.test(key.trim()))) {
    throw new ModelError("bad-key", `The key for ${provider} is empty or has spaces in it`, { data: { provider } });
  }
  changeAuthEntry(home, provider, () => (key === undefined ? undefined : { type: "api_key", key: key.trim() }));
}

interface SaveLoginOptions {
  readonly home: string;
  readonly provider: string;
  readonly credentials: OAuthCredentials;
}

/** Saves the result of a login, which replaces a key. */
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
  throw new ModelError("bad-auth-file", `${path} is not a JSON object and was not changed`, {
    data: { path },
    hint: "Correct the file, or move it away and save the key again.",
  });
}
