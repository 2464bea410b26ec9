/**
 * Comparisons with the fixed parts of a line, four bytes at a time: they run for every line of every load, and a loop
 * over an expected text costs several times as much. The numbers are the characters named above each function, in
 * little-endian order; the last word may overlap the one before it. The caller ensures that the whole part is inside
 * the view.
 */

/** `{"type":"` */
export function startsType(view: DataView, at: number): boolean {
  return (
    view.getInt32(at, true) === 0x7974227b &&
    view.getInt32(at + 4, true) === 0x3a226570 &&
    view.getInt32(at + 5, true) === 0x223a2265
  );
}

/** `message"` */
export function isMessageType(view: DataView, at: number): boolean {
  return view.getInt32(at, true) === 0x7373656d && view.getInt32(at + 4, true) === 0x22656761;
}

/** `","id":"` */
export function startsId(view: DataView, at: number): boolean {
  return view.getInt32(at, true) === 0x69222c22 && view.getInt32(at + 4, true) === 0x223a2264;
}

/** `","parentId":` */
export function startsParent(view: DataView, at: number): boolean {
  return (
    view.getInt32(at, true) === 0x70222c22 &&
    view.getInt32(at + 4, true) === 0x6e657261 &&
    view.getInt32(at + 8, true) === 0x22644974 &&
    view.getInt32(at + 9, true) === 0x3a226449
  );
}

/** `null,"timestamp":"` */
export function isNullParent(view: DataView, at: number): boolean {
  return (
    view.getInt32(at, true) === 0x6c6c756e &&
    view.getInt32(at + 4, true) === 0x6974222c &&
    view.getInt32(at + 8, true) === 0x7473656d &&
    view.getInt32(at + 12, true) === 0x22706d61 &&
    view.getInt32(at + 14, true) === 0x223a2270
  );
}

/** `","timestamp":"` */
export function startsTimestamp(view: DataView, at: number): boolean {
  return (
    view.getInt32(at, true) === 0x74222c22 &&
    view.getInt32(at + 4, true) === 0x73656d69 &&
    view.getInt32(at + 8, true) === 0x706d6174 &&
    view.getInt32(at + 11, true) === 0x223a2270
  );
}

/** `","message":{"role":"` */
export function startsMessage(view: DataView, at: number): boolean {
  return (
    view.getInt32(at, true) === 0x6d222c22 &&
    view.getInt32(at + 4, true) === 0x61737365 &&
    view.getInt32(at + 8, true) === 0x3a226567 &&
    view.getInt32(at + 12, true) === 0x6f72227b &&
    view.getInt32(at + 16, true) === 0x3a22656c &&
    view.getInt32(at + 17, true) === 0x223a2265
  );
}

/** `","customType":"` */
export function startsCustomType(view: DataView, at: number): boolean {
  return (
    view.getInt32(at, true) === 0x63222c22 &&
    view.getInt32(at + 4, true) === 0x6f747375 &&
    view.getInt32(at + 8, true) === 0x7079546d &&
    view.getInt32(at + 12, true) === 0x223a2265
  );
}
