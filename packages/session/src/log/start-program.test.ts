import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { startFailure, startProgram } from "./start-program.js";

/** The message after really trying to start it. */
async function tried(program: string, { cwd = tempFolder(), path = "/usr/bin" } = {}): Promise<string> {
  const env = { PATH: path };
  const [error] = await once(
    startProgram({ program, cwd, env }, (found) => spawn(found, { cwd, env })),
    "error",
  );
  return startFailure(error, { program, cwd, env });
}

describe("a command that is not there is not found, whatever is on PATH", () => {
  const folder = (name: string) => join(tempFolder(), name);
  test.each<[string, () => string]>([
    ["nothing", () => ""],
    ["a missing folder", () => folder("missing")],
    [
      "a folder that may not be entered",
      () => {
        const closed = folder("closed");
        mkdirSync(closed, { mode: 0 });
        return closed;
      },
    ],
    [
      "a file",
      () => {
        const file = folder("file");
        writeFileSync(file, "");
        return file;
      },
    ],
    [
      "a link to itself",
      () => {
        const loop = folder("loop");
        symlinkSync(loop, loop);
        return loop;
      },
    ],
  ])("%s", async (_, made) => {
    const path = made();
    for (const both of [path, `${path}:/usr/bin`, `/usr/bin:${path}`])
      expect(await tried("no-such-command", { path: both })).toBe("command not found: no-such-command");
  });

  test("nor is a path that does not exist", async () => {
    expect(await tried("./no-such-command")).toBe("command not found: ./no-such-command");
    expect(await tried("/no-such-folder/command")).toBe("command not found: /no-such-folder/command");
    expect(await tried("/dev/null/command")).toBe("command not found: /dev/null/command");
  });
});

test("a working directory that is missing is named, not the command", async () => {
  const cwd = join(tempFolder(), "gone");
  expect(await tried("true", { cwd })).toBe(`folder not found: ${cwd}`);
});

test("a file that is there is named with what is wrong with it", async () => {
  const cwd = tempFolder();
  const file = join(cwd, "tool");
  writeFileSync(file, "#!/bin/sh\n");
  expect(await tried("tool", { cwd, path: cwd })).toBe(`not executable: ${file}`);
  writeFileSync(file, "#!/no-such-interpreter\n");
  chmodSync(file, 0o755);
  expect(await tried("./tool", { cwd })).toBe(`the interpreter of ${file} was not found`);
});

test("a program is started from a folder on PATH after a link to itself", async () => {
  const loop = join(tempFolder(), "loop");
  symlinkSync(loop, loop);
  const env = { PATH: `${loop}:/usr/bin:/bin` };
  const child = startProgram({ program: "true", env }, (found) => spawn(found, { env }));
  expect(await once(child, "close")).toEqual([0, null]);
});

test("any other error is reported as it is", () => {
  expect(startFailure(new Error("too many processes"), { program: "true" })).toBe("too many processes");
});
