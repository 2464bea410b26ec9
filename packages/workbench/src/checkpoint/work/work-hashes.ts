/** Contents that running sessions may need, or killed ones that were not resumed yet. */
import { savedLook } from "./saved-scanner.js";
import { readWorkFolders } from "./work-folder.js";

export function* workHashes(store: string): Generator<string> {
  for (const { path } of readWorkFolders(store)) {
    const { known, kept } = savedLook(path, { isOwn: false }) ?? { known: new Map(), kept: new Map() };
    for (const { state } of [...known.values(), ...kept.values()]) {
      if (state !== undefined && state !== null && "hash" in state) yield state.hash;
    }
  }
}
