/** Scans a folder without git: every file is known by size, time and inode, and read when one of them changes. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { FileState } from "../../entry/index.js";
import { IgnoreRules } from "../../tool/internal.js";
import { FoundChanges, type KnownFile, type LookOptions, lookAt, NOTHING } from "./file-table.js";
import type { Scanner, ScanOutcome } from "./scanner.js";

/** What tools put beside a project and make again. */
const LEFT_OUT = new Set([
  ".bough",
  ".git",
  ".hg",
  ".svn",
  ".tox",
  ".venv",
  "__pycache__",
  "bower_components",
  "node_modules",
  "venv",
]);

export class FolderScanner implements Scanner {
  readonly #options: LookOptions;
  #known: Map<string, KnownFile> | undefined;
  /** What tools named: looked at every time, also if it is ignored. */
  readonly #named = new Set<string>();

  constructor(options: LookOptions) {
    this.#options = options;
  }

  async scan(signal?: AbortSignal): Promise<ScanOutcome> {
    const known = this.#known;
    const next = new Map<string, KnownFile>();
    const found = new FoundChanges();
    const closed: string[] = [];
    for await (const path of this.#files("", { rules: new IgnoreRules(), closed })) {
      signal?.throwIfAborted();
      const now = await lookAt(path, known?.get(path), this.#options);
      next.set(path, now);
      if (known !== undefined) found.compare(path, known.get(path) ?? NOTHING, now);
    }
    for (const [path, file] of known ?? []) {
      if (next.has(path)) continue;
      if (this.#named.has(path)) {
        const now = await lookAt(path, file, this.#options);
        next.set(path, now);
        found.compare(path, file, now);
        continue;
      }
      // What is in a folder that cannot be looked into is not gone.
      if (closed.some((folder) => path.startsWith(`${folder}/`))) next.set(path, file);
      else found.compare(path, file, NOTHING);
    }
    this.#known = next;
    return found.outcome();
  }

  note(path: string, state: FileState): void {
    // Without a signature it is read at the next scan, so whoever changed it meanwhile is found out.
    this.#known?.set(path, { signature: "", state });
    this.#named.add(path);
  }

  async *#files(folder: string, walk: Walk): AsyncGenerator<string> {
    const at = join(this.#options.root, folder);
    const items = await readdir(at, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT" && error.code !== "ENOTDIR") walk.closed.push(folder);
      return [];
    });
    // One of its own: a project inside of this one, with a history of its own.
    if (folder !== "" && items.some(({ name }) => name === ".git")) return;
    for (const item of items) {
      const path = folder === "" ? item.name : `${folder}/${item.name}`;
      const kind = item.isDirectory() ? "folder" : "file";
      if (LEFT_OUT.has(item.name) || walk.rules.ignores(join(at, item.name), kind)) continue;
      if (kind === "folder") yield* this.#files(path, walk);
      else yield path;
    }
  }
}

interface Walk {
  readonly rules: IgnoreRules;
  /** Folders that could not be read. */
  readonly closed: string[];
}
