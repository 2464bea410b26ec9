/**
 * The two settings that are about stores, from the user's own file: no project can say where sessions go. Read without
 * the rest of the settings, so that syncing needs nothing of an agent.
 */
import { join } from "node:path";
import { readTextFile } from "@bough/session/log/index.js";
import { isRecord, settingsValue } from "@bough/session/text/index.js";
import { authPath } from "../secrets/index.js";

/** Sync the open session with the store: never, with `/sync`, after each turn, or at once and with what others add. */
export const SYNC_MODES = ["off", "manual", "turn", "live"] as const;
export type SyncMode = (typeof SYNC_MODES)[number];

export interface StoreSettings {
  /** The name of the default store; undefined: the first. */
  readonly store?: string;
  readonly sync?: SyncMode;
}

/** What is not valid counts as not said; whoever reads all settings reports it. */
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
