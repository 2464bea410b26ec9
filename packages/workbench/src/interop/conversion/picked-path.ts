/** Selects or changes entries of a path without reading more than requested. */
import type { SessionEntry } from "@bough/session/entry/index.js";
import type { EntryPath } from "@bough/session/session/index.js";

/** The entries at the given places of a path, each changed by `change`. */
export function pickedPath(
  path: EntryPath,
  places: readonly number[],
  change: (entry: SessionEntry) => SessionEntry = (entry) => entry,
): EntryPath {
  const at = (index: number): SessionEntry | undefined => {
    const place = places[index];
    const entry = place === undefined ? undefined : path.at(place);
    return entry === undefined ? undefined : change(entry);
  };
  return {
    length: places.length,
    at,
    *[Symbol.iterator]() {
      for (const index of places.keys()) yield at(index) as SessionEntry;
    },
  };
}

/** The path without the entries that match; the path itself if none do. */
export function pathWithout(path: EntryPath, isOut: (entry: SessionEntry) => boolean): EntryPath {
  const places = placesWhere(path, (entry) => !isOut(entry));
  return places.length === path.length ? path : pickedPath(path, places);
}

/** The places of all entries that match. */
export function placesWhere(path: EntryPath, isWanted: (entry: SessionEntry) => boolean): number[] {
  const places: number[] = [];
  let place = 0;
  for (const entry of path) {
    if (isWanted(entry)) places.push(place);
    place += 1;
  }
  return places;
}

/** Whether any entry matches. Stops reading at the first that does. */
export function hasEntry(path: EntryPath, isWanted: (entry: SessionEntry) => boolean): boolean {
  for (const entry of path) if (isWanted(entry)) return true;
  return false;
}
