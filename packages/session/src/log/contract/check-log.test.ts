import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { type Durability, FileLog } from "../file-log.js";
import type { Log } from "../log.js";
import { MemoryLog } from "../memory-log.js";
import type { ScanEnd } from "../scan-lines.js";
import { type CreateLog, checkLog } from "./check-log.js";
import { LOG_RULES } from "./log-rules.js";

type Access = "read" | "write";

function fileHolding(bytes: Buffer): string {
  const path = join(tempFolder(), "log.jsonl");
  writeFileSync(path, bytes);
  return path;
}

/** In two pieces, as an upgrade in memory fills it. */
function filled<Kind extends MemoryLog>(log: Kind, bytes: Buffer): Kind {
  log.fill(bytes.subarray(0, bytes.length >> 1));
  log.fill(bytes.subarray(bytes.length >> 1));
  return log;
}

describe("the rules of a log", () => {
  it.each<Durability>(["none", "fsync"])("hold for a file with durability %s", async (durability) => {
    const create: CreateLog = (bytes, access) => new FileLog(fileHolding(bytes), { access, durability });
    const reopen = (log: Log) => new FileLog((log as FileLog).path, { access: "write", durability });
    expect(await checkLog(create, { reopen })).toEqual([]);
  });

  it("hold for the memory", async () => {
    const create: CreateLog = (bytes, access) => filled(new MemoryLog({ access }), bytes);
    const reopen = (log: Log) => (log as MemoryLog).another();
    expect(await checkLog(create, { reopen })).toEqual([]);
  });

  it("are tried without those for several logs of the same bytes if there is no way to open one again", async () => {
    const create: CreateLog = (bytes, access) => filled(new MemoryLog({ access }), bytes);
    expect(await checkLog(create)).toEqual([]);
  });
});

/** Logs that break one rule each, and words of the sentence that must be reported. */
const BROKEN: readonly (readonly [string, string, (access: Access) => MemoryLog])[] = [
  [
    "returns wrong offsets",
    "at its offset",
    (access) =>
      new (class extends MemoryLog {
        override write(lines: Uint8Array): number {
          return super.write(lines) + 1;
        }
      })({ access }),
  ],
  [
    "writes one line at a time and returns the last offset",
    "several lines in one write",
    (access) =>
      new (class extends MemoryLog {
        override write(lines: Uint8Array): number {
          const text = Buffer.from(lines).toString();
          return text
            .split("\n")
            .slice(0, -1)
            .reduce((_, line) => super.write(Buffer.from(`${line}\n`)), 0);
        }
      })({ access }),
  ],
  [
    "keeps the caller's bytes",
    "its own copy",
    (access) =>
      new (class extends MemoryLog {
        override write(lines: Uint8Array): number {
          if (!this.writable || this.size() > 0) return super.write(lines);
          this.fill(lines as Buffer);
          this.accept({ certain: this.size(), end: this.size() });
          return 0;
        }
      })({ access }),
  ],
  [
    "never says that it is ready",
    "is ready after its own appends",
    (access) =>
      new (class extends MemoryLog {
        override prepare(): "grown" {
          return "grown";
        }
      })({ access }),
  ],
  [
    "counts bytes that are not there",
    "nothing if it was created empty",
    (access) =>
      new (class extends MemoryLog {
        override size(): number {
          return Math.max(1, super.size());
        }
      })({ access }),
  ],
  [
    "gives nothing before it was scanned",
    "read at any offset before",
    (access) =>
      new (class extends MemoryLog {
        override readAt(offset: number, length: number): Buffer {
          return this.end === 0 ? Buffer.alloc(0) : super.readAt(offset, length);
        }
      })({ access }),
  ],
  [
    "takes a torn line for a whole one",
    "after a torn one",
    (access) =>
      new (class extends MemoryLog {
        override accept({ end }: ScanEnd): void {
          super.accept({ certain: end, end });
        }
      })({ access }),
  ],
  [
    "scans from the start only",
    "from the start of any line",
    (access) =>
      new (class extends MemoryLog {
        override scan(_from: number, visit: Parameters<MemoryLog["scan"]>[1]): ScanEnd {
          return super.scan(0, visit);
        }
      })({ access }),
  ],
  [
    "pads what it reads",
    "returns less at its end",
    (access) =>
      new (class extends MemoryLog {
        override readAt(offset: number, length: number): Buffer {
          return Buffer.concat([super.readAt(offset, length), Buffer.alloc(length)]).subarray(0, length);
        }
      })({ access }),
  ],
  [
    "reads within one piece only",
    "across what was written in pieces",
    (access) =>
      new (class extends MemoryLog {
        override readAt(offset: number, length: number): Buffer {
          const bytes = super.readAt(offset, length);
          return bytes.subarray(0, (bytes.indexOf(10) + 1 || bytes.length + 1) - 1);
        }
      })({ access }),
  ],
  [
    "shows at most a megabyte of a line",
    "whatever their length",
    (access) =>
      new (class extends MemoryLog {
        override scan(from: number, visit: Parameters<MemoryLog["scan"]>[1]): ScanEnd {
          return super.scan(from, (line) => visit({ ...line, length: Math.min(line.length, 1 << 20) }));
        }
      })({ access }),
  ],
  [
    "does not look for blanks",
    "that is not white space",
    (access) =>
      new (class extends MemoryLog {
        override scan(from: number, visit: Parameters<MemoryLog["scan"]>[1]): ScanEnd {
          return super.scan(from, (line) => visit({ ...line, last: line.bytes[line.end - 1] ?? -1 }));
        }
      })({ access }),
  ],
  ["writes although it was opened for reading", "rejects writes", () => new MemoryLog()],
  [
    "cannot be closed twice",
    "closed twice",
    (access) =>
      new (class extends MemoryLog {
        #closed = false;
        override close(): void {
          if (this.#closed) throw new Error("closed already");
          this.#closed = true;
        }
      })({ access }),
  ],
];

describe("a log that is broken", () => {
  it.each(BROKEN)("%s: is reported", async (_name, words, make) => {
    const broken = await checkLog((bytes, access) => filled(make(access), bytes));
    expect(broken).toContainEqual(expect.stringContaining(words));
    expect(broken.every((sentence) => sentence.startsWith("A log "))).toBe(true);
  });

  it("shares no bytes: is reported for every rule about several logs", async () => {
    const create: CreateLog = (bytes, access) => filled(new MemoryLog({ access }), bytes);
    const broken = await checkLog(create, { reopen: () => new MemoryLog() });
    const shared = LOG_RULES.filter(({ needsReopen }) => needsReopen);
    expect(shared.map(({ sentence }) => broken.some((text) => text.includes(sentence)))).toEqual([true, true, true]);
    expect(broken).toHaveLength(3);
  });

  it("cannot be made at all: every rule says why", async () => {
    const broken = await checkLog(() => {
      throw new Error("no database");
    });
    expect(broken).toHaveLength(LOG_RULES.length - 3);
    expect(broken[0]).toBe("A log returns what was appended, line by line and at its offset: no database");
  });
});
