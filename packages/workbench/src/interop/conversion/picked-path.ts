/** Some entries of a path, or changed ones, without reading more than is asked for. */
import type { SessionEntry } from "@bough/session/entry/index.js";
import type { EntryPath } from "@bough/session/session/index.js";

/** The entries at some places of a path, each as `change` makes it. */
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

/** The path without some entries; the path itself if there are none of those. */
export function pathWithout(path: EntryPath, isOut: (entry: SessionEntry) => boolean): EntryPath {
  const places = placesWhere(path, (entry) => !isOut(entry));
  return places.length === path.length ? path : pickedPath(path, places);
}

/** Where on a path the entries are that a question is answered for with yes. */
export function placesWhere(path: EntryPath, isWanted: (entry: SessionEntry) => boolean): number[] {
  const places: number[] = [];
  let place = 0;
  for (const entry of path) {
    if (isWanted(entry)) places.push(place);
    place += 1;
  }
  return places;
}

/** Whether it holds for any entry. Reads no further than to the first. */
export function hasEntry(path: EntryPath, isWanted: (entry: SessionEntry) => boolean): boolean {
  for (const entry of path) if (isWanted(entry)) return true;
  return false;
}
