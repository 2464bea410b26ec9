/** Scans a folder without git: every file is known by size, time and inode, and read when one of them changes. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { FileDelta, FileState } from "../../entry/index.js";
import type { SkippedFile } from "../../entry/internal.js";
import { IgnoreRules } from "../../tool/internal.js";
import { isSameKnown, type KnownFile, type LookOptions, lookAt } from "./file-table.js";
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

  constructor(options: LookOptions) {
    this.#options = options;
  }

  async scan(signal?: AbortSignal): Promise<ScanOutcome> {
    const known = this.#known;
    const next = new Map<string, KnownFile>();
    const changes: FileDelta[] = [];
    const skipped: SkippedFile[] = [];
    const compare = (path: string, now: KnownFile) => {
      const old = known?.get(path) ?? NOTHING;
      if (known === undefined || isSameKnown(old, now)) return;
      if (old.state === undefined || now.state === undefined) {
        skipped.push(now.skipped ?? old.skipped ?? { path, why: "unreadable" });
      } else changes.push({ path, before: old.state, after: now.state });
    };
    for await (const path of this.#files("", new IgnoreRules())) {
      signal?.throwIfAborted();
      const now = await lookAt(path, known?.get(path), this.#options);
      next.set(path, now);
      compare(path, now);
    }
    for (const path of known?.keys() ?? []) if (!next.has(path)) compare(path, NOTHING);
    this.#known = next;
    return { changes: changes.sort((a, b) => (a.path < b.path ? -1 : 1)), skipped };
  }

  note(path: string, state: FileState): void {
    // Without a signature it is read at the next scan, so whoever changed it meanwhile is found out.
    this.#known?.set(path, { signature: "", state });
  }

  async *#files(folder: string, rules: IgnoreRules): AsyncGenerator<string> {
    const at = join(this.#options.root, folder);
    // A folder that is gone or closed holds nothing.
    const items = await readdir(at, { withFileTypes: true }).catch(() => []);
    // One of its own: a project inside of this one, with a history of its own.
    if (folder !== "" && items.some(({ name }) => name === ".git")) return;
    for (const item of items) {
      const path = folder === "" ? item.name : `${folder}/${item.name}`;
      const kind = item.isDirectory() ? "folder" : "file";
      if (LEFT_OUT.has(item.name) || rules.ignores(join(at, item.name), kind)) continue;
      if (kind === "folder") yield* this.#files(path, rules);
      else yield path;
    }
  }
}

const NOTHING: KnownFile = { signature: "", state: null };
