/** Lines as Bough writes them: `type`, `id`, `parentId`, `timestamp` first and in that order, so that a scan is quick. */
import { type EntryId, SessionError, type SessionHeader } from "../entry/index.js";

export interface EntryPlace {
  readonly id: EntryId;
  readonly parentId: EntryId | null;
  readonly timestamp: string;
}

/** The line of an entry, with its newline. `fields` are the fields of its type; undefined ones are left out. */
export function entryLine(type: string, place: EntryPlace, fields: object): Buffer {
  const rest = toJson(fields);
  const parent = place.parentId === null ? "null" : JSON.stringify(place.parentId);
  const head = `{"type":${JSON.stringify(type)},"id":${JSON.stringify(place.id)},"parentId":${parent},"timestamp":"${place.timestamp}"`;
  return Buffer.from(rest === "{}" ? `${head}}\n` : `${head},${rest.slice(1)}\n`);
}

export function headerLine(header: SessionHeader): Buffer {
  const { type, version, id, timestamp, cwd, ...rest } = header;
  return Buffer.from(`${toJson({ type, version, id, timestamp, cwd, ...rest })}\n`);
}

function toJson(value: object): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new SessionError("not-serializable", "The entry cannot be written as JSON", {
      hint: "Remove cycles, big integers and very deep nesting from it.",
      cause,
    });
  }
}
