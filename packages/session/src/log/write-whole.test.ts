import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { isLeftBehind, OWNER_MARK } from "./owner-mark.js";
import { WholeFile, type WholeFileOptions, writeWhole } from "./write-whole.js";

const REPLACE: WholeFileOptions = { existing: "replace", durable: true };
const REFUSE: WholeFileOptions = { existing: "refuse", durable: false };

const text = (file: string) => readFileSync(file, "utf8");

describe("a whole file", () => {
  test("holds every piece, text and bytes, in the folders it needs, and nothing is beside it", () => {
    const folder = join(tempFolder(), "deep", "er");
    const long = "ü".repeat(1_500_000);
    writeWhole(join(folder, "mixed"), ["one ", long, Buffer.from(" two")], REFUSE);
    writeWhole(join(folder, "text"), `one ${long} two`, REPLACE);
    expect([text(join(folder, "mixed")), text(join(folder, "text"))]).toEqual(Array(2).fill(`one ${long} two`));
    expect(readdirSync(folder).sort()).toEqual(["mixed", "text"]);
  });

  test("is private unless another mode is given, also in place of an open one", () => {
    const file = join(tempFolder(), "x");
    writeFileSync(file, "old", { mode: 0o644 });
    writeWhole(file, "new", REPLACE);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeWhole(file, "newer", { ...REPLACE, mode: 0o640 });
    expect([text(file), statSync(file).mode & 0o777]).toEqual(["newer", 0o640]);
  });

  test("may be empty, and may have the longest name there is", () => {
    const file = join(tempFolder(), "n".repeat(255));
    writeWhole(file, "", REFUSE);
    expect(text(file)).toBe("");
  });

  test("counts its bytes, can be read back before it has its name, and closes twice", () => {
    const folder = tempFolder();
    const file = new WholeFile(join(folder, "x"), REFUSE);
    file.write("äb");
    file.flush();
    expect([file.written, text(file.temporary), existsSync(join(folder, "x"))]).toEqual([3, "äb", false]);
    expect(file.moveIntoPlace()).toBe(join(folder, "x"));
    file.close();
    file.close();
    expect([text(join(folder, "x")), readdirSync(folder)]).toEqual(["äb", ["x"]]);
  });

  test("has its own temporary name, however many are written to one path at a time", () => {
    const file = join(tempFolder(), "x");
    const [first, second] = [new WholeFile(file, REPLACE), new WholeFile(file, REPLACE)];
    first.write("first");
    second.write("second");
    second.moveIntoPlace();
    first.moveIntoPlace();
    first.close();
    second.close();
    expect(text(file)).toBe("first");
  });
});

describe("an existing file", () => {
  test("is never overwritten if that is refused, even if it was created in the meantime", () => {
    const folder = tempFolder();
    const file = join(folder, "x");
    function* meanwhile() {
      yield "ours";
      writeFileSync(file, "theirs");
    }
    expect(() => writeWhole(file, meanwhile(), REFUSE)).toThrow(expect.objectContaining({ code: "EEXIST" }));
    expect([text(file), readdirSync(folder)]).toEqual(["theirs", ["x"]]);
  });

  test("sends the new one to the next free name", () => {
    const folder = tempFolder();
    const [a, b, c] = ["a", "b", "c"].map((name) => join(folder, name)) as [string, string, string];
    writeFileSync(a, "a");
    writeFileSync(b, "b");
    const file = new WholeFile(a, REFUSE);
    file.write("ours");
    expect(file.moveIntoPlace([a, b, c])).toBe(c);
    file.close();
    expect([a, b, c].map(text)).toEqual(["a", "b", "ours"]);
  });

  test("is kept even if it is a link to nothing", () => {
    const file = join(tempFolder(), "x");
    symlinkSync("nowhere", file);
    expect(() => writeWhole(file, "ours", REFUSE)).toThrow(expect.objectContaining({ code: "EEXIST" }));
  });
});

describe("a write that fails", () => {
  test("leaves the old file, or none, and throws what the pieces threw", () => {
    const folder = tempFolder();
    const file = join(folder, "x");
    function* failing() {
      yield "half";
      throw new Error("no more");
    }
    expect(() => writeWhole(file, failing(), REPLACE)).toThrow("no more");
    expect(readdirSync(folder)).toEqual([]);
    writeWhole(file, "old", REPLACE);
    expect(() => writeWhole(file, failing(), REPLACE)).toThrow("no more");
    expect([text(file), readdirSync(folder)]).toEqual(["old", ["x"]]);
  });

  test("says which step failed, in the words of the caller", () => {
    const folder = tempFolder();
    writeFileSync(join(folder, "file"), "");
    mkdirSync(join(folder, "folder"));
    const failure = (cause: unknown, step: string) => new Error(`${step}: ${(cause as { code: string }).code}`);
    const options = { existing: "replace", durable: false, failure } as const;
    expect(() => writeWhole(join(folder, "file", "x"), "", options)).toThrow("make-folder: EEXIST");
    expect(() => writeWhole(join(folder, "folder"), "", options)).toThrow(/^write: (EISDIR|ENOTEMPTY|EPERM)/);
    expect(readdirSync(folder).sort()).toEqual(["file", "folder"]);
  });

  test("by a kill leaves the old file, and beside it one with the mark of a process that is gone", () => {
    const folder = tempFolder();
    const file = join(folder, "x");
    writeFileSync(file, "old");
    const killed = fileURLToPath(new URL("../../../../test/support/killed-writer.mjs", import.meta.url));
    expect(spawnSync(process.execPath, [killed, file]).signal).toBe("SIGKILL");
    expect(text(file)).toBe("old");
    const left = readdirSync(folder).filter((name) => name !== "x");
    const mark = new RegExp(`^x\\.[0-9a-f]{8}\\.(${OWNER_MARK})\\.new$`).exec(left.join())?.[1] ?? "";
    expect(isLeftBehind(mark)).toBe(true);
  });
});
