/**
 * The state of each path at an entry, according to the records of a session. Results for one entry are kept for the
 * next question, which is nearly always about an entry just below it.
 */
import type { FileState } from "@bough/session/entry/index.js";
import { WorkTurns } from "@bough/session/log/index.js";
import type { TreeSource } from "@bough/session/tree/index.js";
import { CheckpointError } from "./checkpoint-error.js";
import { changesOf, checkNamed, checkRecords, recordAt, unknownRecordAt } from "./steps-between.js";
import type { BlobStore } from "./store/blob-store.js";

type Source = Pick<TreeSource, "tree" | "entryAt">;

/** Tools whose files are recorded even if git ignores them. */
const NAMING: ReadonlySet<string> = new Set(["edit", "write"]);

export interface RecordedState {
  readonly state: FileState;
  /** False if a later change was not recorded: then it may have become another file. */
  readonly isCertain: boolean;
}

export class RecordedStates {
  readonly #store: BlobStore;
  #tree: TreeSource["tree"] | undefined;
  #revision = 0;
  /** The state of each path before the first record that names it, on any branch. */
  #first = new Map<string, RecordedState>();
  /** Paths in records of tools that report their own changes. */
  #named = new Set<string>();
  #count = 0;
  #records = 0;
  /** Some record cannot be read. */
  #isFirstUnknown = false;
  /** The entry whose path `#states` describes; -1 is before the first one. */
  #at = -1;
  #states = new Map<string, RecordedState>();
  /** A record on that path cannot be read. */
  #isUnknown = false;

  constructor(store: BlobStore) {
    this.#store = store;
  }

  /**
   * The state of a path at an entry, by its number: from the nearest record above, or from before any record. Undefined
   * if no record names it, or if a record that is missing on this machine makes it unknown.
   */
  async at(source: Source, number: number): Promise<(path: string) => RecordedState | undefined> {
    if (source.tree !== this.#tree || source.tree.revision !== this.#revision) this.#forget(source.tree);
    await this.#readFirst(source);
    await this.#goTo(source, number);
    return (path) => {
      const known = this.#states.get(path);
      if (known !== undefined) return known;
      return this.#isUnknown || this.#isFirstUnknown ? undefined : this.#first.get(path);
    };
  }

  /** Paths that `edit` and `write` named, on any branch. */
  async named(source: Source): Promise<ReadonlySet<string>> {
    if (source.tree !== this.#tree || source.tree.revision !== this.#revision) this.#forget(source.tree);
    await this.#readFirst(source);
    return this.#named;
  }

  #forget(tree: TreeSource["tree"]): void {
    this.#tree = tree;
    this.#revision = tree.revision;
    this.#first = new Map();
    this.#named = new Set();
    this.#count = 0;
    this.#records = 0;
    this.#isFirstUnknown = false;
    this.#startOver();
  }

  #startOver(): void {
    this.#at = -1;
    this.#states = new Map();
    this.#isUnknown = false;
  }

  async #readFirst(source: Source): Promise<void> {
    const turns = new WorkTurns();
    // Parents come before their children: the first record that names a path has its initial state.
    for (; this.#count < source.tree.count; this.#count++) {
      if (this.#count % 64 === 0 && turns.isDue) await turns.yieldNow();
      const record = await this.#recordAt(source, this.#count);
      if (record === undefined) continue;
      checkRecords(++this.#records);
      if (record === "unread") {
        this.#isFirstUnknown = true;
        continue;
      }
      for (const { path, before } of record.changes) {
        if (!this.#first.has(path)) this.#first.set(path, { state: before, isCertain: true });
        if (record.isNamed) this.#named.add(path);
      }
      checkNamed(this.#first.size);
    }
  }

  async #goTo(source: Source, number: number): Promise<void> {
    let above = this.#numbersAbove(source, number);
    if (above === undefined) {
      this.#startOver();
      above = this.#numbersAbove(source, number) ?? [];
    }
    const turns = new WorkTurns();
    for (const at of above.reverse()) {
      if (at % 64 === 0 && turns.isDue) await turns.yieldNow();
      const record = await this.#recordAt(source, at);
      if (record === undefined) continue;
      if (record === "unread") {
        this.#states.clear();
        this.#isUnknown = true;
        continue;
      }
      for (const { path, after } of record.changes) this.#states.set(path, { state: after, isCertain: true });
      for (const { path } of record.skipped) {
        const known = this.#states.get(path) ?? this.#first.get(path);
        if (known !== undefined) this.#states.set(path, { ...known, isCertain: false });
      }
    }
    this.#at = number;
  }

  /** Entries from here up to the one whose states are known, newest first. Undefined if that one is not an ancestor. */
  #numbersAbove({ tree }: Source, number: number): number[] | undefined {
    const numbers: number[] = [];
    let at = number;
    for (; at >= 0 && at !== this.#at; at = tree.parentOf(at)) numbers.push(at);
    return at === this.#at ? numbers : undefined;
  }

  /** Most entries are not records, so this is cheap. */
  #recordAt(source: Source, number: number) {
    const unknown = unknownRecordAt(source, number);
    if (unknown?.error.code === "too-many-changes") throw unknown.error;
    if (unknown !== undefined) return "unread" as const;
    const found = recordAt(source, number);
    return found === undefined ? undefined : this.#read(found.record);
  }

  async #read(record: NonNullable<ReturnType<typeof recordAt>>["record"]) {
    try {
      const isNamed = record.tool?.split(", ").some((tool) => NAMING.has(tool)) === true;
      return { changes: await changesOf(record, this.#store), skipped: record.skipped ?? [], isNamed };
    } catch (error) {
      if (!(error instanceof CheckpointError)) throw error;
      return "unread" as const;
    }
  }
}
