import { homedir, userInfo } from "node:os";
import { basename, join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { boughHome, sessionFolder } from "./locations.js";

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

  test("is never the folder one stands in, also where HOME is empty", () => {
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

  test("has no control characters in its name, whatever a transcript says", () => {
    expect(basename(sessionFolder("/tmp/\u001b[31mred\nline\u009b2J"))).toBe("--tmp--[31mred-line-2J--");
  });
});
