/** Compressed files without a program that compresses. */

const LARGEST_BLOCK = 1 << 17;
const [RAW, RUN] = [0, 1];

/** A zstd frame whose blocks are stored as they are. */
export function storedZstd(bytes: Buffer): Buffer {
  const parts = [frameHeader()];
  for (let at = 0; at === 0 || at < bytes.length; at += LARGEST_BLOCK) {
    const block = bytes.subarray(at, at + LARGEST_BLOCK);
    parts.push(blockHeader(block.length, RAW, at + LARGEST_BLOCK >= bytes.length), block);
  }
  return Buffer.concat(parts);
}

/** A zstd frame that unpacks to one byte, this many times: four bytes for each 128 KiB. */
export function runZstd(byte: number, times: number): Buffer {
  const parts = [frameHeader()];
  for (let at = 0; at < times; at += LARGEST_BLOCK) {
    const length = Math.min(LARGEST_BLOCK, times - at);
    parts.push(blockHeader(length, RUN, at + length >= times), Buffer.of(byte));
  }
  return Buffer.concat(parts);
}

/** Without a content size, with a window of 1 MiB. */
function frameHeader(): Buffer {
  return Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x50]);
}

function blockHeader(length: number, type: number, isLast: boolean): Buffer {
  const head = Buffer.alloc(3);
  head.writeUIntLE((isLast ? 1 : 0) | (type << 1) | (length << 3), 0, 3);
  return head;
}
