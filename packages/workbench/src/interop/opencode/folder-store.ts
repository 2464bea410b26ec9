/** Reads sessions from before opencode had a database: one file per session, message and part. */
import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { itemsIn } from "@bough/session/log/index.js";
import { attempt } from "@bough/session/text/index.js";
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

/** The `storage` folder of `storage/session/<project>/<session>.json`; undefined for other files. */
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

/** All files of a session, its own first. */
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
  const flat = flatParts(storage);
  const messages = jsonFilesIn(join(storage, "message", session)).map((file): StoredMessage => {
    const record = recordOf(file);
    // Other programs write objects without IDs, but the file names contain them too.
    const id = stringIn(record.value?.id) ?? basename(file, ".json");
    const own = isFileName(id) ? jsonFilesIn(join(storage, "part", id)) : [];
    const parts = [...own, ...(flat.get(id) ?? [])].map((name) => {
      const part = recordOf(name);
      return { ...part, id: stringIn(part.value?.id) ?? `${id}/${basename(name, ".json")}` };
    });
    return { ...record, id, parts: parts.sort(byFileName) };
  });
  return messages.sort(inOrder);
}

/** Names of parts sort by time across folders. */
function byFileName(a: StoredRecord, b: StoredRecord): number {
  return compareText(basename(a.file), basename(b.file));
}

/** Cache for the last folder, since it is requested for every session. */
let lastFlat = { stamp: "", parts: new Map<string, readonly string[]>() };

/** Part files by message, for very old versions, which kept the parts of all messages in one folder. */
function flatParts(storage: string): ReadonlyMap<string, readonly string[]> {
  const folder = join(storage, "part");
  const stamp = `${folder} ${statSync(folder, { throwIfNoEntry: false })?.mtimeMs}`;
  if (lastFlat.stamp !== stamp) lastFlat = { stamp, parts: readFlatParts(folder) };
  return lastFlat.parts;
}

function readFlatParts(folder: string): Map<string, readonly string[]> {
  const byMessage = new Map<string, string[]>();
  for (const file of jsonFilesIn(folder)) {
    const message = stringIn(recordOf(file).value?.messageID);
    if (message !== undefined) byMessage.set(message, [...(byMessage.get(message) ?? []), file]);
  }
  return byMessage;
}

function recordOf(file: string): StoredRecord {
  return { file, line: 1, value: objectIn(textOf(file)) };
}

function textOf(file: string): string {
  // Deleted since it was listed, or not readable: counted as unreadable.
  return attempt(() => readFileSync(file, "utf8")) ?? "";
}

function jsonFilesIn(folder: string): string[] {
  return itemsIn(folder)
    .filter((item) => item.isFile() && item.name.endsWith(".json"))
    .map((item) => join(folder, item.name))
    .sort(compareText);
}
