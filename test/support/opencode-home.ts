/** What opencode exported, put back as the program kept it: a file for each record, or rows of a database. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Database } from "node-sqlite3-wasm";

type Fields = Readonly<Record<string, unknown>>;

/** What `opencode export` prints. */
export interface ExportedSession {
  readonly info: Fields & { readonly id: string; readonly time: Times };
  readonly messages: readonly {
    readonly info: Fields & { readonly id: string; readonly time: Times };
    readonly parts: readonly (Fields & { readonly id: string })[];
  }[];
}

interface Times {
  readonly created: number;
  readonly updated?: number;
}

/** As versions before 1.2 kept it, below `storage/`. Answers the path of the session's file. */
export function storeAsFiles({ info, messages }: ExportedSession, storage: string): string {
  const write = (path: string, value: object): string => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(value));
    return path;
  };
  for (const message of messages) {
    write(join(storage, "message", info.id, `${message.info.id}.json`), message.info);
    for (const part of message.parts) write(join(storage, "part", message.info.id, `${part.id}.json`), part);
  }
  return write(join(storage, "session", String(info.projectID), `${info.id}.json`), info);
}

/** The columns a reader asks for, with the names and order the program gave them. */
const TABLES = [
  "CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, slug text NOT NULL, directory text NOT NULL, title text NOT NULL, version text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL)",
  "CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL)",
  "CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL)",
  "CREATE INDEX message_session_idx ON message (session_id)",
  "CREATE INDEX part_message_idx ON part (message_id)",
];

/** As the program keeps it since 1.2. */
export function storeInDatabase(sessions: readonly ExportedSession[], path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const database = new Database(path);
  // One wait for the disk instead of many.
  database.exec("BEGIN");
  for (const table of TABLES) database.exec(table);
  for (const session of sessions) insertSession(database, session);
  database.exec("COMMIT");
  database.close();
}

function insertSession(database: Database, { info, messages }: ExportedSession): void {
  const { created, updated = created } = info.time;
  const parent = info.parentID === undefined ? null : String(info.parentID);
  const texts = [info.slug, info.directory, info.title, info.version].map(String);
  database.run("INSERT INTO session VALUES (?,?,?,?,?,?,?,?,?)", [
    ...[info.id, String(info.projectID), parent, ...texts, created, updated],
  ]);
  for (const { info: message, parts } of messages) insertMessage(database, info.id, message, parts);
}

function insertMessage(
  database: Database,
  session: string,
  message: ExportedSession["messages"][number]["info"],
  parts: ExportedSession["messages"][number]["parts"],
): void {
  const { id, sessionID: _session, ...data } = message;
  const { created } = message.time;
  database.run("INSERT INTO message VALUES (?,?,?,?,?)", [id, session, created, created, JSON.stringify(data)]);
  for (const { id: part, messageID: _message, sessionID: _of, ...rest } of parts) {
    database.run("INSERT INTO part VALUES (?,?,?,?,?,?)", [
      ...[part, id, session, created, created, JSON.stringify(rest)],
    ]);
  }
}
