/** Sessions in opencode's SQLite database. */
import { constants, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "node-sqlite3-wasm";
import { objectIn, stringIn } from "../foreign-lines.js";
import type { JsonObject, SessionStore, StoredMessage, StoredPart, StoredRecord } from "./session-store.js";

type Row = Readonly<Record<string, unknown>>;

/**
 * Opens a copy in a private folder: the library would lock the original with a folder beside it, and could not read
 * what its writer has not yet moved out of the write-ahead log. The library is loaded only here.
 */
export async function openDatabase(path: string): Promise<SessionStore> {
  const { Database } = await import("node-sqlite3-wasm");
  const folder = mkdtempSync(join(tmpdir(), "bough-opencode-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, "copy.db");
    copyQuietMoment(path, copy);
    const database = new Database(copy, { fileMustExist: true });
    // Without shared memory a write-ahead log can be read only by whoever has the file alone.
    database.exec("PRAGMA locking_mode=EXCLUSIVE");
    return databaseStore(path, database, remove);
  } catch (error) {
    remove();
    throw error;
  }
}

const ATTEMPTS = 5;

/** Database and log belong together: a copy counts only where neither changed meanwhile. */
function copyQuietMoment(path: string, copy: string): void {
  for (let attempt = 1; ; attempt++) {
    const before = stampOf(path);
    copyFileSync(path, copy, constants.COPYFILE_FICLONE);
    rmSync(`${copy}-wal`, { force: true });
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`, constants.COPYFILE_FICLONE);
    if (stampOf(path) === before || attempt === ATTEMPTS) return;
  }
}

function stampOf(path: string): string {
  const files = [path, `${path}-wal`].filter((file) => existsSync(file));
  return files.map((file) => `${statSync(file).size} ${statSync(file).mtimeMs}`).join(" ");
}

function databaseStore(file: string, database: Database, remove: () => void): SessionStore {
  const tables = new Set(
    rowsOf(database, "SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => name),
  );
  const all = (table: string, sql: string, values: readonly string[]): Row[] =>
    tables.has(table) ? rowsOf(database, sql, values) : [];
  const sessions = all("session", "SELECT * FROM session ORDER BY time_created, id", []);
  return {
    sessions: () => sessions.map((row): StoredRecord => ({ file, line: 1, value: sessionOf(row) })),
    *messages(session) {
      let line = 1;
      const sql = "SELECT id FROM message WHERE session_id = ? ORDER BY time_created, id";
      // Ids first and contents one by one: a session may be larger than memory.
      for (const { id: key } of all("message", sql, [session])) {
        line += 1;
        const id = String(key);
        const [row = {}] = all("message", "SELECT data FROM message WHERE id = ?", [id]);
        const message = { file, line, id, value: dataOf(row, { id, sessionID: session }) };
        const parts: StoredPart[] = [];
        for (const part of all("part", "SELECT id, data FROM part WHERE message_id = ? ORDER BY id", [id])) {
          line += 1;
          const partId = String(part.id);
          parts.push({
            file,
            line,
            id: partId,
            value: dataOf(part, { id: partId, messageID: id, sessionID: session }),
          });
        }
        yield { ...message, parts } satisfies StoredMessage;
      }
    },
    *strays(session) {
      // A newer way of keeping messages, which released versions do not use.
      const sql = "SELECT * FROM session_message WHERE session_id = ? ORDER BY seq";
      for (const [at, row] of all("session_message", sql, [session]).entries()) {
        yield { file, line: at + 1, type: `session_message/${String(row.type)}`, value: { ...row } };
      }
    },
    close() {
      database.close();
      remove();
    },
  };
}

function rowsOf(database: Database, sql: string, values: readonly string[] = []): Row[] {
  return database.all(sql, [...values]) as Row[];
}

function dataOf(row: Row, ids: JsonObject): JsonObject | undefined {
  const data = typeof row.data === "string" ? objectIn(row.data) : undefined;
  return data === undefined ? undefined : { ...data, ...ids };
}

/** The columns as the object they were made of. */
function sessionOf(row: Row): JsonObject {
  const json = (column: string): JsonObject | undefined => {
    const text = stringIn(row[column]);
    return text === undefined ? undefined : objectIn(text);
  };
  const fields: Record<string, unknown> = {
    id: row.id,
    slug: row.slug,
    projectID: row.project_id,
    directory: row.directory,
    parentID: row.parent_id,
    title: row.title,
    version: row.version,
    agent: row.agent,
    model: json("model"),
    revert: json("revert"),
    metadata: json("metadata"),
    time: { created: row.time_created, updated: row.time_updated },
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}
