/** Reads sessions from opencode's SQLite database. */
import { objectIn, stringIn } from "../foreign-lines.js";
import { DatabaseView, type Row } from "./database-view.js";
import type { JsonObject, SessionStore, StoredMessage, StoredPart, StoredRecord, StoredRow } from "./session-store.js";

export function openDatabase(path: string): SessionStore {
  const view = DatabaseView.open(path);
  try {
    return databaseStore(path, view);
  } catch (error) {
    view.close();
    throw error;
  }
}

function databaseStore(file: string, view: DatabaseView): SessionStore {
  const tables = new Set(view.all("SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => name));
  const all = (table: string, sql: string, values: readonly string[]): Row[] =>
    tables.has(table) ? view.all(sql, values) : [];
  const sessions = all("session", "SELECT * FROM session ORDER BY time_created, id", []);
  return {
    sessions: () => sessions.map((row): StoredRecord => ({ file, line: 1, value: sessionOf(row) })),
    *messages(session) {
      let line = 1;
      const sql = "SELECT id FROM message WHERE session_id = ? ORDER BY time_created, id";
      // Load IDs first and contents one by one, since a session can be larger than memory.
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
    *rows(session) {
      const sql = "SELECT id FROM session_message WHERE session_id = ? ORDER BY seq, id";
      for (const [at, { id: key }] of all("session_message", sql, [session]).entries()) {
        const id = String(key);
        const [row = {}] = all("session_message", "SELECT * FROM session_message WHERE id = ?", [id]);
        const data = dataOf(row, { id });
        const created = { time: { created: row.time_created } };
        const value = data === undefined ? undefined : { ...created, ...data };
        yield { file, line: at + 2, id, type: String(row.type), value } satisfies StoredRow;
      }
    },
    close: () => view.close(),
  };
}

function dataOf(row: Row, ids: JsonObject): JsonObject | undefined {
  const data = typeof row.data === "string" ? objectIn(row.data) : undefined;
  return data === undefined ? undefined : { ...data, ...ids };
}

/** Restores the session object from its columns. */
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
