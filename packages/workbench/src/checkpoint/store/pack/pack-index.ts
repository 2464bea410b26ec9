/**
 * The index file beside a pack: it lists where contents are, so that startup does not read the pack. It is only a help:
 * whatever is missing from it is found by reading the pack. It is a series of pieces, each of which covers the part of
 * the pack after the previous one:
 *
 *     4  mark
 *     4  number of contents
 *     8  where its part of the pack begins
 *     8  where that ends
 *     4  zero
 *     4  checksum of the pack's id, the fields above and the contents
 *    then for each content 32 bytes hash, 6 offset of its record, 4 length of the record
 *    then for each content 4 bytes: when it was last used, in seconds
 *
 * Any process may overwrite the times in place. They are not part of the checksum.
 */
import { crc32 } from "node:zlib";
import { HASH_BYTES } from "./pack-record.js";

const MARK = Buffer.from("bpi1", "latin1");
const COUNT_AT = 4;
const FROM_AT = 8;
const TO_AT = 16;
const CHECK_AT = 28;
const HEAD_BYTES = 32;
const ROW_BYTES = HASH_BYTES + 6 + 4;
export const SEEN_BYTES = 4;

export interface IndexRow {
  /** A view of bytes that may change later. */
  readonly hash: Uint8Array;
  /** Offset of the record in the pack. */
  readonly offset: number;
  readonly length: number;
  /** When the content was last used, in seconds. */
  readonly seen: number;
}

/** The part of a pack that one piece covers. */
export interface PackPart {
  readonly from: number;
  readonly to: number;
}

export function indexPiece(id: string, { from, to }: PackPart, rows: readonly IndexRow[]): Buffer {
  const piece = Buffer.alloc(HEAD_BYTES + rows.length * (ROW_BYTES + SEEN_BYTES));
  piece.set(MARK, 0);
  piece.writeUInt32LE(rows.length, COUNT_AT);
  piece.writeUIntLE(from, FROM_AT, 6);
  piece.writeUIntLE(to, TO_AT, 6);
  for (const [n, { hash, offset, length, seen }] of rows.entries()) {
    const at = HEAD_BYTES + n * ROW_BYTES;
    piece.set(hash, at);
    piece.writeUIntLE(offset, at + HASH_BYTES, 6);
    piece.writeUInt32LE(length, at + HASH_BYTES + 6);
    piece.writeUInt32LE(seen, seenAt(rows.length, n));
  }
  piece.writeUInt32LE(checksum(id, piece, rows.length), CHECK_AT);
  return piece;
}

/** Offset of a content's time within its piece. */
export function seenAt(count: number, n: number): number {
  return HEAD_BYTES + count * ROW_BYTES + n * SEEN_BYTES;
}

/**
 * Reads the complete pieces and calls `onRow` for each content, with the offset of its time in `bytes`. Stops at the
 * first piece that is damaged, cut off, or does not continue at `from`. Returns where it stopped, and up to where the
 * pack is covered.
 */
export function readIndex(
  bytes: Buffer,
  { id, from, packBytes }: { readonly id: string; readonly from: number; readonly packBytes: number },
  onRow: (row: IndexRow, seenAt: number) => void,
): { readonly end: number; readonly to: number } {
  let [at, known] = [0, from];
  while (at + HEAD_BYTES <= bytes.length && bytes.compare(MARK, 0, MARK.length, at, at + MARK.length) === 0) {
    const count = bytes.readUInt32LE(at + COUNT_AT);
    const end = at + seenAt(count, count);
    if (end > bytes.length) break;
    const piece = bytes.subarray(at, end);
    const to = piece.readUIntLE(TO_AT, 6);
    const isNext = piece.readUIntLE(FROM_AT, 6) === known && to >= known && to <= packBytes;
    if (!isNext || piece.readUInt32LE(CHECK_AT) !== checksum(id, piece, count)) break;
    for (let n = 0; n < count; n++) {
      const row = HEAD_BYTES + n * ROW_BYTES;
      const time = seenAt(count, n);
      onRow(
        {
          hash: piece.subarray(row, row + HASH_BYTES),
          offset: piece.readUIntLE(row + HASH_BYTES, 6),
          length: piece.readUInt32LE(row + HASH_BYTES + 6),
          seen: piece.readUInt32LE(time),
        },
        at + time,
      );
    }
    [at, known] = [end, to];
  }
  return { end: at, to: known };
}

function checksum(id: string, piece: Buffer, count: number): number {
  const head = crc32(piece.subarray(0, CHECK_AT), crc32(id));
  return crc32(piece.subarray(HEAD_BYTES, HEAD_BYTES + count * ROW_BYTES), head);
}
