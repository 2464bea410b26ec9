import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextRound } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { commandEnvironment } from "./process/command-environment.js";
import { NO, workshop } from "./tool-context.test-support.js";

afterEach(() => vi.unstubAllEnvs());

/** A zombie does not run. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== "linux") return true;
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Waits until the process has ended; the timeout of the test is the limit. */
async function ended(pid: number): Promise<void> {
  while (isRunning(pid)) await nextRound();
}

const pidsIn = (text: string) => [...text.matchAll(/^pid (\d+)$/gm)].map((match) => Number(match[1]));
const quick = { bash: { killGraceMs: 200 } };
const FOREVER = "while :; do :; done";

describe("running a command", () => {
  test("gives its output and asks first, always", async () => {
    const shop = workshop();
    expect(await shop.call("bash", { command: "echo one; echo two >&2; echo three" })).toEqual({
      content: [{ type: "text", text: "one\ntwo\nthree" }],
      details: {
        command: "echo one; echo two >&2; echo three",
        end: "exited",
        exitCode: 0,
        truncated: false,
        totalBytes: 14,
      },
      isError: false,
    });
    expect(shop.asked).toEqual([{ tool: "bash", action: "run", target: "echo one; echo two >&2; echo three" }]);
    expect(await shop.failure("bash", { command: "touch made" }, { decision: NO })).toBe("The user said no.");
    expect(readdirSync(shop.cwd)).toEqual([]);
  });

  test("runs in the working directory, without input, with the environment it is given", async () => {
    const shop = workshop();
    const tools = { bash: { env: { PATH: process.env.PATH, COLOUR: "blue" } } };
    expect(
      await shop.text("bash", { command: 'pwd; cat; echo "$COLOUR"; env | grep ^HOME= || echo none' }, { tools }),
    ).toBe(`${shop.cwd}\nblue\nnone`);
  });

  test("cd goes to the folder it names and not to one of CDPATH, and PWD is the folder it starts in", async () => {
    const shop = workshop();
    const made = await shop.text(
      "bash",
      { command: "mkdir -p other/src src; cd src && pwd" },
      {
        tools: { bash: { env: { PATH: process.env.PATH, CDPATH: join(shop.cwd, "other"), PWD: "/" } } },
      },
    );
    expect(made).toBe(`${shop.cwd}/src`);
    const tools = { bash: { env: { PATH: process.env.PATH, PWD: "/nowhere" } } };
    expect(await shop.text("bash", { command: 'echo "$PWD"' }, { tools })).toBe(shop.cwd);
  });

  test("keeps the keys of model providers from commands, and everything else as it is", async () => {
    vi.stubEnv("ANTHROPIC_API_KEY", "key-one");
    vi.stubEnv("GEMINI_API_KEY", "key-two");
    vi.stubEnv("DEPLOY_TOKEN", "a token of the project");
    const command = 'echo "$ANTHROPIC_API_KEY$GEMINI_API_KEY"; echo "$DEPLOY_TOKEN"; env | grep -c "^PATH="';
    expect(await workshop().text("bash", { command })).toBe("\na token of the project\n1");
    const env = { PATH: process.env.PATH, OWN_KEY: "key-three", KEPT: "kept" };
    expect(commandEnvironment(env, ["OWN_KEY"])).toEqual({ PATH: process.env.PATH, KEPT: "kept" });
  });

  test("an exit code, a signal and a syntax error are failures that say so", async () => {
    const shop = workshop();
    expect([
      await shop.failure("bash", { command: "echo before; exit 3" }),
      await shop.failure("bash", { command: "kill -KILL $$" }),
      await shop.failure("bash", { command: "exit 1" }),
      await shop.text("bash", { command: "true" }),
    ]).toEqual([
      "before\n[Exit code 3]",
      "(no output)\n[Killed by SIGKILL]",
      "(no output)\n[Exit code 1]",
      "(no output)",
    ]);
    expect(await shop.failure("bash", { command: "if then" })).toMatch(
      /line 1: syntax error.*\n(.*\n)?\[Exit code 2]$/,
    );
  });

  test("a working directory that is gone is named", async () => {
    const shop = workshop();
    await shop.text("bash", { command: 'rmdir "$PWD"' });
    expect(await shop.failure("bash", { command: "true" })).toMatch(`Could not start /bin/bash in ${shop.cwd}: `);
  });

  test("colors, overwritten lines, control characters and invalid bytes become plain text", async () => {
    const shop = workshop();
    const command = String.raw`printf '\033[31mred\033[0m\r\n10%%\r50%%\r100%%\nbell\a\0end gr\374n\n'`;
    expect(await shop.text("bash", { command })).toBe("red\n100%\nbellend gr\ufffdn");
  });

  test("the output comes while the command runs", async () => {
    const shop = workshop();
    // The command waits for a file that is created only after its first line has arrived.
    const command = "echo first; until [ -e heard ]; do :; done; echo second";
    const text = await shop.text("bash", { command }, { onUpdate: () => shop.put("heard", "") });
    expect(text).toBe("first\nsecond");
    expect(shop.updates[0]).toEqual({ text: "first\n", details: { totalBytes: 6 } });
  });
});

