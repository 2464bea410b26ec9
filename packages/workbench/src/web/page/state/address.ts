import { attempt } from "@bough/session/text/index.js";

/** The address of a place: `#e=<id>`. It works from a disk, from a server and in a mail. */

interface PlaceInHistory {
  /** The end of the path that was shown. */
  readonly end: number;
}

export function entryAddress(id: string): string {
  return `#e=${encodeURIComponent(id)}`;
}

/** The id in an address; undefined for any other address. */
export function addressedEntry(hash: string): string | undefined {
  if (!hash.startsWith("#e=")) return undefined;
  return attempt(() => decodeURIComponent(hash.slice(3)));
}

/** A new step in the history. Set as a part of the address, because pages from a disk may not push one. */
export function pushAddress(address: string, place: PlaceInHistory): void {
  try {
    if (location.hash !== address) location.hash = address;
    history.replaceState(place, "");
  } catch {
    // Inside some frames the history is closed; the page works without it.
  }
}

export function placeInHistory(state: unknown): PlaceInHistory | undefined {
  const end: unknown = typeof state === "object" && state !== null && "end" in state ? state.end : undefined;
  return typeof end === "number" ? { end } : undefined;
}
