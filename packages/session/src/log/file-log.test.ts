import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { breakFiles, mendFiles, systemError } from "../../../../test/support/file-faults.js";
import { takeIn } from "../../../../test/support/take-in.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { FileLog } from "./file-log.js";

const line = (text: string) => Buffer.from(`${text}\n`);

function logHolding(text: string, access: "read" | "write" = "write") {
  const path = join(tempFolder(), "log.jsonl");
  writeFileSync(path, text);
  const log = new FileLog(path, { access });
  takeIn(log);
  return { path, log };
}

describe("a log in a file", () => {
  it("makes its file and folders with the first write, for the owner alone", () => {
    const path = join(tempFolder(), "deep", "er", "log.jsonl");
    const log = new FileLog(path, { access: "write" });
    expect([log.prepare(), log.size(), existsSync(dirname(path))]).toEqual(["ready", 0, false]);
    log.write(line("a"));
    const modes = [path, dirname(path), dirname(dirname(path))].map((one) => statSync(one).mode & 0o777);
    expect([modes, takeIn(log)]).toEqual([[0o600, 0o700, 0o700], ["a"]]);
    log.close();
  });

  it("gives its file a name only once the first line is in it", () => {
    const path = join(tempFolder(), "log.jsonl");
    const log = new FileLog(path, { access: "write" });
    const wasThere: boolean[] = [];
    breakFiles("writeSync", (real, args) => {
      wasThere.push(existsSync(path));
      return (real as unknown as (...all: unknown[]) => number)(...args);
    });
    log.write(line("a"));
    mendFiles();
    log.write(line("b"));
    expect([wasThere, readFileSync(path, "utf8"), readdirSync(dirname(path))]).toEqual([
      [false],
      "a\nb\n",
      ["log.jsonl"],
    ]);
    log.close();
  });

  it("writes after what another process wrote before the first line", () => {
    const path = join(tempFolder(), "log.jsonl");
    const log = new FileLog(path, { access: "write" });
    writeFileSync(path, "theirs\n");
    log.write(line("ours"));
    expect([readFileSync(path, "utf8"), readdirSync(dirname(path))]).toEqual(["theirs\nours\n", ["log.jsonl"]]);
    log.close();
  });

  it("creates the target of a link", () => {
    const folder = tempFolder();
    symlinkSync(join(folder, "elsewhere.jsonl"), join(folder, "log.jsonl"));
    const log = new FileLog(join(folder, "log.jsonl"), { access: "write" });
    log.write(line("a"));
    expect(readFileSync(join(folder, "elsewhere.jsonl"), "utf8")).toBe("a\n");
    log.close();
  });

  it("writes each line in one call", () => {
    const { log, path } = logHolding("torn");
    const sizes: number[] = [];
    breakFiles("writeSync", (real, args) => {
      const [, , , length] = args as [number, Buffer, number, number];
      if (length > 0) sizes.push(length);
      return (real as unknown as (...all: unknown[]) => number)(...args);
    });
    log.write(line("first"));
    log.write(line("x".repeat(3 << 20)));
    mendFiles();
    expect([sizes, readFileSync(path, "utf8").slice(0, 12)]).toEqual([[7, (3 << 20) + 1], "torn\nfirst\nx"]);
    log.close();
  });

  it("keeps what another process writes, and never writes over it", () => {
    const { log, path } = logHolding("a\n");
    appendFileSync(path, "theirs\n");
    expect(log.prepare()).toBe("grown");
    log.write(line("ours"));
    expect([readFileSync(path, "utf8"), log.prepare(), takeIn(log, log.certain)]).toEqual([
      "a\ntheirs\nours\n",
      "grown",
      ["theirs", "ours"],
    ]);
    expect(log.prepare()).toBe("ready");
    log.close();
  });

  it("starts no fresh line where the line that looked torn was only under way", () => {
    const { log, path } = logHolding("a\nhal");
    appendFileSync(path, "f\n");
    const offset = log.write(line("ours"));
    expect([readFileSync(path, "utf8"), offset, log.prepare()]).toEqual(["a\nhalf\nours\n", 7, "grown"]);
    expect(takeIn(log, log.certain)).toEqual(["half", "ours"]);
    log.close();
  });

  it.each([
    ["vanished", (path: string) => rmSync(path)],
    ["vanished", (path: string) => rmSync(dirname(path), { recursive: true })],
    ["shrunk", (path: string) => truncateSync(path, 1)],
    [
      "replaced",
      (path: string) => {
        writeFileSync(`${path}.other`, "other\n");
        renameSync(`${path}.other`, path);
      },
    ],
  ] as const)("says %s, and still reads what it held if the bytes are there (%#)", (state, act) => {
    const { log, path } = logHolding("one\ntwo\n");
    act(path);
    expect(log.prepare()).toBe(state);
    if (state !== "shrunk") expect(takeIn(log)).toEqual(["one", "two"]);
    log.close();
  });

  it("restores its file with every byte, also those that were not scanned, and leaves nothing beside it", () => {
    const { log, path } = logHolding("one\n");
    appendFileSync(path, "two\n");
    rmSync(path);
    expect([log.restore(), readFileSync(path, "utf8"), readdirSync(dirname(path))]).toEqual([
      true,
      "one\ntwo\n",
      ["log.jsonl"],
    ]);
    log.write(line("three"));
    expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["one\ntwo\nthree\n", 0o600]);
    log.close();
  });

  it("does not restore over a file that was created since", () => {
    const { log, path } = logHolding("one\n");
    rmSync(path);
    writeFileSync(path, "theirs\n");
    expect([log.restore(), readFileSync(path, "utf8"), readdirSync(dirname(path))]).toEqual([
      false,
      "theirs\n",
      ["log.jsonl"],
    ]);
    log.close();
  });

  it("reads a file in windows: entries in file order do not cost a read each", () => {
    const { log } = logHolding(Array.from({ length: 5000 }, (_, i) => `line ${i}\n`).join(""));
    let reads = 0;
    breakFiles("readSync", (real, args) => {
      reads += 1;
      return (real as unknown as (...all: unknown[]) => number)(...args);
    });
    for (let at = 0; at < 40_000; at += 8) log.readAt(at, 8);
    expect(reads).toBeLessThan(10);
    log.close();
  });
});

