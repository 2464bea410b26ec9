/** Sessions as opencode kept them before it had a database: a file for each session, message and part. */
import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isFileName } from "../conversion/file-name.js";
import { objectIn, stringIn } from "../foreign-lines.js";
import {
  compareText,
  inOrder,
  type SessionStore,
  type StoredMessage,
  type StoredRecord,
  sessionIdOf,
} from "./session-store.js";

/** The folder `storage` above `storage/session/<project>/<session>.json`; undefined for other files. */
export function storageAbove(path: string): string | undefined {
  const sessions = dirname(dirname(path));
  return basename(sessions) === "session" && path.endsWith(".json") ? dirname(sessions) : undefined;
}

export function openFolder(path: string): SessionStore {
  const storage = storageAbove(path) ?? dirname(path);
  const session = recordOf(path);
  const others = jsonFilesIn(dirname(path)).filter((file) => file !== path);
  return {
    sessions: () => [session, ...others.map(recordOf)],
    messages: (id) => messagesOf(storage, id),
    rows: () => [],
    close: () => {},
  };
}

/** Every file of a session, its own first. */
export function filesOfSession(path: string): string[] {
  const storage = storageAbove(path) ?? dirname(path);
  const files = [path];
  for (const message of messagesOf(storage, sessionIdOf(recordOf(path)))) {
    files.push(message.file);
    for (const part of message.parts) files.push(part.file);
  }
  return files;
}

function messagesOf(storage: string, session: string): StoredMessage[] {
  if (!isFileName(session)) return [];
  const messages = jsonFilesIn(join(storage, "message", session)).map((file): StoredMessage => {
    const record = recordOf(file);
    // Files of other programs leave ids out of the objects; names say them too.
    const id = stringIn(record.value?.id) ?? basename(file, ".json");
    const parts = (isFileName(id) ? jsonFilesIn(join(storage, "part", id)) : []).map((name) => {
      const part = recordOf(name);
      return { ...part, id: stringIn(part.value?.id) ?? `${id}/${basename(name, ".json")}` };
    });
    return { ...record, id, parts };
  });
  return messages.sort(inOrder);
}

function recordOf(file: string): StoredRecord {
  return { file, line: 1, value: objectIn(textOf(file)) };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // Gone since it was listed, or not ours to read: counted as unreadable.
    return "";
  }
}

function jsonFilesIn(folder: string): string[] {
  return namesIn(folder)
    .filter((item) => item.isFile() && item.name.endsWith(".json"))
    .map((item) => join(folder, item.name))
    .sort(compareText);
}

export function namesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Not there, or not ours to read: nothing is found in it.
    return [];
  }
}
