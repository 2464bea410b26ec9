/** Projects, systems and commands that are unusual: each command runs inside, or says in a sentence why not. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shellWord } from "@bough/session/text/index.js";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { afterTest } from "../../../../../test/support/after-test.js";
import { isOnPath } from "../../../../../test/support/missing-tools.js";
import { sampledRuns } from "../../../../../test/support/sampled.js";
import { commandShell } from "../process/command-shell.js";
import { insideWords } from "./bubblewrap.js";
import { linuxEngine } from "./linux-engine.js";
import { openSandboxWith } from "./open-sandbox.js";
import { ProtectedPlaces } from "./protected-places.js";
import type { OpenSandboxOptions } from "./sandbox.js";
import { closedFolder, type RunOptions, runLine, testSandbox, whyNot } from "./sandbox-place.test-support.js";

const why = await whyNot();

/** Runs a command in this folder, in a sandbox of its own. */
async function inside(
  cwd: string,
  command: string,
  { onStart, ...options }: Partial<OpenSandboxOptions> & Pick<RunOptions, "onStart"> = {},
) {
  const home = join(closedFolder(), "home");
  const sandbox = testSandbox({ cwd, home, allowHost: async () => false, ...options });
  expect(await sandbox.ready()).toEqual({ kind: "on" });
  return runLine(command, { cwd, sandbox, onStart });
}

const project = (base: string) => {
  const cwd = join(base, "project");
  mkdirSync(cwd);
  return cwd;
};
const denied = (...patterns: string[]): Partial<OpenSandboxOptions> => ({
  paths: () => ({ write: [], denyWrite: [], denyRead: patterns }),
});