describe("long output", () => {
  test("shows the end and keeps all of it in a private file", async () => {
    const shop = workshop();
    const result = await shop.call("bash", { command: "seq 1 20000" }, { callId: "toolu/../01" });
    const path = join(shop.outputDir, "bash-toolu01.txt");
    const whole = `${Array.from({ length: 20000 }, (_, index) => index + 1).join("\n")}\n`;
    const text = result.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    expect(result.details).toEqual({
      command: "seq 1 20000",
      end: "exited",
      exitCode: 0,
      truncated: true,
      totalBytes: whole.length,
      fullOutputPath: path,
    });
    expect(text.split("\n").slice(0, 1)).toEqual(["15002"]);
    expect(text.split("\n").slice(-2)).toEqual([
      "20000",
      `[Only the end of ${whole.length} bytes of output is shown. The full output is in ${path}]`,
    ]);
    expect([
      readFileSync(path, "utf8") === whole,
      statSync(path).mode & 0o777,
      statSync(shop.outputDir).mode & 0o777,
    ]).toEqual([true, 0o600, 0o700]);
    expect(await shop.text("read", { path, offset: 2, limit: 1 })).toBe(
      "2\n[Lines 2 to 2 of 20000. Continue with offset 3]",
    );
  });

  test("50 MB, half a character at the cut included, arrive whole in the file and cut in the answer", async () => {
    const shop = workshop();
    const command = "head -c 50000000 /dev/zero | tr '\\0' x; printf 'end é'";
    const result = await shop.call("bash", { command });
    const { fullOutputPath, totalBytes } = result.details as { fullOutputPath: string; totalBytes: number };
    const text = result.content[0]?.type === "text" ? result.content[0].text : "";
    expect([totalBytes, statSync(fullOutputPath).size]).toEqual([50_000_006, 50_000_006]);
    expect(text.startsWith("x".repeat(100))).toBe(true);
    expect(text.split("\n")[0]).toHaveLength(30_000);
    expect(text.split("\n")[0]?.endsWith("xend é")).toBe(true);
    const longest = Math.max(...shop.updates.map((update) => update.text.length));
    expect(longest).toBeLessThanOrEqual(4000);
  });

  test("output that fits after cleaning leaves no file behind", async () => {
    const shop = workshop();
    const result = await shop.call("bash", { command: "for i in {1..20000}; do printf 'é'; done" });
    expect((result.details as { truncated: boolean }).truncated).toBe(false);
    expect(readdirSync(shop.outputDir)).toEqual([]);
  });

  test("a folder that cannot be made costs the file, not the command", async () => {
    const shop = workshop();
    await shop.text("bash", { command: `echo > '${shop.outputDir}'` });
    const text = await shop.text("bash", { command: "seq 1 20000" });
    expect(text.split("\n").at(-1)).toMatch(
      /^\[Only the end of 108894 bytes of output is shown \(it could not be saved to a file: .+\)]$/,
    );
  });
});

