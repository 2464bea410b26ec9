/** The lines of a push as columns, for the insert statement. */
import { createHash } from "node:crypto";
import { searchedText } from "@bough/session/session/internal.js";
import { lineFacts, lineHash } from "../stored-line.js";

/** How many characters of an entry are searchable. */
const MOST_TEXT = 1 << 20;
/** Limits for the server's word list, which may have one megabyte and contains parts of compound words twice. */
const WORDS_TEXT = 200_000;
const WORDS_BYTES = 400_000;
/** An index row holds less than 2,700 bytes, and has two IDs: the entry's and the session's. */
const MOST_ID_BYTES = 1_000;
/** The length to which `columnId` shortens IDs that are too long for a column. */
export const LONG_ID = 164;
const MOST_TIME = 100;

/** Skips lines that are neither a header nor an entry. `isSearched` is false if the database stores no texts. */
export function columnsOf(lines: readonly Uint8Array[], { isSearched }: { readonly isSearched: boolean }) {
  const columns = {
    hash: [] as Buffer[],
    id: [] as string[],
    parent: [] as (string | null)[],
    kind: [] as string[],
    role: [] as (string | null)[],
    at: [] as (string | null)[],
    line: [] as Buffer[],
    text: [] as (string | null)[],
  };
  const seen = new Set<string>();
  for (const bytes of lines) {
    const facts = lineFacts(bytes);
    const hash = lineHash(bytes);
    if (facts === undefined || seen.has(hash)) continue;
    seen.add(hash);
    const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const { message, timestamp } = facts.record as {
      readonly message?: { readonly role?: unknown };
      timestamp?: unknown;
    };
    const isEntry = isSearched && facts.kind === "entry";
    const text = isEntry ? searchedText(facts.record, line.toString("utf8")) : null;
    columns.hash.push(Buffer.from(hash, "hex"));
    columns.id.push(columnId(facts.id));
    columns.parent.push(facts.parentId === null ? null : columnId(facts.parentId));
    columns.kind.push(clean(facts.type) ?? "");
    columns.role.push(typeof message?.role === "string" ? clean(message.role) : null);
    columns.at.push(typeof timestamp === "string" ? clean(timestamp.slice(0, MOST_TIME)) : null);
    columns.line.push(line);
    columns.text.push(text === null ? null : searchable(text));
  }
  return columns;
}

/** An ID as stored in its column: a very long one is cut and made unique by its hash. The line has the full ID. */
export function columnId(id: string): string {
  const text = clean(id) ?? "";
  if (text.length * 3 <= MOST_ID_BYTES || Buffer.byteLength(text) <= MOST_ID_BYTES) return text;
  const hash = createHash("sha256").update(text).digest("hex");
  return `${clean(text.slice(0, LONG_ID - hash.length))}${hash}`;
}

/** PostgreSQL text cannot contain NUL or half of a surrogate pair. */
export function clean(text: string | null | undefined): string | null {
  return text == null ? null : Buffer.from(text.replaceAll("\0", "\uFFFD")).toString("utf8");
}

/** The text as stored in its column, null if there is none. */
export function searchable(text: string): string | null {
  return text === "" ? null : clean(shortened(text));
}

function shortened(text: string): string {
  const most = text.slice(0, MOST_TEXT);
  if (most.length * 3 <= WORDS_BYTES) return most;
  const words = Buffer.from(most.slice(0, WORDS_TEXT));
  return words.length <= WORDS_BYTES ? most : words.toString("utf8", 0, WORDS_BYTES);
}
