import { attempt } from "@bough/session/text/index.js";

/** The address of an entry: `#e=<id>`. It works on a disk, on a server and in a mail. */

interface PlaceInHistory {
  /** The end of the shown path. */
  readonly end: number;
}

export function entryAddress(id: string): string {
  return `#e=${encodeURIComponent(id)}`;
}

/** The ID in an address; undefined for other addresses. */
export function addressedEntry(hash: string): string | undefined {
  if (!hash.startsWith("#e=")) return undefined;
  return attempt(() => decodeURIComponent(hash.slice(3)));
}

/** Adds a step to the history. Sets the hash, because pages opened from disk may not push a state. */
export function pushAddress(address: string, place: PlaceInHistory): void {
  try {
    if (location.hash !== address) location.hash = address;
    history.replaceState(place, "");
  } catch {
    // Some frames have no history; the page works without it.
  }
}

export function placeInHistory(state: unknown): PlaceInHistory | undefined {
  const end: unknown = typeof state === "object" && state !== null && "end" in state ? state.end : undefined;
  return typeof end === "number" ? { end } : undefined;
}
