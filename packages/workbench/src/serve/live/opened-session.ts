/** A session that is open for reading, and follows its file as others write it. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { isHeader, sessionVersion } from "@bough/session/entry/internal.js";
import { watchFile } from "@bough/session/log/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { attempt, jsonObject } from "@bough/session/text/index.js";
import type { TreeSource } from "@bough/session/tree/index.js";
import { type OpenedSource, openToRead, type Source } from "../../history/internal.js";
import { isSameMark, type Mark, markAt } from "../../store/internal.js";
import { markInFile } from "./live-cursor.js";

const NEWLINE = 0x0a;

export class OpenedSession {
  readonly source: Source;
  readonly #onChange: () => void;
  #opened: OpenedSource;
  #watches: { close(): void }[] = [];
  #stamp: string;
  #converting: Promise<void> | undefined;
  #isClosed = false;
  #isUpgraded: boolean;

  private constructor(
    source: Source,
    opened: OpenedSource,
    { stamp, onChange }: { stamp: string; onChange: () => void },
  ) {
    this.source = source;
    this.#opened = opened;
    this.#stamp = stamp;
    this.#onChange = onChange;
    this.#isUpgraded = isOldFile(source.path);
    const files = source.foreign?.files ?? [source.path];
    // A session with hundreds of sub-agents: the first ones tell that it goes on.
    this.#watches = files.slice(0, MOST_WATCHED).map((file) => watchFile(file, () => this.#changed()));
  }

  static async open(source: Source, onChange: () => void): Promise<OpenedSession> {
    const stamp = stampOf(source);
    return new OpenedSession(source, await openToRead(source), { stamp, onChange });
  }

  get session(): SessionManager {
    return this.#opened.session;
  }

  get tree(): TreeSource {
    return this.session.getSource();
  }

  /** The file that cursors refer to: the session's own, or what another agent's session was converted to. */
  get file(): string {
    return this.session.getSessionFile() ?? this.source.path;
  }

  /** Reads what was added. Call it before answering. */
  async refresh(): Promise<void> {
    await this.#converting;
    if (this.#isCopy) {
      if (stampOf(this.source) !== this.#stamp) await this.#convertAgain();
    } else this.session.refresh();
  }

  /** The number of entries whose lines are complete, and the mark after them. */
  end(): { readonly count: number; readonly mark: Mark } {
    const { tree } = this.tree;
    if (this.#isUpgraded) return { count: tree.count, mark: this.#stampMark };
    let count = tree.count;
    while (count > 0 && !this.#isComplete(count - 1)) count -= 1;
    return { count, mark: this.markAfter(count) ?? NOTHING_READ };
  }

  /** The mark after the first entries; undefined if the file is shorter now. */
  markAfter(count: number): Mark | undefined {
    const { tree } = this.tree;
    return this.#markAt(count === 0 ? 0 : tree.offsetOf(count - 1) + tree.lengthOf(count - 1) + 1);
  }

  #markAt(at: number): Mark | undefined {
    const mark = markInFile(this.file, at);
    return mark === undefined ? undefined : this.#ofRevision(mark);
  }

  /** A parent that comes late, or damage that is found later, changes entries that were sent: other marks fit then. */
  #ofRevision(mark: Mark): Mark {
    const { revision } = this.tree.tree;
    return revision === 0 ? mark : markAt(mark.at, `${mark.check} ${revision}`);
  }

  /** An upgrade in memory has other bytes than the file, so any change of the file is a new session. */
  get #stampMark(): Mark {
    return this.#ofRevision(markAt(this.tree.tree.count, this.#stamp));
  }

  /** The number of the first entry after a cursor; undefined if the file is not the one that was read. */
  after(cursor: Mark): number | undefined {
    const { tree } = this.tree;
    if (this.#isUpgraded) return isSameMark(cursor, this.#stampMark) ? tree.count : undefined;
    const now = this.#markAt(cursor.at);
    if (now === undefined || !isSameMark(now, cursor)) return undefined;
    let low = 0;
    let high = tree.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (tree.offsetOf(middle) < cursor.at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  close(): void {
    this.#isClosed = true;
    for (const watch of this.#watches) watch.close();
    void this.#converting?.catch(() => {}).then(() => this.#opened.close());
    if (this.#converting === undefined) this.#opened.close();
  }

  /** Whether what is read is a conversion or an upgrade of what is on disk, made when it was opened. */
  get #isCopy(): boolean {
    return this.file !== this.source.path || this.#isUpgraded;
  }

  #changed(): void {
    if (!this.#isClosed) this.#onChange();
  }

  /** Another agent's session is converted again, into another file with the same bytes at its start. */
  #convertAgain(): Promise<void> {
    this.#converting ??= (async () => {
      const stamp = stampOf(this.source);
      const opened = await openToRead(this.source);
      this.#opened.close();
      this.#opened = opened;
      this.#stamp = stamp;
      this.#isUpgraded = isOldFile(this.source.path);
    })().finally(() => {
      this.#converting = undefined;
    });
    return this.#converting;
  }

  /** A line is complete once its newline is there: until then, its writer may still be writing it. */
  #isComplete(n: number): boolean {
    const { tree } = this.tree;
    return attempt(() => byteAt(this.file, tree.offsetOf(n) + tree.lengthOf(n))) === NEWLINE;
  }
}

const MOST_WATCHED = 16;
/** Fits no file, so that the client reads everything again. */
const NOTHING_READ: Mark = { at: 0, check: "000000000000" };
const HEAD = 1 << 16;

/** Whether the file has an older version of the format, which is upgraded in memory. */
function isOldFile(path: string): boolean {
  return (
    attempt(() => {
      const file = openSync(path, "r");
      try {
        const bytes = Buffer.alloc(HEAD);
        const text = bytes.toString("utf8", 0, readSync(file, bytes, 0, HEAD, 0));
        const header = jsonObject(text.slice(0, text.indexOf("\n")));
        return header !== undefined && isHeader(header) && sessionVersion(header).kind === "old";
      } finally {
        closeSync(file);
      }
    }) ?? false
  );
}

function byteAt(path: string, at: number): number {
  const file = openSync(path, "r");
  try {
    const byte = Buffer.alloc(1);
    return readSync(file, byte, 0, 1, at) === 1 ? (byte[0] as number) : -1;
  } finally {
    closeSync(file);
  }
}

function stampOf({ path, foreign }: Source): string {
  const stats = (foreign?.files ?? [path]).map((file) => attempt(() => statSync(file)));
  return stats.map((stat) => `${stat?.size}.${stat?.mtimeMs}.${stat?.ino}`).join(" ");
}
