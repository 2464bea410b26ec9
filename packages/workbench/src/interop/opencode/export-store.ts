/** Reads a session exported with `opencode export`: one JSON object. */
import { readFileSync } from "node:fs";
import { isRecord } from "@bough/session/text/index.js";
import { headOfJson } from "../conversion/json-head.js";
import { objectIn, stringIn } from "../foreign-lines.js";
import { inOrder, type JsonObject, type SessionStore, type StoredMessage, type StoredRecord } from "./session-store.js";

/** Record 1 is the object's `info`; each message is followed by its parts. */
export function openExport(path: string): SessionStore {
  return exportStore(path, objectIn(readFileSync(path, "utf8")));
}

/** Reads only the first bytes of an export, which is enough to identify it. */
export function openExportHead(path: string): SessionStore {
  const head = headOfJson(path);
  return exportStore(path, isRecord(head) ? head : undefined);
}

function exportStore(path: string, whole: JsonObject | undefined): SessionStore {
  const info = isRecord(whole?.info) ? whole.info : undefined;
  const listed: readonly unknown[] = Array.isArray(whole?.messages) ? whole.messages : [];
  let line = 1;
  const messages = listed.map((message): StoredMessage => {
    const value = isRecord(message) && isRecord(message.info) ? message.info : undefined;
    line += 1;
    const own = line;
    const id = stringIn(value?.id) ?? `message ${own}`;
    const list: readonly unknown[] = isRecord(message) && Array.isArray(message.parts) ? message.parts : [];
    const parts = list.map((part) => {
      line += 1;
      const object = isRecord(part) ? part : undefined;
      return { file: path, line, id: stringIn(object?.id) ?? `part ${line}`, value: object };
    });
    return { file: path, line: own, id, value, parts };
  });
  const session: StoredRecord = { file: path, line: 1, value: info };
  return {
    sessions: () => [session],
    messages: () => [...messages].sort(inOrder),
    rows: () => [],
    close: () => {},
  };
}
