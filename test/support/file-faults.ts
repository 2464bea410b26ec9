/** Makes calls to the file system fail, for faults that a real disk only shows on a bad day. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { vi } from "vitest";
import { afterTest } from "./after-test.js";

type Faulty = "writeSync" | "fdatasync" | "fdatasyncSync" | "readSync" | "renameSync" | "openSync";

/** Every call of `name` runs `act` instead, which may call `real`, until `mendFiles`. */
export function breakFiles(name: Faulty, act: (real: (...args: never[]) => unknown, args: unknown[]) => unknown): void {
  afterTest(mendFiles);
  const real = fs[name] as (...args: never[]) => unknown;
  vi.spyOn(fs, name).mockImplementation(((...args: unknown[]) => act(real, args)) as never);
  syncBuiltinESMExports();
}

/** Everything works again. Runs after every test that broke something. */
export function mendFiles(): void {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
}

export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: made up for a test`), { code });
}
