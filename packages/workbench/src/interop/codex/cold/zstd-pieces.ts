/** Splits a zstd file into pieces small enough to unpack at once: headers, and blocks of at most 128 KiB. */
import { closeSync, openSync, readSync } from "node:fs";
import { pieceBuffer } from "../../file-head.js";

interface ZstdPiece {
  /** The compressed bytes. */
  readonly bytes: Uint8Array;
  /** The maximum number of bytes they unpack to. */
  readonly unpacked: number;
  /** For a frame header: the declared unpacked size of the frame, and the memory it needs. */
  readonly frame?: { readonly size: number | undefined; readonly window: number };
}

/** The file violates the format from this point. */
export class ZstdDamage extends Error {}

const FRAME = 0xfd2fb528;
const SKIPPABLE = 0x184d2a5;
const LARGEST_BLOCK = 1 << 17;
const LONGEST_HEADER = 18;

/**
 * Yields the pieces in order. Throws `ZstdDamage` if the file is cut off or not zstd.
 *
 * The decompressor unpacks all of its input at once, and four bytes can expand to 128 KiB, so small pieces keep the
 * output limited.
 */
export function* zstdPieces(path: string): Generator<ZstdPiece> {
  const reader = new PieceReader(path);
  try {
    while (!reader.isAtEnd()) {
      const magic = reader.peek(LONGEST_HEADER);
      const number = magic.length < 5 ? 0 : magic.readUInt32LE(0);
      if (number >>> 4 === SKIPPABLE) {
        reader.skip(8 + (magic.length < 8 ? 0 : magic.readUInt32LE(4)));
        continue;
      }
      if (number !== FRAME) throw new ZstdDamage("It is not compressed with zstd.");
      yield* framePieces(reader, headerOf(magic));
    }
  } finally {
    reader.close();
  }
}

interface FrameHeader {
  readonly length: number;
  readonly size: number | undefined;
  readonly window: number;
  readonly hasChecksum: boolean;
}

function headerOf(bytes: Buffer): FrameHeader {
  const flags = bytes[4] as number;
  const isSingle = (flags & 0x20) !== 0;
  const dictionary = [0, 1, 2, 4][flags & 3] as number;
  const sizeFlag = flags >> 6;
  const sizeBytes = sizeFlag === 0 ? (isSingle ? 1 : 0) : 1 << sizeFlag;
  const sizeAt = 5 + (isSingle ? 0 : 1) + dictionary;
  if (bytes.length < sizeAt + sizeBytes) throw new ZstdDamage(CUT);
  const size = sizeBytes === 0 ? undefined : sizeAtOffset(bytes, sizeAt, sizeBytes);
  const descriptor = bytes[5] as number;
  const base = 2 ** (10 + (descriptor >> 3));
  const window = isSingle ? (size ?? 0) : base + (base / 8) * (descriptor & 7);
  return { length: sizeAt + sizeBytes, size, window, hasChecksum: (flags & 4) !== 0 };
}

function sizeAtOffset(bytes: Buffer, at: number, length: number): number {
  if (length === 8) return Number(bytes.readBigUInt64LE(at));
  return bytes.readUIntLE(at, length) + (length === 2 ? 256 : 0);
}

const RAW = 0;
const RUN = 1;

function* framePieces(reader: PieceReader, header: FrameHeader): Generator<ZstdPiece> {
  const { size, window, hasChecksum } = header;
  yield { bytes: reader.take(header.length), unpacked: 0, frame: { size, window } };
  for (let isLast = false; !isLast; ) {
    const head = reader.peek(3);
    if (head.length < 3) throw new ZstdDamage(CUT);
    const bits = head.readUIntLE(0, 3);
    const type = (bits >> 1) & 3;
    const length = bits >> 3;
    isLast = (bits & 1) === 1;
    if (type === 3 || length > LARGEST_BLOCK) throw new ZstdDamage("It does not follow the zstd format.");
    const unpacked = type === RAW || type === RUN ? length : Math.min(LARGEST_BLOCK, Math.max(window, 1));
    yield { bytes: reader.take(3 + (type === RUN ? 1 : length)), unpacked };
  }
  if (hasChecksum) yield { bytes: reader.take(4), unpacked: 0 };
}

const CUT = "It is cut off.";

class PieceReader {
  readonly #file: number;
  readonly #chunk: Buffer;
  #from = 0;
  #to = 0;
  #next = 0;

  constructor(path: string) {
    this.#file = openSync(path, "r");
    this.#chunk = pieceBuffer(this.#file);
  }

  isAtEnd(): boolean {
    return this.peek(1).length === 0;
  }

  /** The next bytes, or fewer at the end of the file. Valid until the next call. */
  peek(length: number): Buffer {
    if (this.#to - this.#from < length) this.#fill();
    return this.#chunk.subarray(this.#from, Math.min(this.#to, this.#from + length));
  }

  /** Returns a copy, because the decompressor keeps a reference to its input. */
  take(length: number): Uint8Array {
    const bytes = Uint8Array.prototype.slice.call(this.peek(length));
    if (bytes.length < length) throw new ZstdDamage(CUT);
    this.#from += length;
    return bytes;
  }

  skip(length: number): void {
    const held = Math.min(length, this.#to - this.#from);
    this.#from += held;
    this.#next += length - held;
  }

  close(): void {
    closeSync(this.#file);
  }

  #fill(): void {
    this.#chunk.copyWithin(0, this.#from, this.#to);
    this.#to -= this.#from;
    this.#from = 0;
    for (let got = 1; got > 0 && this.#to < this.#chunk.length; this.#to += got, this.#next += got) {
      got = readSync(this.#file, this.#chunk, this.#to, this.#chunk.length - this.#to, this.#next);
    }
  }
}
