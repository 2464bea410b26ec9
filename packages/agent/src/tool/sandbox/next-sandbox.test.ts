import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setImmediate as nextRound } from "node:timers/promises";
import { isInside } from "@bough/session/log/index.js";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { afterTest } from "../../../../../test/support/after-test.js";
import { hostSockets } from "./host-sockets.js";
import { linuxEngine } from "./linux-engine.js";
import { openSandboxWith } from "./open-sandbox.js";
import { closedFolder, type Ran, runLine, whyNot } from "./sandbox-place.test-support.js";

const why = process.platform === "linux" ? await whyNot() : " (for Linux)";

/** A project and what runs commands in it, after one that has prepared the sandbox of the next. */
async function place(denyRead: readonly string[] = []) {
  const base = closedFolder();
  const cwd = join(base, "project");
  execFileSync("git", ["init", "-q", cwd]);
  writeFileSync(join(cwd, "secret.env"), "denied\n");
  const home = join(base, "home");
  const paths = () => ({ write: [], denyWrite: [], denyRead: [...denyRead] });
  // Sockets of other tests come and go.
  const sockets = (known: readonly string[]) => hostSockets(known).filter((path) => isInside(base, path));
  const options = { cwd, home, paths, allowHost: async () => false };
  const sandbox = openSandboxWith(options, { find: (where) => linuxEngine(where), sockets });
  afterTest(() => sandbox.close());
  const run = async (command: string, env?: NodeJS.ProcessEnv) => {
    const ran = await runLine(command, { cwd, sandbox, prepared: true, ...(env === undefined ? {} : { env }) });
    await nextRound();
    return ran;
  };
  const result = ({ wasPrepared, output }: Ran) => [wasPrepared, output];
  expect((await run("true")).wasPrepared).toBe(false);
  return { base, cwd, sandbox, run, result };
}

/** Processes that work in this folder. */
const processesIn = (cwd: string) =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === cwd;
    } catch {
      return false;
    }
  });

describe.skipIf(why !== "")(`the sandbox of the next command${why}`, () => {
  beforeEach(() => void vi.stubEnv("TMPDIR", "/tmp"));

  test("a command sees the same in a sandbox that was prepared as in one that was not", async () => {
    const { cwd, run, sandbox } = await place();
    const command = [
      "env | grep -v ^_= | LC_ALL=C sort",
      "pwd; umask; ulimit -a; ls /proc/self/fd; cat; readlink /proc/self/fd/0",
      "grep -E '^(Sig|Shd|Cap|NoNewPrivs|Uid|Gid)' /proc/self/status; trap; echo $$ $- $# $0; ps -o pid,args; ls /dev; cat /proc/mounts | wc -l",
    ].join("; ");
    const env = { ...process.env, "odd.name": "a 'b'\n$c", EMPTY: "", BASH_ENV: "", "-x": "y" };
    const [first, second] = [await run(command, env), await run(command, { ...env, MORE: "1" })];
    const anew = await runLine(command, { cwd, sandbox, env });
    const plain = (output: string) => output.replace(/^(?:MORE=1|.*socat.*|.*ps -o.*)\n/gm, "");
    expect([first.wasPrepared, second.wasPrepared, anew.wasPrepared]).toEqual([true, true, false]);
    expect(second.output).toContain("MORE=1\n");
    expect(plain(first.output)).toBe(plain(anew.output));
    expect(plain(second.output)).toBe(plain(anew.output));
  });

  test("it ends with the command's code, and keeps the command from the same", async () => {
    const { base, cwd, run } = await place();
    const { code, output, blocked, wasPrepared } = await run(
      `echo x > a; echo x > .envrc; echo x > .git/hooks/pre-commit; echo x > ${base}/out 2>/dev/null; exit 7`,
    );
    expect([wasPrepared, code, output.includes("Read-only file system"), readdirSync(base)]).toEqual([
      ...[true, 7, true],
      ["project"].concat(blocked.some(({ kind }) => kind === "moved") ? ["home"] : []).sort(),
    ]);
    expect([readdirSync(cwd).sort(), blocked.filter(({ kind }) => kind === "moved").length]).toEqual([
      [".git", "a", "secret.env"],
      1,
    ]);
  });

  test("it is not used once something else is at a path that it closes or hides", async () => {
    const { cwd, run, result } = await place();
    expect(result(await run("echo 1"))).toEqual([true, "1\n"]);
    // As git itself writes it: another file takes the name, and the cover is gone.
    const config = join(cwd, ".git/config");
    writeFileSync(`${config}.lock`, readFileSync(config));
    renameSync(`${config}.lock`, config);
    expect(result(await run("echo x >> .git/config; echo 2"))).toEqual([
      false,
      expect.stringMatching(/Read-only file system\n2\n$/),
    ]);
    expect(result(await run("echo 3"))).toEqual([true, "3\n"]);
    mkdirSync(join(cwd, ".vscode"));
    expect((await run("echo x > .vscode/tasks.json")).wasPrepared).toBe(false);
    expect(readdirSync(join(cwd, ".vscode"))).toEqual([]);
    expect(result(await run("echo 4"))).toEqual([true, "4\n"]);
    renameSync(join(cwd, ".vscode"), join(cwd, "v"));
    mkdirSync(join(cwd, ".vscode"));
    expect((await run("echo x > .vscode/tasks.json")).wasPrepared).toBe(false);
    expect(readdirSync(join(cwd, ".vscode"))).toEqual([]);
    const server = createServer().listen(join(cwd, "socket"));
    afterTest(() => void server.close());
    await once(server, "listening");
    expect(result(await run("[ -S socket ] || echo hidden"))).toEqual([false, "hidden\n"]);
    server.close();
    await once(server, "close");
    expect(result(await run("[ -e socket ] || echo gone"))).toEqual([true, "gone\n"]);
  });

  test("what a rule denies meanwhile is denied", async () => {
    const rules: string[] = [];
    const { cwd, run, result } = await place(rules);
    expect(result(await run("echo 1"))).toEqual([true, "1\n"]);
    expect(result(await run("cat secret.env"))).toEqual([true, "denied\n"]);
    rules.push(join(cwd, "*.env"));
    expect(result(await run("cat secret.env || true"))).toEqual([false, expect.stringContaining("Permission denied")]);
    writeFileSync(join(cwd, "other.env"), "denied\n");
    expect(result(await run("cat other.env || true"))).toEqual([false, expect.stringContaining("Permission denied")]);
  });

  test("it is stopped with its children, and nothing waits once the sandbox is closed", async () => {
    const { cwd, sandbox, run, result } = await place();
    expect(result(await run("sleep 600 & echo left"))).toEqual([true, "left\n"]);
    await vi.waitFor(() => expect(processesIn(cwd)).not.toEqual([]));
    await sandbox.close();
    expect(processesIn(cwd)).toEqual([]);
  });
});
