/** A zstd frame whose one block is stored as it is: compressed files without a program that compresses. */
export function storedZstd(bytes: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt32LE(0xfd2fb528, 0);
  head.writeUInt8(0xa0, 4);
  head.writeUInt32LE(bytes.length, 5);
  head.writeUIntLE(1 | (bytes.length << 3), 9, 3);
  return Buffer.concat([head, bytes]);
}
