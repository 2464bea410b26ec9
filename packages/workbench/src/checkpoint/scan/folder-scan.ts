/** One running scan of a folder without git. */
import { WorkTurns } from "@bough/session/log/index.js";
import { FoundChanges } from "./file-table.js";
import type { FolderKeys } from "./folder-keys.js";
import type { FolderRules } from "./folder-rules.js";
import type { FolderTable, ItemKind } from "./folder-table.js";
import type { KnownFile } from "./known-file.js";
import type { ScannerOptions } from "./scanner.js";
import { ShortPaths } from "./short-paths.js";

/** What one scan gathers. None of it takes effect before the scan has finished. */
export class FolderScan {
  readonly known: ReadonlyMap<string, FolderTable>;
  readonly isFirst: boolean;
  /** Folders of files that tools named. */
  readonly namedIn: ReadonlySet<string>;
  readonly rules: FolderRules;
  readonly above: number;
  readonly signal: AbortSignal | undefined;
  readonly folderKeys: FolderKeys;
  readonly paths: ShortPaths;
  readonly turns = new WorkTurns();
  readonly found = new FoundChanges();
  readonly folders = new Map<string, FolderTable>();
  readonly gone: { readonly path: string; readonly file: KnownFile }[] = [];
  /** Files that are no longer recorded but still exist. */
  readonly left: { readonly path: string; readonly file: KnownFile }[] = [];
  /** Named files that the walk reached: they are in the tables from now on. */
  readonly met = new Set<string>();
  /** For the first scan. */
  readonly firstRoom: Pick<ScannerOptions, "room">;
  /** Items seen so far, for progress reports. */
  seen = 0;
  onPause: () => void = () => {};
  readonly #changes: Change[] = [];

  constructor({ root, known, named, rules, above, signal, firstRoom: room, folderKeys }: FolderScanStart) {
    this.namedIn = new Set(Array.from(named, (path) => path.slice(0, Math.max(0, path.lastIndexOf("/")))));
    this.paths = new ShortPaths(root);
    this.firstRoom = room;
    this.folderKeys = folderKeys;
    this.known = known ?? new Map();
    this.isFirst = known === undefined;
    this.rules = rules;
    this.above = above;
    this.signal = signal;
  }

  /** A new table belongs to this scan alone, so it is filled at once. */
  change(change: Change): void {
    const { table, at } = change;
    if ("kind" in change && table.isKind(at, change.kind, change.inode)) return;
    if (table.isInUse) this.#changes.push(change);
    else apply(change);
  }

  /** Lets other work run. */
  async pause(): Promise<void> {
    this.signal?.throwIfAborted();
    this.onPause();
    await this.turns.yieldNow();
    this.paths.renew();
  }

  finish(): void {
    for (const change of this.#changes) apply(change);
    for (const table of this.folders.values()) table.isInUse = true;
  }
}

export interface FolderScanStart {
  readonly root: string;
  readonly known: ReadonlyMap<string, FolderTable> | undefined;
  /** Paths that tools named. */
  readonly named: Iterable<string>;
  readonly rules: FolderRules;
  readonly above: number;
  readonly signal: AbortSignal | undefined;
  readonly firstRoom: Pick<ScannerOptions, "room">;
  readonly folderKeys: FolderKeys;
}

type Change = Place &
  ({ readonly file: KnownFile } | { readonly kind: Exclude<ItemKind, "file">; readonly inode: number });

function apply(change: Change): void {
  if ("file" in change) change.table.setFile(change.at, change.file);
  else change.table.setKind(change.at, change.kind, change.inode);
}

export interface Place {
  readonly table: FolderTable;
  readonly at: number;
}