describe.skipIf(why !== "")(`in the sandbox${why}`, () => {
  beforeEach(() => void vi.stubEnv("TMPDIR", "/tmp"));

  test("a project that is a link is the folder it leads to", async () => {
    const base = closedFolder();
    const cwd = project(base);
    symlinkSync("project", join(base, "link"));
    const { code, blocked } = await inside(join(base, "link"), "echo x > a; echo x > .envrc");
    expect([code, readdirSync(cwd), blocked.map(({ what }) => what)]).toEqual([0, ["a"], [join(cwd, ".envrc")]]);
  });

  test("the path of a project can be almost as long as the system allows", async () => {
    const base = closedFolder();
    let cwd = base;
    while (cwd.length < 3800) cwd = join(cwd, "d".repeat(Math.min(200, 3900 - cwd.length)));
    mkdirSync(cwd, { recursive: true });
    const { code, output } = await inside(cwd, "echo here > a; cat a");
    expect([code, output, existsSync(join(cwd, "a"))]).toEqual([0, "here\n", true]);
  });

  const isOtherDisk = existsSync("/dev/shm") && statSync("/dev/shm").dev !== statSync(closedFolder()).dev;
  test.skipIf(!isOtherDisk)("what decides what runs is moved away also from another disk", async () => {
    const cwd = mkdtempSync("/dev/shm/bough-test-");
    afterTest(() => rmSync(cwd, { recursive: true, force: true }));
    const { blocked } = await inside(cwd, "echo x > a; mkdir .vscode; echo x > .vscode/tasks.json");
    expect([readdirSync(cwd), blocked.map(({ movedTo = "" }) => existsSync(join(movedTo, "tasks.json")))]).toEqual([
      ["a"],
      [true],
    ]);
  });

  test("without a folder of its own that it can write, Bough moves it to a name that decides nothing", async () => {
    const base = closedFolder();
    const cwd = project(base);
    writeFileSync(join(base, "file"), "");
    const { blocked } = await inside(cwd, "echo x > .envrc", { home: join(base, "file", "home") });
    const [name = ""] = readdirSync(cwd);
    expect([name, blocked]).toEqual([
      expect.stringMatching(/^moved-by-bough-.*-envrc$/),
      [{ kind: "moved", what: join(cwd, ".envrc"), certain: true, movedTo: join(cwd, name) }],
    ]);
  });

  test("a rule with a wildcard is kept among very many files", { timeout: 300_000 }, async () => {
    const cwd = project(closedFolder());
    const folders = sampledRuns({ all: 1000, some: 40 });
    for (let at = 0; at < folders; at++) {
      mkdirSync(join(cwd, `d${at}`));
      for (let file = 0; file < 100; file++) writeFileSync(join(cwd, `d${at}`, `f${file}.txt`), "denied\n");
    }
    writeFileSync(join(cwd, "a.pem"), "denied\n");
    const one = await inside(cwd, "ls | wc -l; cat a.pem", denied(`${cwd}/**/*.pem`));
    expect([one.code, one.output]).toEqual([1, expect.stringMatching(/^\s*\d+\n.*a\.pem.*denied\n$/)]);
    const all = await inside(cwd, "cat d*/*.txt; ls d1", denied(`${cwd}/**/*.txt`)).catch(String);
    expect(typeof all === "string" ? all : all.output).not.toMatch(/^denied$/m);
    expect(typeof all === "string" ? all : "hidden").toMatch(
      /^hidden$|Let (?:the rule deny a folder|rules deny folders)/,
    );
  });

  test("a command that makes very many folders cannot hide in them what decides what runs", async () => {
    const cwd = project(closedFolder());
    const places = new ProtectedPlaces(cwd, 5);
    const before = places.now();
    execFileSync("bash", ["-c", "mkdir -p {1..20}/x/y; echo x > 20/x/y/.envrc"], { cwd });
    expect(before.isComplete).toBe(true);
    expect([...places.after(before, []).closed.keys()]).toEqual([join(cwd, "20/x/y/.envrc")]);
  });

  test("a command that changes its limits ends as it does outside, and leaves nothing", async () => {
    const cwd = project(closedFolder());
    const command = "ulimit -n 4; ulimit -f 0; echo limited; echo x > a; echo $?";
    const { code, output } = await runLine(command, { cwd });
    rmSync(join(cwd, "a"), { force: true });
    const ran = await inside(cwd, command);
    expect([ran.code, ran.output, ran.blocked]).toEqual([code, output, []]);
  });

  test.skipIf(!isOnPath("curl"))(
    "a command that kills everything it sees has no network left, and goes on",
    async () => {
      const cwd = project(closedFolder());
      const { code, output } = await inside(
        cwd,
        'kill -KILL -1; curl -sS http://example.com/ 2>/dev/null || echo "no network"',
        { allowHost: async () => true },
      );
      expect([code, output]).toEqual([0, "no network\n"]);
    },
  );

  test.skipIf(!isOnPath("curl"))(
    "a proxy of the user's own that dies in the middle is an error, not a way out",
    async () => {
      const cwd = project(closedFolder());
      const proxy = createServer((request) => request.socket.destroy());
      proxy.on("connect", (_request, socket) => socket.destroy());
      proxy.listen(0, "127.0.0.1");
      await once(proxy, "listening");
      afterTest(() => void proxy.close());
      const { port } = proxy.address() as AddressInfo;
      for (const name of ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"]) {
        vi.stubEnv(name, `http://127.0.0.1:${port}`);
      }
      for (const name of ["NO_PROXY", "no_proxy"]) vi.stubEnv(name, undefined);
      const allowHost = async ({ host }: { host: string }) => host === "registry.example";
      const { output } = await inside(
        cwd,
        `for url in http://registry.example/ https://registry.example/; do curl -s -o /dev/null -w '%{http_code} %{http_connect}\\n' $url; done`,
        { allowHost },
      );
      expect(output).toBe("502 000\n000 502\n");
    },
  );

  test("a Bough that is gone before the command starts is noticed: the command does not run", async () => {
    const base = closedFolder();
    const cwd = project(base);
    const sandbox = testSandbox({ cwd, home: join(base, "home"), allowHost: async () => false });
    await sandbox.ready();
    const { line, hasRun, problem } = await sandbox.wrap("touch ran", {
      callId: "a",
      signal: new AbortController().signal,
    });
    // Nobody knows this hello: it is not answered.
    const gone = line.replace(/bough [\da-f]{32}/, "bough another secret");
    expect(gone).not.toBe(line);
    const ran = await runLine(gone, { cwd });
    expect([ran.code, ran.output, hasRun(), problem?.(), readdirSync(cwd)]).toEqual([
      ...[125, "", false],
      "The sandbox lost its connection to Bough; the command was not run",
      [],
    ]);
  });

  test.skipIf(process.platform !== "linux")(
    "what is said while a sandbox is set up is not part of the command's output",
    async () => {
      const cwd = project(closedFolder());
      let isBroken = false;
      const adjust = (words: readonly string[]) => (isBroken ? ["--bind", "/no/such/source", "/mnt", ...words] : words);
      const sandbox = openSandboxWith(
        { cwd, home: join(cwd, "..", "home"), allowHost: async () => false },
        { find: (where) => linuxEngine(where, adjust) },
      );
      afterTest(() => sandbox.close());
      await sandbox.ready();
      isBroken = true;
      const signal = new AbortController().signal;
      const { line, hasRun, problem, finish } = await sandbox.wrap("echo ran", { callId: "a", signal });
      const { output } = await runLine(line, { cwd });
      await finish();
      isBroken = false;
      const again = await runLine("echo ran", { cwd, sandbox });
      expect([output, hasRun(), again.output]).toEqual(["", false, "ran\n"]);
      expect(problem?.()).toMatch(/^bwrap: .*\/no\/such\/source/);
    },
  );

  const children = (pid: number) => readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  test.skipIf(!existsSync(`/proc/${process.pid}/task/${process.pid}/children`))(
    "nothing is left of a sandbox that is killed while it is set up, and the command is not run",
    async () => {
      const cwd = project(closedFolder());
      const sandbox = testSandbox({ cwd, home: join(closedFolder(), "home"), allowHost: async () => false });
      await sandbox.ready();
      const left = () =>
        readdirSync("/proc").filter((pid) => {
          try {
            return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(cwd);
          } catch {
            return false;
          }
        });
      // Different moments, from the first on at which there is a process inside.
      for (const later of [0, 0.2, 0.5, 1, 2, 3]) {
        const { line, finish } = await sandbox.wrap(`touch ran; : ${shellWord(cwd)}`, {
          callId: "a",
          signal: new AbortController().signal,
        });
        const child = spawn(commandShell().program, ["-c", line], { cwd, stdio: "ignore" });
        const ended = once(child, "exit");
        while (children(child.pid ?? 0) === "");
        for (const from = performance.now(); performance.now() - from < later; );
        child.kill("SIGKILL");
        await ended;
        await finish();
        expect([left(), existsSync(join(cwd, "ran"))]).toEqual([[], false]);
      }
    },
  );

  test.skipIf(!isOnPath("socat"))("a system without bash says hello as well", () => {
    const [shell = "", ...words] = insideWords({
      ...{ shell: "/bin/sh", isBash: false, socat: "socat", secret: "s", errorsFd: 7 },
      inside: { kind: "command", command: "echo ran" },
    });
    const script = words[1] ?? "";
    execFileSync(shell, ["-n", "-c", script]);
    expect(script).toContain("echo 'bough s' | socat");
  });
});

test.skipIf(process.platform !== "linux")(
  "a temporary folder that cannot be written is named, with what to do",
  async () => {
    vi.stubEnv("TMPDIR", "/proc");
    const sandbox = testSandbox({ cwd: process.cwd(), home: process.cwd(), allowHost: async () => false });
    expect(await sandbox.ready()).toEqual({
      kind: "unavailable",
      reason: expect.stringMatching(/^the temporary folder \/proc cannot be written \(.+\)$/),
      fix: "Make room there, or set TMPDIR to another folder.",
    });
  },
);

test("a folder that is gone, and the root of the file system, are no places for a sandbox, and it says so", async () => {
  const gone = join(tmpdir(), "bough-not-there");
  const states = [gone, "/"].map(async (cwd) =>
    testSandbox({ cwd, home: tmpdir(), allowHost: async () => false }).ready(),
  );
  const fix = "Start Bough in a project's folder.";
  expect(await Promise.all(states)).toEqual([
    { kind: "unavailable", reason: `${gone} is not a folder`, fix },
    { kind: "unavailable", reason: "the working directory is /", fix },
  ]);
});
