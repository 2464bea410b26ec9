import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ExportError } from "@bough/session/entry/index.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { exportFailure } from "./export-failure.js";
import { streamExportFile } from "./export-file.js";
import type { ExportTarget } from "./export-target.js";

async function* later(pieces: readonly (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  for (const piece of pieces) yield piece;
}

/** The message of the failure. */
async function reasonOf(target: ExportTarget): Promise<string> {
  try {
    await streamExportFile(target, later(["words"]));
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    expect(error).toMatchObject({ code: "export-failed", data: { file: target.file } });
    expect(error.hint).toBeDefined();
    return error.message.replace(target.file, "FILE");
  }
  return "written";
}

describe("a file to share", () => {
  test("holds every piece, is private, and is alone in its folder", async () => {
    const folder = join(tempFolder(), "deep", "er");
    const long = "ü".repeat(1_500_000);
    const pieces = later(["one ", long, Buffer.from(" two")]);
    const bytes = await streamExportFile({ file: join(folder, "a"), existing: "refuse" }, pieces);
    expect(readFileSync(join(folder, "a"), "utf8")).toBe(`one ${long} two`);
    expect([bytes, statSync(join(folder, "a")).mode & 0o777]).toEqual([3_000_008, 0o600]);
    expect(await streamExportFile({ file: join(folder, "b"), existing: "refuse" }, later(["x", "y"]))).toBe(2);
    expect(readdirSync(folder)).toEqual(["a", "b"]);
  });

  test("is not written if its pieces throw, and their error is passed on", async () => {
    const folder = tempFolder();
    const failing = async function* () {
      yield "half";
      throw new Error("no more");
    };
    await expect(streamExportFile({ file: join(folder, "x"), existing: "refuse" }, failing())).rejects.toThrow(
      "no more",
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  test("replaces a file only if asked to, even one created in the meantime", async () => {
    const folder = tempFolder();
    const file = join(folder, "x");
    async function* meanwhile() {
      yield "ours";
      writeFileSync(file, "theirs");
    }
    await expect(streamExportFile({ file, existing: "refuse" }, meanwhile())).rejects.toThrow(
      "the file already exists",
    );
    expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual(["theirs", ["x"]]);
    await streamExportFile({ file, existing: "replace" }, later(["ours"]));
    expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual(["ours", ["x"]]);
  });

  test("may have the longest possible name", async () => {
    const file = join(tempFolder(), `${"n".repeat(250)}.html`);
    await streamExportFile({ file, existing: "refuse" }, later(["words"]));
    expect(existsSync(file)).toBe(true);
  });
});

describe("a target that cannot be written", () => {
  test("is reported in a sentence, and nothing is left behind", async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, "file"), "mine");
    mkdirSync(join(folder, "folder"));
    symlinkSync("ring", join(folder, "ring"));
    const reason = (...names: string[]) => reasonOf({ file: join(folder, ...names), existing: "replace" });
    expect([
      await reason("file", "x.html"),
      await reason("file", "below", "x.html"),
      await reason("folder"),
      await reason("n".repeat(300)),
      await reason("ring", "x.html"),
    ]).toEqual([
      "FILE was not written: a part of its path is a file, not a folder",
      "FILE was not written: a part of its path is a file, not a folder",
      "FILE was not written: there is a folder with this name",
      "FILE was not written: its name is too long",
      "FILE was not written: too many levels of symbolic links",
    ]);
    expect(readdirSync(folder).sort()).toEqual(["file", "folder", "ring"]);
    expect(readdirSync(join(folder, "folder"))).toEqual([]);
  });

  test.skipIf(!existsSync("/proc/self"))("is also a folder of the system that makes its own files", async () => {
    expect(await reasonOf({ file: "/proc/x.html", existing: "refuse" })).toBe(
      "FILE was not written: its folder does not accept new files",
    );
    expect(await reasonOf({ file: "/proc/made/x.html", existing: "refuse" })).toBe(
      "FILE was not written: its folder cannot be created",
    );
  });

  test("can be a pipe, a device, or a link to one, whatever was asked for", async () => {
    const folder = tempFolder();
    const [pipe, link] = [join(folder, "pipe"), join(folder, "link")];
    execFileSync("mkfifo", [pipe]);
    symlinkSync(pipe, link);
    for (const file of [pipe, link]) {
      expect(await reasonOf({ file, existing: "replace" })).toBe(
        "FILE was not written: it is a device, a pipe or a socket",
      );
    }
    expect([lstatSync(pipe).isFIFO(), lstatSync(link).isSymbolicLink()]).toEqual([true, true]);
  });

  test.each([
    ["EACCES", "the folder is not writable"],
    ["EROFS", "the file system is read-only"],
    ["ENOSPC", "no space left on the disk"],
    ["ESOMETHING", "system error ESOMETHING"],
  ])("says it in words where the system says %s", (code, reason) => {
    const cause = Object.assign(new Error(`${code}: raw words, open '/x/y'`), { code });
    expect(exportFailure("/x/y", { step: "write", cause }).message).toBe(`/x/y was not written: ${reason}`);
  });
});
