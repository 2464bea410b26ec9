/** Where an imported session is stored, and whether it already exists. */
import { join } from "node:path";
import { isFolder } from "@bough/session/log/index.js";
import { sessionFolder } from "@bough/session/session/index.js";
import { type SessionPlaces, sessionNames } from "@bough/session/session/internal.js";
import type { ForeignSession } from "../contract.js";
import { foreignSessionId } from "../foreign-entry.js";

/** The session folder of its working directory, even if that is gone; of the current one if it is unknown. */
export function targetFolder({ cwd }: ForeignSession, places: SessionPlaces): string {
  return places.dir ?? sessionFolder(cwd === "" ? places.cwd : cwd);
}

/** Finds imported sessions, listing each folder only once. */
export class ImportedFiles {
  readonly #places: SessionPlaces;
  readonly #folders = new Map<string, readonly string[]>();

  constructor(places: SessionPlaces) {
    this.#places = places;
  }

  /** The session that an earlier import created. */
  find(source: ForeignSession): string | undefined {
    const folder = targetFolder(source, this.#places);
    const end = `_${foreignSessionId(source.agent, source.id)}.jsonl`;
    const name = this.#namesIn(folder).find((candidate) => candidate.endsWith(end));
    return name === undefined ? undefined : join(folder, name);
  }

  #namesIn(folder: string): readonly string[] {
    let names = this.#folders.get(folder);
    if (names === undefined) {
      names = sessionNames(folder);
      this.#folders.set(folder, names);
    }
    return names;
  }
}

export type SourceFolder = "there" | "gone" | "unknown";

export function sourceFolder({ cwd }: ForeignSession): SourceFolder {
  return cwd === "" ? "unknown" : isFolder(cwd) ? "there" : "gone";
}
