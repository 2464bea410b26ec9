/** When the disk is flushed (`durability`), and what happens if that fails. */
import { execFileSync } from "node:child_process";
import { closeSync, fstatSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { breakFiles, mendFiles, systemError } from "../support/file-faults.js";
import { user } from "../support/messages.js";
import { fastFolder } from "../support/temp-folder.js";
import { tree } from "../support/tree-notation.js";

type Callback = (error: Error | null) => void;

/** Records every flush, and completes it when told to. */
function watchedDisk() {
  const asked: { readonly how: "blocking" | "background"; readonly fd: number }[] = [];
  const answers: ((error?: Error) => void)[] = [];
  breakFiles("fdatasyncSync", (_, [fd]) => {
    asked.push({ how: "blocking", fd: fd as number });
  });
  breakFiles("fdatasync", (_, [fd, done]) => {
    asked.push({ how: "background", fd: fd as number });
    answers.push((error) => (done as Callback)(error ?? null));
  });
  const answer = (error?: Error) => answers.shift()?.(error);
  return { asked, answers, answer, how: () => asked.map(({ how }) => how) };
}

function failingDisk(): void {
  breakFiles("fdatasync", (_, [, done]) => setImmediate(done as Callback, systemError("EIO")));
}

const session = (durability?: "none" | "turn" | "fsync") =>
  tree("a-b", { dir: fastFolder(), options: durability === undefined ? {} : { durability } });

/** Until everything that is ready has run. */
const settled = () => new Promise<void>((done) => setImmediate(() => setImmediate(done)));

describe("when the disk is asked", () => {
  it("is at flush, in the background, and at close where something is left", async () => {
    const disk = watchedDisk();
    const one = session();
    const flushed = one.flush();
    expect(disk.how()).toEqual(["background"]);
    disk.answer();
    await flushed;
    await one.flush();
    expect(disk.how()).toEqual(["background"]);
    one.appendMessage(user("c"));
    one.close();
    expect(disk.how()).toEqual(["background", "blocking"]);
  });

  it("is never with none, except where sync says so", async () => {
    const disk = watchedDisk();
    const one = session("none");
    await one.flush();
    expect(disk.how()).toEqual([]);
    one.sync();
    expect(disk.how()).toEqual(["blocking"]);
    one.appendMessage(user("c"));
    one.close();
    expect(disk.how()).toEqual(["blocking"]);
    const again = SessionManager.open(one.getSessionFile() as string, undefined, { readOnly: true });
    expect(again.getBranch()).toHaveLength(3);
    again.close();
  });

  it("is before every append returns with fsync, and not again at flush and close", async () => {
    const disk = watchedDisk();
    const one = session("fsync");
    expect(disk.how()).toEqual(["blocking", "blocking"]);
    await one.flush();
    one.close();
    expect(disk.how()).toEqual(["blocking", "blocking"]);
  });

  it("is not in memory, and not for a session that is closed or only read", async () => {
    const disk = watchedDisk();
    await tree("a-b").flush();
    const one = session();
    one.close();
    await one.flush();
    const reader = SessionManager.open(one.getSessionFile() as string, undefined, { readOnly: true });
    await reader.flush();
    reader.close();
    expect(disk.how()).toEqual(["blocking"]);
  });
});

describe("a flush", () => {
  it("lets other work go on while the disk is busy", async () => {
    const disk = watchedDisk();
    const one = session();
    const events: string[] = [];
    const flushed = one.flush().then(() => events.push("flushed"));
    await settled();
    events.push("other work");
    disk.answer();
    await flushed;
    expect(events).toEqual(["other work", "flushed"]);
    one.close();
  });

  it("covers what was appended before it, and asks again for what came while the disk was busy", async () => {
    const disk = watchedDisk();
    const one = session();
    const [first, shared] = [one.flush(), one.flush()];
    expect(disk.asked).toHaveLength(1);
    one.appendMessage(user("c"));
    const second = one.flush();
    disk.answer();
    await Promise.all([first, shared]);
    expect(disk.asked).toHaveLength(2);
    disk.answer();
    await second;
    await one.flush();
    expect(disk.asked).toHaveLength(2);
    one.close();
  });

  it("of two hundred sessions leaves threads for other work: the disk is asked about a few at a time", async () => {
    const disk = watchedDisk();
    const sessions = Array.from({ length: 200 }, () => session());
    const flushed = Promise.all(sessions.map((one) => one.flush()));
    let most = 0;
    for (let i = 0; i < 200; i++) {
      most = Math.max(most, disk.answers.length);
      disk.answer();
      await settled();
    }
    await flushed;
    expect([most, disk.asked.length]).toEqual([2, 200]);
    for (const one of sessions) one.close();
  });

  it("does not lose its descriptor to close: it is closed when the disk has answered", async () => {
    const disk = watchedDisk();
    const one = session();
    const flushed = one.flush();
    const fd = disk.asked[0]?.fd as number;
    one.close();
    expect(fstatSync(fd).isFile()).toBe(true);
    disk.answer();
    await flushed;
    expect(() => closeSync(fd)).toThrow(expect.objectContaining({ code: "EBADF" }));
  });

  it("writes what waits first", async () => {
    const one = session();
    breakFiles("writeSync", () => {
      throw systemError("ENOSPC");
    });
    expect(() => one.appendMessage(user("c"))).toThrow(expect.objectContaining({ code: "disk-full" }));
    await expect(one.flush()).rejects.toMatchObject({ name: "SessionError", code: "disk-full" });
    mendFiles();
    await one.flush();
    expect([
      one.getWaitingCount(),
      readFileSync(one.getSessionFile() as string, "utf8").includes('"content":"c"'),
    ]).toEqual([0, true]);
    one.close();
  });
});

describe("a disk that fails in the background", () => {
  it("is a typed error of the flush that waited, and of nothing after it", async () => {
    const one = session();
    failingDisk();
    await expect(one.flush()).rejects.toMatchObject({
      name: "SessionError",
      code: "write-failed",
      data: { systemCode: "EIO" },
    });
    mendFiles();
    one.appendMessage(user("c"));
    await one.flush();
    one.close();
  });

  it.each(["append", "flush", "sync", "close"] as const)(
    "is told by the next %s where nothing waited, once",
    async (next) => {
      const one = session();
      failingDisk();
      void one.flush();
      await settled();
      await settled();
      mendFiles();
      const act = async () => {
        if (next === "append") one.appendMessage(user("c"));
        else await one[next]();
      };
      await expect(act()).rejects.toMatchObject({ name: "SessionError", code: "write-failed" });
      if (next === "close") return;
      one.appendMessage(user("d"));
      await one.flush();
      one.close();
      const again = SessionManager.open(one.getSessionFile() as string, undefined, { readOnly: true });
      expect(again.getBranch()).toHaveLength(next === "append" ? 4 : 3);
      again.close();
    },
  );

  it("keeps the entry whose append told it, and writes it with the next", async () => {
    const one = session();
    failingDisk();
    void one.flush();
    await settled();
    await settled();
    mendFiles();
    expect(() => one.appendMessage(user("c"))).toThrow(
      expect.objectContaining({ data: expect.objectContaining({ waiting: 1 }) }),
    );
    expect([one.getLeafId(), one.getWaitingCount()]).toEqual(["n1", 1]);
    one.appendMessage(user("d"));
    expect([one.getBranch().map(({ id }) => id), one.getWaitingCount()]).toEqual([["a", "b", "n1", "n2"], 0]);
    one.close();
  });

  it("never ends the process: a failure that nothing waits for is not an unhandled rejection", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    const one = session();
    failingDisk();
    void one.flush();
    await settled();
    await settled();
    process.off("unhandledRejection", note);
    mendFiles();
    expect(unhandled).toEqual([]);
    expect(() => one.close()).toThrow(expect.objectContaining({ code: "write-failed" }));
  });
});

describe("a process that ends", () => {
  const engine = fileURLToPath(new URL("../../dist/session/index.js", import.meta.url));
  const script = (end: string) => `
    import { SessionManager } from ${JSON.stringify(engine)};
    const session = SessionManager.create("/w", process.argv[1]);
    session.appendMessage({ role: "user", content: "a", timestamp: 1 });
    session.flush().then(() => console.log("flushed"));
    ${end}
    console.log(session.getSessionFile());`;
  const run = (end: string) =>
    execFileSync(process.execPath, ["--input-type=module", "-e", script(end), fastFolder()], { encoding: "utf8" });

  it.each([
    ["by itself has flushed first", ""],
    ["after close has flushed too", "session.close();"],
  ])("%s", (_, end) => {
    const [file, flushed] = run(end).trim().split("\n");
    expect(flushed).toBe("flushed");
    expect(
      readFileSync(file as string, "utf8")
        .trim()
        .split("\n"),
    ).toHaveLength(2);
  });

  it("at once has lost nothing that was acknowledged", () => {
    const file = run("console.log(session.getSessionFile()); process.exit(0);").trim().split("\n")[0] as string;
    expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(2);
  });
});
