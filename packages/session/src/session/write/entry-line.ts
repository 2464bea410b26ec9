/**
 * Lines as Bough writes them: `type`, `id`, `parentId`, `timestamp` first and in that order, which makes scanning fast.
 */
import { type EntryBase, SessionError, type SessionHeader } from "../../entry/index.js";

type EntryPlace = Omit<EntryBase, "type">;

/** The line of an entry, without its newline. `fields` are the fields of its type; undefined ones are omitted. */
export function entryLine(type: string, place: EntryPlace, fields: object): string {
  const { id, parentId, timestamp } = place;
  return toJson({ type, id, parentId, timestamp, ...fields });
}

let lastTime = Number.NaN;
let lastText = "";

/** A time as text. Entries of a burst share a millisecond, so the last text is cached. */
export function isoTime(time: Date): string {
  const milliseconds = time.getTime();
  if (milliseconds !== lastTime) {
    lastText = time.toISOString();
    lastTime = milliseconds;
  }
  return lastText;
}

/** The line of a header, without its newline. */
export function headerLine(header: SessionHeader): string {
  const { type, version, id, timestamp, cwd, ...rest } = header;
  return toJson({ type, version, id, timestamp, cwd, ...rest });
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
