/**
 * One content in a pack: a header of 48 bytes, then its bytes, compressed if that makes them smaller.
 *
 *     4  mark
 *     1  0: as is, 1: deflated
 *     3  zero
 *     4  length of the stored bytes
 *     4  size of the content
 *    32  hash of the content
 *
 * Numbers are little-endian.
 */
import { hash as digest } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";

const MARK = Buffer.from("bpk1", "latin1");
const FORM_AT = 4;
const LENGTH_AT = 8;
const SIZE_AT = 12;
const HASH_AT = 16;

export const HEADER_BYTES = 48;
export const HASH_BYTES = 32;

/** A content larger than this many bytes gets its own file. */
const MOST_SIZE = 256 * 1024;
/** So does a content that is larger than this after compression. */
const MOST_STORED = 32 * 1024;

/** Undefined for a content that is too large for a pack. `hash` has 32 bytes; `deflated` comes from `compressed`. */
export function packRecord(content: Uint8Array, hash: Uint8Array, deflated: Uint8Array): Buffer | undefined {
  if (content.length > MOST_SIZE) return undefined;
  const isSmaller = deflated.length < content.length;
  const stored = isSmaller ? deflated : content;
  if (stored.length > MOST_STORED) return undefined;
  const record = Buffer.allocUnsafe(HEADER_BYTES + stored.length).fill(0, 0, HEADER_BYTES);
  record.set(MARK, 0);
  record[FORM_AT] = isSmaller ? 1 : 0;
  record.writeUInt32LE(stored.length, LENGTH_AT);
  record.writeUInt32LE(content.length, SIZE_AT);
  record.set(hash, HASH_AT);
  record.set(stored, HEADER_BYTES);
  return record;
}

/**
 * Compresses synchronously, with buffers sized for short texts: setting up the default ones takes longer than the work.
 */
export function compressed(content: Uint8Array): Buffer {
  const windowBits = Math.min(15, Math.max(9, Math.ceil(Math.log2(content.length + 1))));
  return deflateRawSync(content, {
    windowBits,
    memLevel: Math.min(8, Math.max(2, windowBits - 7)),
    chunkSize: Math.min(16 * 1024, Math.max(64, content.length + 16)),
  });
}

/** The hash stored in a record's header. */
export function recordHash(bytes: Buffer, at = 0): Buffer {
  return bytes.subarray(at + HASH_AT, at + HEADER_BYTES);
}

/**
 * The length of the record that starts at an offset, including its header. Undefined without a complete record there.
 */
export function recordLength(bytes: Buffer, at: number): number | undefined {
  if (at + HEADER_BYTES > bytes.length || bytes.compare(MARK, 0, MARK.length, at, at + MARK.length) !== 0) {
    return undefined;
  }
  const stored = bytes.readUInt32LE(at + LENGTH_AT);
  const end = at + HEADER_BYTES + stored;
  return stored > MOST_STORED || end > bytes.length ? undefined : HEADER_BYTES + stored;
}

/** The offset of the next possible record. */
export function nextMark(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(MARK, from);
  return at < 0 ? bytes.length : at;
}

/** The content of a complete record. Undefined if it does not match its hash. */
export function recordContent(record: Buffer): Buffer | undefined {
  if (recordLength(record, 0) !== record.length) return undefined;
  const size = record.readUInt32LE(SIZE_AT);
  if (size > MOST_SIZE) return undefined;
  const stored = record.subarray(HEADER_BYTES);
  let content: Buffer;
  try {
    content = record[FORM_AT] === 1 ? inflateRawSync(stored, { maxOutputLength: Math.max(1, size) }) : stored;
  } catch {
    return undefined;
  }
  const isWhole = content.length === size && digest("sha256", content, "buffer").equals(recordHash(record));
  return isWhole ? content : undefined;
}
