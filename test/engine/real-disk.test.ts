/** Rule I7 on disks that are really full, and in folders that really refuse: real calls, real errors, real processes. */
import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { SessionManager } from "@bough/session/session/index.js";
import { afterEach, describe, expect, it } from "vitest";
import { support } from "../support/run-child.js";
import { hasSmallDisks, smallDisk } from "../support/small-disk.js";
import { tempFolder } from "../support/temp-folder.js";

function works(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const children: ChildProcessByStdio<Writable, Readable, null>[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) {
    const closed = once(child, "close");
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await closed;
    }
  }
});

interface Answer {
  readonly id?: string;
  readonly waiting: number;
  readonly error?: { readonly name: string; readonly code: string; readonly data: Record<string, unknown> };
}

/** A process that appends when told to; `limit` is the size in blocks of 1 KB that its files may have. */
async function writer(dir: string, limit?: number) {
  const command = `${limit === undefined ? "" : `ulimit -S -f ${limit}; `}exec "$0" "$@"`;
  const child = spawn("bash", ["-c", command, process.execPath, support("engine-full-disk.mjs"), dir], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await answers.next()).value ?? "null") as unknown;
  const { pid, file } = (await next()) as { pid: number; file: string };
  const order = async (act: string, argument?: string) => {
    child.stdin.write(`${JSON.stringify([act, argument])}\n`);
    return next();
  };
  return {
    pid,
    file,
    order,
    append: async (text: string) => (await order("append", text)) as Answer,
  };
}

type Writer = Awaited<ReturnType<typeof writer>>;

/** Appends until the disk takes no more; answers what it took and the error. */
async function fill(disk: Writer, text: string) {
  const written: string[] = [];
  for (;;) {
    const { id, error, waiting } = await disk.append(text);
    if (error !== undefined) return { written, error, waiting };
    written.push(id as string);
  }
}

/** From a full disk to one with room: nothing is lost, nothing stands twice, everything is in order. */
async function fillsAndRecovers(disk: Writer, { systemCode, makeRoom }: { systemCode: string; makeRoom: () => void }) {
  const { written, error, waiting } = await fill(disk, "x".repeat(1500));
  expect(written.length).toBeGreaterThan(10);
  const entryId = error.data.entryId as string;
  expect([error, waiting]).toMatchObject([
    { name: "SessionError", code: "disk-full", data: { systemCode, entryId: expect.any(String), waiting: 1 } },
    1,
  ]);
  expect(await disk.order("read", entryId)).toMatchObject({ id: entryId, parentId: written.at(-1) });
  const second = await disk.append("still full".repeat(1000));
  expect(second.error?.data).toMatchObject({ waiting: 2 });
  const secondId = second.error?.data.entryId as string;
  const inMemory = [...written, entryId, secondId];
  expect(await disk.order("ids")).toEqual(inMemory);

  makeRoom();
  const { id, waiting: left } = await disk.append("there is room");
  expect(left).toBe(0);
  await disk.order("close");
  const session = SessionManager.open(disk.file, undefined, { readOnly: true });
  const entries = session.getEntries();
  // A stump of the line that did not fit may stand in the file; it is named, and costs nothing.
  expect(entries.map((entry) => entry.id)).toEqual([...inMemory, id]);
  expect(session.getBranch().map((entry) => entry.id)).toEqual([...inMemory, id]);
  expect(entries.every(({ type }) => type === "message")).toBe(true);
  expect(session.getProblems().filter(({ code }) => code !== "unreadable-line")).toEqual([]);
  session.close();
}

const canRaise = works("prlimit", ["--version"]);

describe("a file that must not grow (ulimit)", () => {
  it.skipIf(!canRaise)(
    canRaise
      ? "is a full disk: the entries wait, and are written first and in order once it may grow again"
      : "NOT TESTED that waiting entries are written once the file may grow: prlimit of util-linux is missing",
    async () => {
      const disk = await writer(tempFolder(), 64);
      await fillsAndRecovers(disk, {
        systemCode: expect.stringMatching(/^(EFBIG|ENOSPC)$/) as unknown as string,
        makeRoom: () => execFileSync("prlimit", ["--pid", String(disk.pid), "--fsize=unlimited"]),
      });
    },
  );

  it("loses nothing that was acknowledged when the process is killed while entries wait", async () => {
    const disk = await writer(tempFolder(), 16);
    const { written } = await fill(disk, "y".repeat(700));
    const child = children[0] as (typeof children)[number];
    child.kill("SIGKILL");
    await once(child, "close");
    const session = SessionManager.open(disk.file);
    expect(session.getEntries().map(({ id }) => id)).toEqual(written);
    const added = session.appendMessage({ role: "user", content: "goes on", timestamp: 1 });
    expect(session.getBranch(added).map(({ id }) => id)).toEqual([...written, added]);
    session.close();
  });
});

describe("a disk of 64 KB", () => {
  it.skipIf(!hasSmallDisks)(
    hasSmallDisks
      ? "that is full: the entries wait, and are written first and in order once there is room"
      : "NOT TESTED: a disk that is really full needs root and leave to mount a tmpfs",
    async () => {
      const folder = smallDisk("64k");
      const ballast = join(folder, "ballast");
      writeFileSync(ballast, Buffer.alloc(24 << 10));
      const disk = await writer(join(folder, "sessions"));
      await fillsAndRecovers(disk, { systemCode: "ENOSPC", makeRoom: () => rmSync(ballast) });
    },
  );

  it.skipIf(!hasSmallDisks)(
    hasSmallDisks
      ? "that is full before the first entry: the session starts when there is room"
      : "NOT TESTED: a session that starts on a full disk needs root and leave to mount a tmpfs",
    async () => {
      const folder = smallDisk("64k");
      const ballast = join(folder, "ballast");
      // As much as fits: the disk says when that is.
      expect(() => writeFileSync(ballast, Buffer.alloc(256 << 10))).toThrow(
        expect.objectContaining({ code: "ENOSPC" }),
      );
      const disk = await writer(folder);
      const { error } = await disk.append("first");
      expect(error).toMatchObject({ name: "SessionError", code: "disk-full", data: { waiting: 1 } });
      rmSync(ballast);
      const { id } = await disk.append("second");
      await disk.order("close");
      const session = SessionManager.open(disk.file, undefined, { readOnly: true });
      expect([session.getEntries().map((entry) => entry.id), session.getReadOnlyReason()?.kind]).toEqual([
        [error?.data.entryId, id],
        "asked",
      ]);
      session.close();
      expect(readdirSync(folder).filter((name) => name !== "ballast").length).toBe(1);
    },
  );
});
