/**
 * A database of another program, read where it is.
 *
 * The library would lock the original with a folder next to it, and could not read what its writer has not yet moved
 * out of the write-ahead log. So it is given a link to the database in a private folder, and a copy of the log next to
 * the link: locks and leftovers stay in there, the original is open for reading only, and no database is copied,
 * however large.
 *
 * As long as the database itself does not change, link and log are one moment of it; its writer only adds to its own
 * log. When it moves the log into the database, the view is rebuilt and the question asked again.
 */
import { type BigIntStats, constants, copyFileSync, existsSync, rmSync, statSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { temporaryFolder } from "@bough/session/log/index.js";
import type { Database, Statement } from "node-sqlite3-wasm";
import { damagedSource } from "../source-problem.js";

export type Row = Readonly<Record<string, unknown>>;

/** How often a busy writer may come in between before a copy is taken. */
const ATTEMPTS = 5;

export class DatabaseView {
  readonly #path: string;
  readonly #open: (path: string, readOnly: boolean) => Database;
  #view: View;

  private constructor(path: string, open: (path: string, readOnly: boolean) => Database) {
    this.#path = path;
    this.#open = open;
    this.#view = this.#lookAgain();
  }

  static open(path: string): DatabaseView {
    // Loaded only here. Its names cannot be told by `import` before it has run.
    const { Database } = createRequire(import.meta.url)("node-sqlite3-wasm") as typeof import("node-sqlite3-wasm");
    try {
      return new DatabaseView(resolve(path), (file, readOnly) => {
        const database = new Database(file, { fileMustExist: true, readOnly });
        // Without shared memory a write-ahead log can be read only by a process that has the file to itself.
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
      const answer = ask(() => statement(sql).all([...values]) as Row[]);
      if (stamp === undefined || stamp === stampOf(this.#path)) {
        if ("rows" in answer) return answer.rows;
        // A statement that failed answers nothing else any more.
        this.#view.forget(sql);
        throw asDamage(this.#path, answer.error);
      }
      this.#view.close();
      this.#view = attempt < ATTEMPTS ? this.#lookAgain() : this.#copy();
    }
  }

  close(): void {
    this.#view.close();
  }

  #lookAgain(): View {
    // What an interrupted writer left to be undone can be undone in a copy only.
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

  /** Database and logs belong together: a copy counts only if none of them changed meanwhile. */
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

/** What the library says about a damaged file. */
const DAMAGE = /malformed|not a database|disk I\/O error|corrupt/i;

function asDamage(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !DAMAGE.test(error.message)) return error;
  return damagedSource(path, `The database cannot be read (${error.message}).`, error);
}

/** Disks that can share bytes between files do not copy at all. */
const CLONE = constants.COPYFILE_FICLONE;

interface Opened {
  readonly database: Database;
  /** What the database must still be for an answer to count; undefined for a copy, which no one changes. */
  readonly stamp: string | undefined;
}

interface View extends Opened {
  /** Prepared once: the same few questions are asked for every message. */
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
        // It is gone, and says again what the question failed with.
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

/** False if links are not allowed. */
function canLink(path: string, link: string): boolean {
  try {
    symlinkSync(path, link);
    return true;
  } catch {
    // Some systems let only administrators make links: a copy does as well.
    return false;
  }
}

/** A database that changes under a question may answer it with an error. */
function ask(question: () => Row[]): { readonly rows: Row[] } | { readonly error: unknown } {
  try {
    return { rows: question() };
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
