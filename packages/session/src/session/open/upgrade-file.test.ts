import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { breakFiles, mendFiles, systemError } from "../../../../../test/support/file-faults.js";
import { header, line } from "../../../../../test/support/session-lines.js";
import { takeIn } from "../../../../../test/support/take-in.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { SessionError, type SessionHeader } from "../../entry/index.js";
import { FileLog, ownerMark } from "../../log/index.js";
import { SessionManager } from "../session-manager.js";
import { upgradeFile, upgradeInMemory } from "./upgrade-file.js";

const OLD_HEADER = { type: "session", version: 2, id: "session-1", timestamp: "t", cwd: "/w" } as const;
const OLD = `${header(OLD_HEADER)}not JSON\n${line("a", null)}\n${line("b", "a", { message: { role: "hookMessage" } })}`;

function oldFile(bytes: string | Buffer = OLD): string {
  const path = join(tempFolder(), "session.jsonl");
  writeFileSync(path, bytes);
  return path;
}

const upgrade = (path: string) => upgradeFile(path, OLD_HEADER as SessionHeader);

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

describe("upgrading a file", () => {
  it("takes in what a program that had the old file open adds at the last moment", () => {
    const path = oldFile(`${OLD}\n`);
    const old = openSync(path, "a");
    breakFiles("renameSync", (real, args) => {
      const moved = (real as (...all: never[]) => void)(...(args as never[]));
      writeSync(old, `${line("late", "b", { message: { role: "hookMessage" } })}`);
      return moved;
    });
    const backup = upgrade(path);
    mendFiles();
    closeSync(old);
    expect(readFileSync(path, "utf8")).toContain('"id":"late"');
    expect(readFileSync(path, "utf8")).not.toContain("hookMessage");
    expect(readFileSync(backup, "utf8")).toContain('"id":"late"');
  });

  it("follows a link, keeps it, and puts the original beside the file", () => {
    const path = oldFile();
    const link = join(tempFolder(), "link.jsonl");
    symlinkSync(path, link);
    const session = SessionManager.open(link);
    expect(session.getUpgradeBackup()).toBe(`${realpathSync(path)}.v2.bak`);
    session.close();
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readdirSync(dirname(link))).toEqual(["link.jsonl"]);
  });

  it("waits for no program that has ended, and leaves nothing of its lock behind", () => {
    const path = oldFile();
    const name = createHash("sha256").update("session.jsonl").digest("hex").slice(0, 16);
    const mark = ownerMark().split("-");
    writeFileSync(join(dirname(path), `upgrade-${name}.1`), ["999999999", mark[1], mark[2]].join("-"));
    SessionManager.open(path).close();
    expect(readdirSync(dirname(path)).sort()).toEqual(["session.jsonl", "session.jsonl.v2.bak"]);
  });

  it("keeps the original beside it and changes only what is old", () => {
    const path = oldFile();
    const backup = upgrade(path);
    expect([backup, readFileSync(backup, "utf8"), readdirSync(dirname(path)).sort()]).toEqual([
      `${path}.v2.bak`,
      OLD,
      ["session.jsonl", "session.jsonl.v2.bak"],
    ]);
    expect(readFileSync(path, "utf8")).toBe(OLD.replace('"version":2', '"version":3').replace("hookMessage", "custom"));
  });

  it("makes the new file for the owner alone, whatever the mode of the old one", () => {
    const path = oldFile();
    chmodSync(path, 0o644);
    upgrade(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("never writes over an earlier original", () => {
    const path = oldFile();
    writeFileSync(`${path}.v2.bak`, "an earlier one");
    expect(upgrade(path)).toBe(`${path}.v2.bak.1`);
    expect(readFileSync(`${path}.v2.bak`, "utf8")).toBe("an earlier one");
  });

  it("keeps damaged lines, bytes that are not UTF-8, Windows line endings and a torn tail unchanged", () => {
    const parts = [Buffer.from(`${header(OLD_HEADER).trimEnd()}\r\n`), Buffer.from([0xff, 0xfe, 0x0a, 0, 0, 0x0a])];
    const latin = Buffer.from(line("a", null, { note: "\xe9" }), "latin1");
    const path = oldFile(Buffer.concat([...parts, latin, Buffer.from('{"type":"mess')]));
    const before = readFileSync(path);
    upgrade(path);
    const expected = Buffer.from(before.toString("latin1").replace('"version":2', '"version":3'), "latin1");
    expect(readFileSync(path).equals(expected)).toBe(true);
  });

  it("in memory gives the same lines and writes nothing", () => {
    const path = oldFile();
    const source = new FileLog(path, { access: "read" });
    const inMemory = takeIn(upgradeInMemory(source, OLD_HEADER as SessionHeader, "read"));
    source.close();
    expect([readdirSync(dirname(path)), readFileSync(path, "utf8")]).toEqual([["session.jsonl"], OLD]);
    upgrade(path);
    expect(inMemory).toEqual(readFileSync(path, "utf8").split("\n").slice(0, -1));
  });

  it("carries lines longer than any buffer", () => {
    const long = line("long", null, { note: "x".repeat(3 << 20) });
    const path = oldFile(`${header(OLD_HEADER)}${long}${line("b", "long")}`);
    upgrade(path);
    expect(readFileSync(path, "utf8")).toBe(`${header({ ...OLD_HEADER, version: 3 })}${long}${line("b", "long")}`);
  });
});

describe("an upgrade that goes wrong leaves the original where it was, and nothing beside it", () => {
  it.each([
    ["the disk is full", "writeSync", "ENOSPC"],
    ["the new file cannot be put in place", "renameSync", "EPERM"],
    ["the old file cannot be read", "readSync", "EIO"],
  ] as const)("because %s", (_, call, code) => {
    const path = oldFile();
    breakFiles(call, () => {
      throw systemError(code);
    });
    const error = thrownBy(() => upgrade(path));
    mendFiles();
    expect(error).toBeInstanceOf(SessionError);
    expect(readFileSync(path, "utf8")).toBe(OLD);
    expect(readdirSync(dirname(path))).toEqual(["session.jsonl"]);
  });

  it("because another program writes it meanwhile", () => {
    const path = oldFile();
    let grown = false;
    breakFiles("writeSync", (real, args) => {
      // The old file has been read by now, so this line was not upgraded with it.
      if (!grown) appendFileSync(path, line("late", null));
      grown = true;
      return (real as unknown as (...all: unknown[]) => number)(...args);
    });
    const error = thrownBy(() => upgrade(path));
    mendFiles();
    expect(error).toMatchObject({ code: "upgrade-failed", hint: "Another program is writing it; try again." });
    expect([readFileSync(path, "utf8"), readdirSync(dirname(path))]).toEqual([
      OLD + line("late", null),
      ["session.jsonl"],
    ]);
  });

  it("because the upgraded file could not be opened: the original stays", () => {
    const path = oldFile();
    const error = thrownBy(() =>
      upgradeFile(path, OLD_HEADER as SessionHeader, () => {
        throw new RangeError("Maximum call stack size exceeded");
      }),
    );
    expect(error).toMatchObject({ code: "upgrade-failed" });
    expect([readFileSync(path, "utf8"), readdirSync(dirname(path))]).toEqual([OLD, ["session.jsonl"]]);
  });
});

describe("upgrading a file with a cut line that is written again", () => {
  it("keeps every entry, and the upgraded file opens", () => {
    const cut = line("x", "a").slice(0, -10);
    const path = oldFile(
      [header(OLD_HEADER), line("a", null), cut, line("y", "a"), line("x", "a"), line("z", "x")].join(""),
    );
    const session = SessionManager.open(path);
    expect(session.getUpgradeBackup()).toBe(`${path}.v2.bak`);
    expect(new Set(session.getEntries().map(({ id }) => id))).toEqual(new Set(["a", "x", "y", "z"]));
    expect(session.getLeafId()).toBe("z");
    session.close();
  });
});
