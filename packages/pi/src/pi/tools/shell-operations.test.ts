import { statSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { createBashTool } from "./create-tools.js";
import { createLocalBashOperations } from "./shell-operations.js";

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("commands on this machine", () => {
  const run = (command: string, options: { signal?: AbortSignal; timeout?: number } = {}) => {
    const printed: string[] = [];
    const exec = createLocalBashOperations().exec(command, tempFolder(), {
      onData: (data) => printed.push(String(data)),
      ...options,
    });
    return { exec, printed };
  };

  test("print and end with their code", async () => {
    const { exec, printed } = run("echo out; echo err >&2; exit 3");
    expect(await exec).toEqual({ exitCode: 3 });
    expect(printed.join("").split("\n").sort()).toEqual(["", "err", "out"]);
  });

  test("end with the signal and after their time, with everything they started", async () => {
    const stop = new AbortController();
    stop.abort();
    await expect(run("sleep 60 & sleep 60", { signal: stop.signal }).exec).rejects.toThrow("aborted");
    await expect(run("sleep 60 & sleep 60", { timeout: 0.05 }).exec).rejects.toThrow("timeout:0.05");
  });

  test("end although something in the background keeps their output open", async () => {
    const { exec } = run("sleep 30 & echo done");
    expect(await exec).toEqual({ exitCode: 0 });
  });
});

test("the output of a command elsewhere is shown in part, and all of it is in a file", async () => {
  vi.stubEnv("BOUGH_HOME", tempFolder());
  const updates: number[] = [];
  const tool = createBashTool("/", {
    operations: {
      exec: async (_command, _cwd, { onData }) => {
        for (let count = 0; count < 1000; count++) onData(Buffer.from(`${"x".repeat(999)}\n`));
        return { exitCode: 0 };
      },
    },
  });
  const { content, details } = await tool.execute("c1", { command: "yes" } as never, undefined, (partial) => {
    updates.push(JSON.stringify(partial.content).length);
  });
  expect(JSON.stringify(content).length).toBeLessThan(40_000);
  expect(Math.max(...updates)).toBeLessThan(5000);
  expect(details).toMatchObject({ truncation: { truncated: true, totalBytes: 1_000_000 } });
  expect(statSync((details as { fullOutputPath: string }).fullOutputPath).size).toBe(1_000_000);
});
