/**
 * Reads another program's database in place.
 *
 * The library would create a lock folder next to the original, and could not read what is still in the write-ahead log.
 * So it opens a link to the database in a private folder, with a copy of the log next to the link: locks and leftovers
 * stay there, the original is opened read-only, and the database is not copied, however large it is.
 *
 * While the database file does not change, the link and the copied log are a consistent snapshot, since the writer only
 * appends to its own log. When it moves the log into the database, the view is rebuilt and the query repeated.
 */
import { type BigIntStats, constants, copyFileSync, existsSync, rmSync, statSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { temporaryFolder } from "@bough/session/log/index.js";
import type { Database, Statement } from "node-sqlite3-wasm";
import { damagedSource } from "../source-problem.js";

export type Row = Readonly<Record<string, unknown>>;

/** Number of attempts with a busy writer before the database is copied. */
const ATTEMPTS = 5;

export class DatabaseView {
  readonly #path: string;
  readonly #open: (path: string, readOnly: boolean) => Database;
  #view: View;

  private constructor(path: string, open: (path: string, readOnly: boolean) => Database) {
    this.#path = path;
    this.#open = open;
    this.#view = this.#link();
  }

  static open(path: string): DatabaseView {
    // Loaded lazily, with `require`, because `import` cannot detect the exports of this CommonJS module.
    const { Database } = createRequire(import.meta.url)("node-sqlite3-wasm") as typeof import("node-sqlite3-wasm");
    try {
      return new DatabaseView(resolve(path), (file, readOnly) => {
        const database = new Database(file, { fileMustExist: true, readOnly });
        // Without shared memory, reading a write-ahead log requires exclusive access.
        database.exec("PRAGMA locking_mode=EXCLUSIVE");
        return database;
      });
    } catch (error) {
      throw asDamage(path, error);
    }
  }

  all(sql: string, values: readonly string[] = []): Row[] {
    for (let attempt = 1; ; attempt++) {
      const { statement, stamp } = this.#view;
      const result = tryQuery(() => statement(sql).all([...values]) as Row[]);
      if (stamp === undefined || stamp === stampOf(this.#path)) {
        if ("rows" in result) return result.rows;
        // A statement that failed once cannot be used again.
        this.#view.forget(sql);
        throw asDamage(this.#path, result.error);
      }
      this.#view.close();
      this.#view = attempt < ATTEMPTS ? this.#link() : this.#copy();
    }
  }

  close(): void {
    this.#view.close();
  }

  #link(): View {
    // The journal of an interrupted writer can be rolled back only in a copy.
    if (sizeOf(`${this.#path}-journal`) > 0) return this.#copy();
    return inPrivateFolder((file) => {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        rmSync(file, { force: true });
        rmSync(`${file}-wal`, { force: true });
        const before = stampOf(this.#path);
        const logBefore = stampOf(`${this.#path}-wal`);
        if (!canLink(this.#path, file)) break;
        if (sizeOf(`${this.#path}-wal`) > 0) copyFileSync(`${this.#path}-wal`, `${file}-wal`, CLONE);
        if (stampOf(this.#path) !== before || stampOf(`${this.#path}-wal`) !== logBefore) continue;
        return { database: this.#open(file, true), stamp: before };
      }
      return this.#copyTo(file);
    });
  }

  #copy(): View {
    return inPrivateFolder((file) => this.#copyTo(file));
  }

  /** The database and its logs must match, so a copy is valid only if none of them changed in the meantime. */
  #copyTo(file: string): Opened {
    const names = ["", "-wal", "-journal"];
    for (let attempt = 1; ; attempt++) {
      const before = names.map((name) => stampOf(this.#path + name)).join();
      for (const name of names) {
        rmSync(file + name, { force: true });
        if (existsSync(this.#path + name)) copyFileSync(this.#path + name, file + name, CLONE);
      }
      const after = names.map((name) => stampOf(this.#path + name)).join();
      if (before === after || attempt === ATTEMPTS) return { database: this.#open(file, false), stamp: undefined };
    }
  }
}

/** Error messages of the library about damaged files. */
const DAMAGE = /malformed|not a database|disk I\/O error|corrupt/i;

function asDamage(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !DAMAGE.test(error.message)) return error;
  return damagedSource(path, `The database cannot be read (${error.message}).`, error);
}

/** File systems with copy-on-write copy no bytes. */
const CLONE = constants.COPYFILE_FICLONE;

interface Opened {
  readonly database: Database;
  /** Results are valid while the database has this stamp; undefined for a copy, which never changes. */
  readonly stamp: string | undefined;
}

interface View extends Opened {
  /** Prepared once, since the same few queries run for every message. */
  statement(sql: string): Statement;
  forget(sql: string): void;
  close(): void;
}

function inPrivateFolder(open: (file: string) => Opened): View {
  const { path: folder, remove } = temporaryFolder("opencode");
  try {
    const opened = open(join(folder, "view.db"));
    const { database } = opened;
    const prepared = new Map<string, Statement>();
    const statement = (sql: string): Statement => {
      const made = prepared.get(sql) ?? database.prepare(sql);
      prepared.set(sql, made);
      return made;
    };
    const forget = (sql: string): void => {
      const made = prepared.get(sql);
      prepared.delete(sql);
      try {
        made?.finalize();
      } catch {
        // The statement is finalized; this repeats the error of the query.
      }
    };
    const close = (): void => {
      try {
        for (const made of prepared.values()) made.finalize();
        database.close();
      } finally {
        remove();
      }
    };
    return { ...opened, statement, forget, close };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Creates a link; returns false if that is not allowed. */
function canLink(path: string, link: string): boolean {
  try {
    symlinkSync(path, link);
    return true;
  } catch {
    // Some systems allow only administrators to create links; the caller then copies instead.
    return false;
  }
}

/** Catches errors, since a query can fail just because the database changes while it runs. */
function tryQuery(query: () => Row[]): { readonly rows: Row[] } | { readonly error: unknown } {
  try {
    return { rows: query() };
  } catch (error) {
    return { error };
  }
}

function stampOf(path: string): string {
  const stats = statsOf(path);
  return stats === undefined ? "" : `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
}

function sizeOf(path: string): number {
  return Number(statsOf(path)?.size ?? 0);
}

function statsOf(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}
