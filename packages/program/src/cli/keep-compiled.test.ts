import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { boughHome } from "@bough/session/session/index.js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { keepCompiled } from "./keep-compiled.js";

afterEach(() => vi.unstubAllEnvs());

function foldersFor(home: string): readonly string[] {
  const folders: string[] = [];
  vi.stubEnv("BOUGH_HOME", home);
  keepCompiled({ enableCompileCache: (folder) => folders.push(folder) });
  return folders;
}

describe("compiled code", () => {
  it("is kept below Bough's home, and no home is made for it", () => {
    const home = mkdtempSync(join(tmpdir(), "bough-compiled-"));
    expect(foldersFor(home)).toEqual([join(home, "cache", "compiled")]);
    rmSync(home, { recursive: true });
    expect(foldersFor(home)).toEqual([]);
  });

  it("is in Bough's home, however that is found", () => {
    const home = mkdtempSync(join(tmpdir(), "bough-compiled-"));
    expect(foldersFor(home)).toEqual([join(boughHome(), "cache", "compiled")]);
    rmSync(home, { recursive: true });
  });

  it("is not kept by a Node that cannot", () => {
    expect(() => keepCompiled({})).not.toThrow();
  });
});
