import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { asJavaScript, sdkPrograms } from "../support/sdk-programs.js";
import { makePlace } from "./cli-support.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

describe("docs/sdk.md", () => {
  test("prints what the comments under Sessions where you want them say, program after program", () => {
    const place = makePlace();
    mkdirSync(join(place.cwd, "node_modules"));
    symlinkSync(root, join(place.cwd, "node_modules", "bough"), "dir");
    const printed: string[] = [];
    const promised: (string | undefined)[] = [];
    for (const program of sdkPrograms("Sessions where you want them")) {
      const file = join(place.cwd, "program.mjs");
      writeFileSync(file, asJavaScript(program));
      const said = execFileSync(process.execPath, [file], { cwd: place.cwd, env: place.env, encoding: "utf8" });
      printed.push(...said.trimEnd().split("\n"));
      promised.push(...[...program.matchAll(/^console\.log\(.*\/\/ (.+)$/gm)].map((match) => match[1]));
    }
    expect(promised).toHaveLength(3);
    expect(printed).toEqual(promised);
  });
});
