/**
 * Whether a file seen for the first time came with a moved folder, or was there all along but hidden: ignored, or in a
 * nested repository. Moving a folder changes its own time and that of its new parent; the files in it keep theirs.
 */
import { dirname, join } from "node:path";
import { foldersAbove, statsOf } from "../real-folders.js";
import { isOlder } from "./signature.js";

interface Since {
  /** When the last scan started. */
  readonly began: number;
  /** Folders that were repositories of their own then. */
  readonly repositories: readonly string[];
  /** Files with ignore rules for the whole repository. */
  readonly excludes: readonly string[];
  /** Ignore files that changed or are gone. */
  readonly changedRules: readonly string[];
}

export class CameIntoView {
  readonly #root: string;
  readonly #since: Since;
  readonly #moved = new Map<string, boolean>();

  constructor(root: string, since: Since) {
    this.#root = root;
    this.#since = since;
  }

  /** For a file that was neither written nor moved itself since the last scan. */
  isMoved(path: string): boolean {
    return foldersAbove(path).some((folder) => {
      const known = this.#moved.get(folder) ?? this.#isMovedFolder(folder);
      this.#moved.set(folder, known);
      return known;
    });
  }

  #isMovedFolder(folder: string): boolean {
    const { began, repositories } = this.#since;
    const stats = statsOf(join(this.#root, folder));
    const above = statsOf(join(this.#root, dirname(folder)));
    if (stats === undefined || above === undefined || isOlder(stats, began)) return false;
    if (isOlder({ ctimeMs: above.mtimeMs }, began)) return false;
    // Names in it came or went as well, which alone gives it a new time.
    const isOtherwiseNew = !isOlder({ ctimeMs: stats.mtimeMs }, began);
    return !isOtherwiseNew || !(repositories.includes(folder) || this.#hasNewRules(folder));
  }

  /** Whether ignore files that apply to a folder changed. */
  #hasNewRules(folder: string): boolean {
    const { began, excludes, changedRules } = this.#since;
    const above = [folder, ...foldersAbove(folder), ""].map((at) => (at === "" ? ".gitignore" : `${at}/.gitignore`));
    const files = [...above.map((path) => join(this.#root, path)), ...excludes].map((path) => statsOf(path));
    return (
      above.some((path) => changedRules.includes(path)) ||
      files.some((stats) => stats !== undefined && !isOlder(stats, began))
    );
  }
}
