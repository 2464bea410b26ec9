import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { tempFolder } from "../../../../../../test/support/temp-folder.js";
import { Output } from "../output.js";
import { type Check, checkEnvironment } from "./check-environment.js";

afterEach(() => {
  vi.unstubAllEnvs();
});

function homeCheck(home: string): Check | undefined {
  vi.stubEnv("BOUGH_HOME", home);
  const out = new Output({ json: false, signal: new AbortController().signal, env: {} });
  return checkEnvironment({ version: "0", out }).find(({ area }) => area === "Home");
}

test("a home that is not there yet is in order where it can be made", () => {
  const home = join(tempFolder(), "not", "yet");
  expect(homeCheck(home)).toEqual({
    area: "Home",
    level: "ok",
    message: `${home} is created when the first session is saved`,
  });
});

test("a home that cannot be created is reported before a session is lost", () => {
  const file = join(tempFolder(), "file");
  writeFileSync(file, "", { mode: 0o600 });
  const home = join(file, "bough");
  expect(homeCheck(home)).toMatchObject({
    level: "error",
    message: `${home} cannot be created: ${file} is not writable`,
  });
});

test("a home that is a broken or circular link is reported before a session is lost", () => {
  const folder = tempFolder();
  for (const to of ["home", "nothing"]) {
    const home = join(folder, `${to}-link`);
    symlinkSync(to === "home" ? home : join(folder, to), home);
    expect(homeCheck(home)).toMatchObject({ level: "error", message: `${home} is a link that leads nowhere` });
  }
});
