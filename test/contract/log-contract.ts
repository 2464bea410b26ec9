/** What every log promises, whatever it keeps its bytes in. Run for a file and for the memory. */
import { describe, expect, it } from "vitest";
import type { Log } from "../../src/log/index.js";

export interface LogMaker {
  /** A log that may be written to and holds these bytes, which it has not scanned yet. */
  readonly holding: (bytes: Buffer) => Log;
  /** The same for reading only. */
  readonly readable: (bytes: Buffer) => Log;
}

/** The lines of a log from some offset on, as text, and its end taken in. */
export function takeIn(log: Log, from = 0): string[] {
  const lines: string[] = [];
  const end = log.scan(from, ({ bytes, start, end: stop, terminated }) => {
    lines.push(bytes.toString("utf8", start, stop) + (terminated ? "" : "…"));
  });
  log.accept(end);
  return lines;
}

const NOTHING = Buffer.alloc(0);
const line = (text: string) => Buffer.from(`${text}\n`);

export function itIsALog(name: string, { holding, readable }: LogMaker): void {
  describe(`${name} is a log`, () => {
    it("that gives back what was appended, line by line and at its offset", () => {
      const log = holding(NOTHING);
      const texts = ["first", "", "zweite äöü 🌱", "x".repeat(5000)];
      const offsets = texts.map((text) => log.write(line(text)));
      expect(takeIn(log)).toEqual(texts);
      expect(offsets.map((at, i) => log.readAt(at, Buffer.byteLength(texts[i] as string)).toString())).toEqual(texts);
      log.close();
    });

    it("that is ready after its own appends, and knows how long it is", () => {
      const log = holding(line("old"));
      takeIn(log);
      log.write(line("new"));
      expect([log.prepare(), log.certain, log.end, log.size()]).toEqual(["ready", 8, 8, 8]);
      log.close();
    });

    it("that has nothing in it when it is empty", () => {
      const log = holding(NOTHING);
      expect([takeIn(log), log.prepare(), log.certain, log.end, log.size()]).toEqual([[], "ready", 0, 0, 0]);
      log.close();
    });

    it("that starts a fresh line behind a torn one, and leaves the torn one as it is", () => {
      const log = holding(Buffer.from("whole\nto"));
      expect(takeIn(log)).toEqual(["whole", "to…"]);
      const offset = log.write(line("next"));
      expect([offset, takeIn(log), log.readAt(offset, 4).toString()]).toEqual([9, ["whole", "to", "next"], "next"]);
      log.write(line("after"));
      expect(takeIn(log)).toEqual(["whole", "to", "next", "after"]);
      log.close();
    });

    it("that can be scanned from any line on", () => {
      const log = holding(Buffer.from("a\nbb\nccc\n"));
      takeIn(log);
      expect([takeIn(log, 2), takeIn(log, 5), takeIn(log, 9)]).toEqual([["bb", "ccc"], ["ccc"], []]);
      log.close();
    });

    it("that gives less where it ends before, and nothing behind its end", () => {
      const log = holding(Buffer.from("abc\n"));
      takeIn(log);
      expect([log.readAt(2, 100).toString(), log.readAt(4, 10).length, log.readAt(50, 10).length]).toEqual([
        "c\n",
        0,
        0,
      ]);
      log.close();
    });

    it("that reads forwards, backwards and across what was written in pieces", () => {
      const log = holding(NOTHING);
      const texts = Array.from({ length: 300 }, (_, i) => `${i} ${"y".repeat((i * 37) % 2000)}`);
      const offsets = texts.map((text) => log.write(line(text)));
      const read = (i: number) => log.readAt(offsets[i] as number, (texts[i] as string).length).toString();
      for (let i = 0; i < 300; i++) expect(read(i)).toBe(texts[i]);
      for (let i = 299; i >= 0; i--) expect(read(i)).toBe(texts[i]);
      const three = `${texts[7]}\n${texts[8]}\n${texts[9]}`;
      expect(log.readAt(offsets[7] as number, three.length).toString()).toBe(three);
      log.close();
    });

    it("that scans the same lines whatever their length, a megabyte and more included", () => {
      const texts = [0, 1, 65_535, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20, 5].map((size) => "z".repeat(size));
      const log = holding(Buffer.concat(texts.map(line)));
      const seen: number[] = [];
      log.accept(
        log.scan(0, ({ length, offset, terminated }) => {
          seen.push(length, offset, terminated ? 1 : 0);
        }),
      );
      let offset = 0;
      const expected = texts.flatMap(({ length }) => {
        const at = offset;
        offset += length + 1;
        return [length, at, 1];
      });
      expect(seen).toEqual(expected);
      log.close();
    });

    it("that refuses to be written when it was opened for reading, with a code", () => {
      const log = readable(line("a"));
      takeIn(log);
      expect(() => log.write(line("b"))).toThrow(expect.objectContaining({ name: "SessionError", code: "read-only" }));
      expect([log.writable, takeIn(log)]).toEqual([false, ["a"]]);
      log.close();
    });

    it("that can be synced and closed at any time, and closed twice", () => {
      const log = holding(NOTHING);
      log.sync();
      log.write(line("a"));
      log.sync();
      log.sync();
      log.close();
      expect(() => log.close()).not.toThrow();
    });
  });
}
