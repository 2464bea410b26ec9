/** A first sync of many sessions with a git remote, which takes few commits: killed, and beside another machine. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bare, git, script } from "@bough/workbench/store/git/git-remote.test-support.js";
import { openStore } from "@bough/workbench/store/index.js";
import { expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.js";

const SESSIONS = 40;
const idOf = (n: number) => `5e551011-0000-4000-8000-${String(n).padStart(12, "0")}`;

function homeWith(cwd: string, numbers: readonly number[]): string {
  const home = tempFolder();
  const folder = join(home, "sessions", "project");
  mkdirSync(folder, { recursive: true });
  const at = "2026-01-01T00:00:00.000Z";
  for (const n of numbers) {
    const header = { type: "session", version: 3, id: idOf(n), timestamp: at, cwd };
    const message = { role: "user", content: `water tree ${n}`, timestamp: 1 };
    const entry = { type: "message", id: `entry${n}`, parentId: null, timestamp: at, message };
    const name = `2026-01-01T00-00-00-000Z_${idOf(n)}.jsonl`;
    writeFileSync(join(folder, name), `${JSON.stringify(header)}\n${JSON.stringify(entry)}\n`);
  }
  return home;
}

/** Syncs everything in another process. Its answer is missing if it was killed. */
async function synced({ home, cwd, remote }: { home: string; cwd: string; remote: string }, pidFile?: string) {
  const door = new URL("../../dist/store/index.js", import.meta.url).href;
  const program = `
    import { openStore, SyncStates, syncSessions } from ${JSON.stringify(door)};
    const [home, cwd, address] = process.argv.slice(1);
    const store = await openStore(address, { home });
    const progress = [];
    const onProgress = (done, total) => progress.push(done + "/" + total);
    const states = new SyncStates(home, address);
    const report = await syncSessions({ store, states, cwd, all: true, project: "shop", onProgress });
    const pushed = report.synced.map(({ sessionId, pushed }) => [sessionId, pushed]);
    console.log(JSON.stringify({ pushed, unchanged: report.unchanged, skipped: report.skipped, progress }));
    await store.close();`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, home, cwd, remote], {
    env: { ...process.env, BOUGH_HOME: home },
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (pidFile !== undefined) writeFileSync(pidFile, String(child.pid));
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const [, signal] = await once(child, "close");
  if (signal !== null) return signal as string;
  const { pushed, unchanged, skipped, progress } = JSON.parse(said);
  return { pushed, unchanged, skipped, progress } as {
    readonly pushed: readonly (readonly [string, number])[];
    readonly unchanged: number;
    readonly skipped: readonly unknown[];
    readonly progress: readonly string[];
  };
}

async function linesIn(remote: string): Promise<ReadonlyMap<string, number>> {
  const store = await openStore(remote, { home: tempFolder(), replica: { id: "0".repeat(16), name: "reader" } });
  try {
    const found = new Map<string, number>();
    for (const { id } of await store.list()) {
      let lines = 0;
      for await (const piece of store.pull(id)) lines += piece.lines.length;
      found.set(id, lines);
    }
    return found;
  } finally {
    await store.close();
  }
}

const all = Array.from({ length: SESSIONS }, (_, n) => n);

it("pushes the sessions of one machine with few commits, beside another machine that pushes some of them", async () => {
  const [remote, cwd] = [bare(), tempFolder()];
  const [laptop, desktop] = [homeWith(cwd, all), homeWith(cwd, all.slice(0, 10))];
  const [one, other] = await Promise.all([laptop, desktop].map((home) => synced({ home, cwd, remote })));
  if (typeof one !== "object" || typeof other !== "object") throw new Error("It was killed");
  expect([one.skipped, other.skipped]).toEqual([[], []]);
  const ids = one.pushed.map(([id]) => id);
  expect(ids).toEqual([...ids].sort().reverse());
  expect([one.progress[0], one.progress.at(-1)]).toEqual([`0/${SESSIONS}`, `${SESSIONS}/${SESSIONS}`]);
  expect(Number(git(remote, "rev-list", "--count", "--all"))).toBeLessThan(SESSIONS / 2);
  for (const home of [laptop, desktop, laptop]) await synced({ home, cwd, remote });
  expect(await synced({ home: desktop, cwd, remote })).toMatchObject({ pushed: [], unchanged: SESSIONS, skipped: [] });
  const stored = await linesIn(remote);
  expect(stored.size).toBe(SESSIONS);
});

it.each(["pre-receive", "post-receive"])(
  "loses and repeats nothing if it is killed at a remote's %s",
  async (moment) => {
    const [remote, cwd] = [bare(), tempFolder()];
    const home = homeWith(cwd, all);
    const pid = join(tempFolder(), "pid");
    script(join(remote, "hooks", moment), `cat >/dev/null; test -e '${pid}' && kill -9 "$(cat '${pid}')"; exit 0`);
    expect(await synced({ home, cwd, remote }, pid)).toBe("SIGKILL");
    writeFileSync(join(remote, "hooks", moment), "#!/bin/sh\n");
    expect(existsSync(pid)).toBe(true);
    expect(await synced({ home, cwd, remote })).toMatchObject({ skipped: [] });
    expect([...(await linesIn(remote)).values()]).toEqual(all.map(() => 2));
    expect(await synced({ home, cwd, remote })).toMatchObject({ pushed: [], unchanged: SESSIONS });
  },
);