describe("a log that cannot be opened", () => {
  it.each([
    ["a folder", "is-directory", (path: string) => mkdirSync(path)],
    ["nothing", "session-not-found", () => {}],
  ] as const)("because there is %s there throws a code", (_, code, act) => {
    const path = join(tempFolder(), "log.jsonl");
    act(path);
    expect(() => new FileLog(path, { access: "read" })).toThrow(
      expect.objectContaining({ name: "SessionError", code }),
    );
  });

  it("because its folder cannot be created throws a code at the first write", () => {
    const inTheWay = join(tempFolder(), "file");
    writeFileSync(inTheWay, "");
    const log = new FileLog(join(inTheWay, "log.jsonl"), { access: "write" });
    expect(() => log.write(line("a"))).toThrow(expect.objectContaining({ name: "SessionError", code: "write-failed" }));
  });
});

describe("a disk that fails", () => {
  it.each(["ENOSPC", "EDQUOT", "EFBIG"])("with %s is full, whatever asked for room", (code) => {
    const { log } = logHolding("a\n");
    breakFiles("writeSync", () => {
      throw systemError(code);
    });
    expect(() => log.write(line("b"))).toThrow(expect.objectContaining({ code: "disk-full" }));
    mendFiles();
    log.write(line("c"));
    expect(takeIn(log)).toEqual(["a", "c"]);
    log.close();
  });

  it("while reading is an error with a code, from a scan and from a read", () => {
    const { log } = logHolding("a\n");
    breakFiles("readSync", () => {
      throw systemError("EIO");
    });
    const failed = expect.objectContaining({ name: "SessionError", code: "read-failed" });
    expect(() => takeIn(log)).toThrow(failed);
    expect(() => log.readAt(0, 1)).toThrow(failed);
    mendFiles();
    expect(takeIn(log)).toEqual(["a"]);
    log.close();
  });

  it("in the middle of a line leaves a stump, and the next line starts behind it", () => {
    const { log, path } = logHolding("a\n");
    breakFiles("writeSync", (real, args) => {
      const [fd, bytes] = args as [number, Buffer];
      return (real as unknown as (...all: unknown[]) => number)(fd, bytes, 0, Math.min(2, bytes.length));
    });
    expect(() => log.write(line("bcd"))).toThrow(expect.objectContaining({ code: "disk-full" }));
    mendFiles();
    log.write(line("bcd"));
    expect([readFileSync(path, "utf8"), takeIn(log)]).toEqual(["a\nbc\nbcd\n", ["a", "bc", "bcd"]]);
    log.close();
  });
});
