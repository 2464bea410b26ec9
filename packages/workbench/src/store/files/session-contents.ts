/** The contents of one session's files, as part of its sync. */

import type { FileLog } from "@bough/session/log/index.js";
import type { BlobStore, BlobStoreOptions } from "../../checkpoint/index.js";
import type { Store } from "../store.js";
import { lineFacts } from "../stored-line.js";
import { fetchContents } from "./fetch-contents.js";
import { contentsAt, FILES_MARK, namedContents, namesContents } from "./named-contents.js";
import { type KeptContent, pushContents } from "./push-contents.js";

/** What was pushed and fetched, and what was kept here because it may contain secrets. */
export interface SyncedContents {
  readonly pushed: number;
  readonly fetched: number;
  readonly kept: readonly KeptContent[];
}

export interface SessionContentsOptions extends BlobStoreOptions {
  readonly log: FileLog;
  readonly store: Store;
  /** `$BOUGH_HOME`. */
  readonly home: string;
  readonly signal?: AbortSignal;
  readonly sessionId: string;
  readonly project?: string | undefined;
}

/** Far more than the first line, the header, takes. */
const MOST_HEADER = 64 << 10;

export class SessionContents {
  readonly #options: SessionContentsOptions;
  readonly #kept = new Map<string, KeptContent>();
  #pushed = 0;
  #fetched = 0;
  #blobs: Promise<BlobStore | undefined> | undefined;

  constructor(options: SessionContentsOptions) {
    this.#options = options;
  }

  /** Call it before pushing the lines: a store that has a line then has its contents, even after a kill. */
  async push(lines: Iterable<Uint8Array>, allowSecrets: boolean): Promise<void> {
    const naming = [...lines].filter(namesContents);
    // Finding where contents are kept starts git, which takes longer than pushing a small session.
    if (naming.length === 0) return;
    const blobs = await this.#here();
    if (blobs === undefined) return;
    const named = await namedContents(naming, blobs);
    const { pushed, kept } = await pushContents(named, { ...this.#options, blobs, allowSecrets });
    this.#pushed += pushed;
    for (const one of kept) this.#kept.set(one.hash, one);
  }

  /** Fetches and pushes everything that the session names. */
  async exchange(allowSecrets: boolean): Promise<void> {
    const blobs = await this.#here();
    if (blobs === undefined) return;
    const lines = () => linesWith(this.#options.log);
    this.#fetched += await fetchContents(lines, { ...this.#options, blobs });
    await this.push(lines(), allowSecrets);
  }

  /**
   * Before the session moves to another project: stores everything there that it names and its present project has. A
   * database with roles itself finds only what the lines name, not what lists of changes name.
   */
  async moveTo(project: string): Promise<void> {
    const { log, store, sessionId, signal } = this.#options;
    const naming = linesWith(log).filter(namesContents);
    const blobs = naming.length === 0 ? undefined : await this.#here();
    if (blobs === undefined) return;
    await fetchContents(() => naming, { store, blobs, signal });
    const named = await namedContents(naming, blobs);
    const there = await store.blobs.has([...named.keys()], { sessionId });
    const moving = new Map([...named].filter(([hash]) => there.has(hash)));
    await pushContents(moving, { store, blobs, allowSecrets: true, signal, sessionId, project });
  }

  /** Undefined if nothing was pushed, fetched or kept. */
  get outcome(): SyncedContents | undefined {
    const kept = [...this.#kept.values()];
    if (this.#pushed + this.#fetched + kept.length === 0) return undefined;
    return { pushed: this.#pushed, fetched: this.#fetched, kept };
  }

  #here(): Promise<BlobStore | undefined> {
    this.#blobs ??= (async () => {
      const { log, home, contents } = this.#options;
      const start = Buffer.from(log.readAt(0, Math.min(MOST_HEADER, log.size())));
      const cwd = lineFacts(start.subarray(0, Math.max(0, start.indexOf(0x0a))))?.record.cwd;
      return typeof cwd === "string" && cwd !== "" ? contentsAt({ cwd, home, contents }) : undefined;
    })();
    return this.#blobs;
  }
}

/** Lines that name contents. */
function linesWith(log: FileLog): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  log.scan(0, (line) => {
    if (!line.terminated || line.last < 0) return;
    const bytes = line.bytes.subarray(line.start, line.end);
    const whole = line.length === line.end - line.start;
    if (!whole) lines.push(Buffer.from(log.readAt(line.offset, line.length)));
    else if (bytes.includes(FILES_MARK)) lines.push(Buffer.from(bytes));
  });
  return lines;
}
