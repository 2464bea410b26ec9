/**
 * Comparisons with the fixed stretches of a line, written out byte by byte: they run for every line of every load, and a
 * loop over an expected text costs three times as much. A read behind the end of the bytes compares unequal.
 */

/** `{"type":"` */
export function startsType(bytes: Uint8Array, at: number): boolean {
  return (
    bytes[at] === 0x7b &&
    bytes[at + 1] === 0x22 &&
    bytes[at + 2] === 0x74 &&
    bytes[at + 3] === 0x79 &&
    bytes[at + 4] === 0x70 &&
    bytes[at + 5] === 0x65 &&
    bytes[at + 6] === 0x22 &&
    bytes[at + 7] === 0x3a &&
    bytes[at + 8] === 0x22
  );
}

/** `message"` */
export function isMessageType(bytes: Uint8Array, at: number): boolean {
  return (
    bytes[at] === 0x6d &&
    bytes[at + 1] === 0x65 &&
    bytes[at + 2] === 0x73 &&
    bytes[at + 3] === 0x73 &&
    bytes[at + 4] === 0x61 &&
    bytes[at + 5] === 0x67 &&
    bytes[at + 6] === 0x65 &&
    bytes[at + 7] === 0x22
  );
}

/** `","id":"` */
export function startsId(bytes: Uint8Array, at: number): boolean {
  return (
    bytes[at] === 0x22 &&
    bytes[at + 1] === 0x2c &&
    bytes[at + 2] === 0x22 &&
    bytes[at + 3] === 0x69 &&
    bytes[at + 4] === 0x64 &&
    bytes[at + 5] === 0x22 &&
    bytes[at + 6] === 0x3a &&
    bytes[at + 7] === 0x22
  );
}

/** `","parentId":` */
export function startsParent(bytes: Uint8Array, at: number): boolean {
  return (
    bytes[at] === 0x22 &&
    bytes[at + 1] === 0x2c &&
    bytes[at + 2] === 0x22 &&
    bytes[at + 3] === 0x70 &&
    bytes[at + 4] === 0x61 &&
    bytes[at + 5] === 0x72 &&
    bytes[at + 6] === 0x65 &&
    bytes[at + 7] === 0x6e &&
    bytes[at + 8] === 0x74 &&
    bytes[at + 9] === 0x49 &&
    bytes[at + 10] === 0x64 &&
    bytes[at + 11] === 0x22 &&
    bytes[at + 12] === 0x3a
  );
}

/** `null,"timestamp":"` */
export function isNullParent(bytes: Uint8Array, at: number): boolean {
  return (
    bytes[at] === 0x6e &&
    bytes[at + 1] === 0x75 &&
    bytes[at + 2] === 0x6c &&
    bytes[at + 3] === 0x6c &&
    bytes[at + 4] === 0x2c &&
    bytes[at + 5] === 0x22 &&
    bytes[at + 6] === 0x74 &&
    bytes[at + 7] === 0x69 &&
    bytes[at + 8] === 0x6d &&
    bytes[at + 9] === 0x65 &&
    bytes[at + 10] === 0x73 &&
    bytes[at + 11] === 0x74 &&
    bytes[at + 12] === 0x61 &&
    bytes[at + 13] === 0x6d &&
    bytes[at + 14] === 0x70 &&
    bytes[at + 15] === 0x22 &&
    bytes[at + 16] === 0x3a &&
    bytes[at + 17] === 0x22
  );
}

/** `","timestamp":"` */
export function startsTimestamp(bytes: Uint8Array, at: number): boolean {
  return (
    bytes[at] === 0x22 &&
    bytes[at + 1] === 0x2c &&
    bytes[at + 2] === 0x22 &&
    bytes[at + 3] === 0x74 &&
    bytes[at + 4] === 0x69 &&
    bytes[at + 5] === 0x6d &&
    bytes[at + 6] === 0x65 &&
    bytes[at + 7] === 0x73 &&
    bytes[at + 8] === 0x74 &&
    bytes[at + 9] === 0x61 &&
    bytes[at + 10] === 0x6d &&
    bytes[at + 11] === 0x70 &&
    bytes[at + 12] === 0x22 &&
    bytes[at + 13] === 0x3a &&
    bytes[at + 14] === 0x22
  );
}

/** `","message":{"role":"` */
export function startsMessage(bytes: Uint8Array, at: number): boolean {
  return (
    bytes[at] === 0x22 &&
    bytes[at + 1] === 0x2c &&
    bytes[at + 2] === 0x22 &&
    bytes[at + 3] === 0x6d &&
    bytes[at + 4] === 0x65 &&
    bytes[at + 5] === 0x73 &&
    bytes[at + 6] === 0x73 &&
    bytes[at + 7] === 0x61 &&
    bytes[at + 8] === 0x67 &&
    bytes[at + 9] === 0x65 &&
    bytes[at + 10] === 0x22 &&
    bytes[at + 11] === 0x3a &&
    bytes[at + 12] === 0x7b &&
    bytes[at + 13] === 0x22 &&
    bytes[at + 14] === 0x72 &&
    bytes[at + 15] === 0x6f &&
    bytes[at + 16] === 0x6c &&
    bytes[at + 17] === 0x65 &&
    bytes[at + 18] === 0x22 &&
    bytes[at + 19] === 0x3a &&
    bytes[at + 20] === 0x22
  );
}

/** `","customType":"` */
export function startsCustomType(bytes: Uint8Array, at: number): boolean {
  return (
    bytes[at] === 0x22 &&
    bytes[at + 1] === 0x2c &&
    bytes[at + 2] === 0x22 &&
    bytes[at + 3] === 0x63 &&
    bytes[at + 4] === 0x75 &&
    bytes[at + 5] === 0x73 &&
    bytes[at + 6] === 0x74 &&
    bytes[at + 7] === 0x6f &&
    bytes[at + 8] === 0x6d &&
    bytes[at + 9] === 0x54 &&
    bytes[at + 10] === 0x79 &&
    bytes[at + 11] === 0x70 &&
    bytes[at + 12] === 0x65 &&
    bytes[at + 13] === 0x22 &&
    bytes[at + 14] === 0x3a &&
    bytes[at + 15] === 0x22
  );
}
