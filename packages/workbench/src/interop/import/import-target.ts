/** Where an imported session goes, and whether it is already there. */
import { join } from "node:path";
import { isFolder } from "@bough/session/log/index.js";
import { sessionFolder } from "@bough/session/session/index.js";
import { type SessionPlaces, sessionNames } from "@bough/session/session/internal.js";
import type { ForeignSession } from "../contract.js";
import { foreignSessionId } from "../foreign-entry.js";

/** The folder of its working directory, even if that is gone; the current one if no one knows it. */
export function targetFolder({ cwd }: ForeignSession, places: SessionPlaces): string {
  return places.dir ?? sessionFolder(cwd === "" ? places.cwd : cwd);
}

/** Looks into each folder once. */
export class ImportedFiles {
  readonly #places: SessionPlaces;
  readonly #folders = new Map<string, readonly string[]>();

  constructor(places: SessionPlaces) {
    this.#places = places;
  }

  /** The session an earlier import made of this one. */
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