describe("stopping", () => {
  test("the abort ends the whole process group", async () => {
    const shop = workshop();
    const controller = new AbortController();
    // A child and a grandchild, one of them in the background; all print their PID before anything is stopped.
    const command = `echo pid $$; (echo pid $BASHPID; ${FOREVER}) & bash -c 'echo pid $$; ${FOREVER}'; echo never`;
    const onUpdate = () => {
      if (pidsIn(shop.updates.at(-1)?.text ?? "").length === 3) controller.abort();
    };
    const result = await shop.call("bash", { command }, { signal: controller.signal, onUpdate, tools: quick });
    const text = result.content[0]?.type === "text" ? result.content[0].text : "";
    expect(result.isError).toBe(true);
    expect(result.details).toMatchObject({ end: "aborted", exitCode: null, signal: "SIGTERM" });
    expect(text.split("\n").at(-1)).toBe("[Stopped by the user]");
    expect(pidsIn(text)).toHaveLength(3);
    for (const pid of pidsIn(text)) await ended(pid);
  });

  test("a command that never ends is stopped at its time limit", async () => {
    const shop = workshop();
    const result = await shop.call("bash", { command: `echo pid $$; ${FOREVER}`, timeout: 0.3 }, { tools: quick });
    const text = result.content[0]?.type === "text" ? result.content[0].text : "";
    expect(text.split("\n").at(-1)).toBe("[Stopped after the time limit of 0.3 seconds]");
    expect(result.details).toMatchObject({ end: "timeout" });
    for (const pid of pidsIn(text)) await ended(pid);
  });

  test("one that does not listen to SIGTERM is killed, its children too", async () => {
    const shop = workshop();
    const command = `trap '' TERM; echo pid $$; bash -c 'echo pid $$; ${FOREVER}'`;
    const controller = new AbortController();
    const onUpdate = () => {
      if (pidsIn(shop.updates.at(-1)?.text ?? "").length === 2) controller.abort();
    };
    const result = await shop.call("bash", { command }, { signal: controller.signal, onUpdate, tools: quick });
    const text = result.content[0]?.type === "text" ? result.content[0].text : "";
    expect(result.details).toMatchObject({ end: "aborted", signal: "SIGKILL" });
    for (const pid of pidsIn(text)) await ended(pid);
  });

  test("endless output is stopped as well, and its end is kept", async () => {
    const shop = workshop();
    const controller = new AbortController();
    const onUpdate = () => {
      const last = shop.updates.at(-1)?.details as { totalBytes: number } | undefined;
      if ((last?.totalBytes ?? 0) > 1_000_000) controller.abort();
    };
    const failure = await shop.failure(
      "bash",
      { command: "yes" },
      { signal: controller.signal, onUpdate, tools: quick },
    );
    expect(failure.split("\n").slice(0, 2)).toEqual(["y", "y"]);
    expect(failure.split("\n").at(-1)).toBe("[Stopped by the user]");
  });

  test("a listener that throws ends the command, and the failure is reported", async () => {
    const shop = workshop();
    const onUpdate = () => {
      throw new Error("the listener broke");
    };
    const failure = await shop.failure("bash", { command: `echo pid $$; ${FOREVER}` }, { onUpdate, tools: quick });
    expect(failure).toBe("the listener broke");
    for (const pid of pidsIn(shop.updates[0]?.text ?? "")) await ended(pid);
  });

  test("an abort before the start runs nothing", async () => {
    const shop = workshop();
    expect(await shop.failure("bash", { command: "touch made" }, { signal: AbortSignal.abort() })).toBe(
      "Stopped before it started.",
    );
    expect(existsSync(join(shop.cwd, "made"))).toBe(false);
  });
});

describe("a child in the background", () => {
  test("that keeps the output open does not keep the command, lives on, and is named", async () => {
    const shop = workshop();
    // It writes only after the command has ended: a closed pipe would kill it before it creates the file.
    const child = `until [ -e go ]; do :; done; echo late; echo later; touch done; ${FOREVER}`;
    const result = await shop.call("bash", { command: `(${child}) & echo pid $!; echo here` });
    const text = result.content[0]?.type === "text" ? result.content[0].text : "";
    const { leftRunning } = result.details as { leftRunning: number };
    const [pid = 0] = pidsIn(text);
    try {
      expect(text).toBe(
        `pid ${pid}\nhere\n[A process is still running in the background; its later output is not shown. Stop it with: kill -- -${leftRunning}]`,
      );
      expect(isRunning(pid)).toBe(true);
      shop.put("go", "");
      while (!existsSync(join(shop.cwd, "done"))) await nextRound();
    } finally {
      process.kill(-leftRunning, "SIGKILL");
    }
    await ended(pid);
  });

  test("that never stops writing does not keep the command running either", async () => {
    const shop = workshop();
    const result = await shop.call("bash", { command: "yes & echo here" });
    const { leftRunning, end } = result.details as { leftRunning: number; end: string };
    process.kill(-leftRunning, "SIGKILL");
    expect(end).toBe("exited");
  });
});
