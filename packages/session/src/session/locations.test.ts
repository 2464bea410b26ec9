import { homedir, userInfo } from "node:os";
import { basename, join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { boughHome, sessionFolder, sessionFolderStart } from "./locations.js";

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("the home of all sessions", () => {
  test("is what BOUGH_HOME says, or a folder of the person's own", () => {
    vi.stubEnv("BOUGH_HOME", "/somewhere/else");
    expect(boughHome()).toBe("/somewhere/else");
    vi.stubEnv("BOUGH_HOME", "");
    expect(boughHome()).toBe(join(homedir(), ".bough"));
  });

  test("is never the working folder, even if HOME is empty", () => {
    vi.stubEnv("BOUGH_HOME", undefined);
    vi.stubEnv("HOME", "");
    expect(boughHome()).toBe(join(userInfo().homedir, ".bough"));
  });
});

describe("the folder for a working directory", () => {
  test("is named after it in one piece", () => {
    expect(basename(sessionFolder("/home/dev/project"))).toBe("--home-dev-project--");
    expect(basename(sessionFolder("/home/../etc/passwd"))).toBe("--etc-passwd--");
  });

  test("has a name that a file system takes, its own for each directory, however long the path is", () => {
    const long = `/${["a", "b", "c", "ü", "e"].map((letter) => letter.repeat(letter === "ü" ? 125 : 250)).join("/")}`;
    const names = [long, `${long}/x`, `${long}/y`].map((cwd) => basename(sessionFolder(cwd)));
    expect(new Set(names).size).toBe(3);
    for (const name of names) {
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      expect(name).toMatch(/^--a{200}-[0-9a-f]{32}--$/);
      expect(name.startsWith(sessionFolderStart(long))).toBe(true);
      expect(name.startsWith(sessionFolderStart(`/${"a".repeat(250)}`))).toBe(true);
    }
    expect(basename(sessionFolder(`/${"a".repeat(251)}`))).toBe(`--${"a".repeat(251)}--`);
    expect(basename(sessionFolder(`/${"🌳".repeat(63)}`))).toMatch(/^--(🌳){50}-[0-9a-f]{32}--$/u);
  });

  test("has no control characters in its name, whatever a transcript says", () => {
    expect(basename(sessionFolder("/tmp/\u001b[31mred\nline\u009b2J"))).toBe("--tmp--[31mred-line-2J--");
  });
});
