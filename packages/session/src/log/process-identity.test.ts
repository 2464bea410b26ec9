import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it, vi } from "vitest";
import { isAlive, isCheckable, processIdentity } from "./process-identity.js";

const linux = process.platform === "linux";
const children: ChildProcess[] = [];

afterEach(() => {
  vi.restoreAllMocks();
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** A process that waits until it is killed. */
async function start(): Promise<ChildProcess & { readonly pid: number }> {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume(); console.log('up')"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  await once(child.stdout as NodeJS.ReadableStream, "data");
  return child as ChildProcess & { readonly pid: number };
}

describe("the identity of a process", () => {
  it("is alive for this process and for a running child", async () => {
    const child = await start();
    expect([processIdentity(), processIdentity(child.pid)].map(isAlive)).toEqual([true, true]);
  });

  it("stays the same for as long as the process runs", () => {
    expect(processIdentity()).toEqual(processIdentity(process.pid));
  });

  it("is dead after the process was killed", async () => {
    const child = await start();
    const identity = processIdentity(child.pid);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(isAlive(identity)).toBe(false);
  });

  it("goes by the pid alone where no start was recorded", async () => {
    const child = await start();
    expect(isAlive({ pid: child.pid })).toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(isAlive({ pid: child.pid })).toBe(false);
  });

  it.skipIf(process.platform === "win32")("goes by the pid alone on systems that tell no start", async () => {
    const child = await start();
    const { platform } = process;
    Object.defineProperty(process, "platform", { value: "darwin" });
    try {
      const identity = processIdentity(child.pid);
      expect(identity).toEqual({ pid: child.pid });
      expect([isCheckable(identity), isAlive(identity)]).toEqual([true, true]);
      child.kill("SIGKILL");
      await once(child, "exit");
      expect(isAlive(identity)).toBe(false);
    } finally {
      Object.defineProperty(process, "platform", { value: platform });
    }
  });

  it("is alive when the system forbids to signal it and tells nothing more", () => {
    vi.spyOn(process, "kill").mockImplementation(() => {
      throw Object.assign(new Error("kill EPERM"), { code: "EPERM" });
    });
    // No system assigns this pid, so only the answer to the signal can be known.
    expect(isAlive({ pid: 0x7fffffff })).toBe(true);
  });

  it.runIf(linux)("is dead when its pid now belongs to a process with another start", () => {
    const [boot] = processIdentity().start?.split(":") ?? [];
    expect(isAlive({ pid: process.pid, start: `${boot}:1` })).toBe(false);
  });

  it.runIf(linux)("is dead when it comes from before the last boot, whatever its pid space", () => {
    const { start, ...own } = processIdentity();
    const earlier = { ...own, start: `00000000-0000-0000-0000-000000000000:${start?.split(":")[1]}`, space: "pid:[1]" };
    expect([isCheckable(earlier), isAlive(earlier)]).toEqual([true, false]);
  });

  it.runIf(linux)("is out of sight when its pid counts in another space", () => {
    const own = processIdentity();
    expect([isCheckable(own), isCheckable({ ...own, space: "pid:[1]" })]).toEqual([true, false]);
  });

  it.runIf(linux)("reads the start of a program whose name looks like the fields after it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "bough-identity-"));
    try {
      const name = "a) Z 1 (b";
      // Not Node itself, which renames itself since version 24.
      symlinkSync("/bin/sleep", join(folder, name));
      const child = spawn(join(folder, name), ["600"]);
      children.push(child);
      await once(child, "spawn");
      const [before, after] = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(`(${name})`);
      const identity = processIdentity(child.pid as number);
      expect(before).toBe(`${child.pid} `);
      expect(identity.start?.split(":")[1]).toBe(after?.split(" ")[20]);
      expect(isAlive(identity)).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.runIf(linux)("is dead when it was killed and its parent has not noticed", async () => {
    // The shell becomes a program that never waits for the child it inherits.
    const parent = spawn("sh", ["-c", "cat <&3 & echo $!; exec sleep 600 3<&-"], {
      stdio: ["ignore", "pipe", "inherit", "pipe"],
    });
    children.push(parent);
    const [line] = await once(createInterface({ input: parent.stdout as NodeJS.ReadableStream }), "line");
    const identity = processIdentity(Number(line));
    expect(isAlive(identity)).toBe(true);
    // The shell itself would notice.
    await vi.waitFor(() => expect(readFileSync(`/proc/${parent.pid}/comm`, "utf8").trim()).toBe("sleep"), {
      timeout: 60_000,
    });
    process.kill(identity.pid, "SIGKILL");
    await vi.waitFor(() => expect(isAlive(identity)).toBe(false), { timeout: 60_000 });
    expect(process.kill(identity.pid, 0)).toBe(true);
  });
});
