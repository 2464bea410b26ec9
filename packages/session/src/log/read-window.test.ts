import { describe, expect, it } from "vitest";
import { ReadWindow } from "./read-window.js";

/** A file that contains its own offsets, and counts how often it is read. */
function file(size: number) {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32LE(at, at);
  const counted = {
    reads: 0,
    read: (into: Buffer, offset: number) => {
      counted.reads += 1;
      return bytes.subarray(offset).copy(into);
    },
  };
  return { bytes, counted };
}

describe("read windows", () => {
  it("serve consecutive reads from one read, and long ranges separately", () => {
    const { bytes, counted } = file(400_000);
    const window = new ReadWindow();
    const read = (offset: number, length: number) => window.read(offset, length, counted.read);
    expect(read(0, 100).equals(bytes.subarray(0, 100))).toBe(true);
    expect(read(100_000, 30_000).equals(bytes.subarray(100_000, 130_000))).toBe(true);
    expect(counted.reads).toBe(1);
    expect(read(4, 300_000).equals(bytes.subarray(4, 300_004))).toBe(true);
    expect([read(399_990, 100).length, read(500_000, 10).length]).toEqual([10, 0]);
  });

  it("serve what comes before from one read, too, when reading from the end to the start", () => {
    const { bytes, counted } = file(400_000);
    const window = new ReadWindow();
    for (let offset = 399_000; offset >= 0; offset -= 1000) {
      const expected = bytes.subarray(offset, offset + 1000);
      expect(window.read(offset, 1000, counted.read).equals(expected)).toBe(true);
    }
    expect(counted.reads).toBeLessThan(6);
  });

  it("are a few for all files, and bytes of one that lost its turn stay what they were", () => {
    const files = Array.from({ length: 40 }, () => ({ ...file(1000), window: new ReadWindow() }));
    const first = files.map(({ window, counted }) => window.read(0, 8, counted.read));
    expect(first.every((bytes, i) => bytes.equals((files[i] as { bytes: Buffer }).bytes.subarray(0, 8)))).toBe(true);
    for (const { window, counted } of files) window.read(0, 8, counted.read);
    // A file that kept its window is not read again; at most sixteen could.
    expect(files.filter(({ counted }) => counted.reads === 1).length).toBeLessThanOrEqual(16);
    for (const { window } of files) window.release();
  });

  it("are read again after the file changed", () => {
    const { bytes, counted } = file(100);
    const window = new ReadWindow();
    window.read(0, 8, counted.read);
    bytes.fill(7);
    window.forget();
    expect(window.read(0, 8, counted.read).equals(Buffer.alloc(8, 7))).toBe(true);
  });
});
