/**
 * The two settings about stores, read from the user's own file only, so that no project can say where sessions go. Read
 * without the other settings, so that syncing needs nothing from the agent.
 */
import { join } from "node:path";
import { readTextFile } from "@bough/session/log/index.js";
import { isRecord, settingsValue } from "@bough/session/text/index.js";
import { authPath } from "../secrets/index.js";

/**
 * When to sync the open session: never, on `/sync`, after each turn, or at once while also following other machines.
 */
export const SYNC_MODES = ["off", "manual", "turn", "live"] as const;
export type SyncMode = (typeof SYNC_MODES)[number];

export interface StoreSettings {
  /** The name of the default store. If undefined, the first store is the default. */
  readonly store?: string;
  readonly sync?: SyncMode;
}

/** Invalid values count as missing; reading the full settings reports them. */
export function storeSettings(home: string): StoreSettings {
  const read = readTextFile(join(home, "settings.json"), { refuse: [authPath(home)] });
  const parsed = read.kind === "text" ? settingsValue(read.text) : undefined;
  if (parsed?.kind !== "value" || !isRecord(parsed.value)) return {};
  const { store, sync } = parsed.value;
  const mode = SYNC_MODES.find((known) => known === sync);
  return {
    ...(typeof store === "string" && store !== "" ? { store } : {}),
    ...(mode === undefined ? {} : { sync: mode }),
  };
}
