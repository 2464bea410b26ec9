import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { makePlace } from "./cli-support.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = readFileSync(join(root, "docs", "sdk.md"), "utf8");

/** The samples of a section, in the order they are read. */
function samplesOf(section: string): string[] {
  const [, text = ""] = page.split(new RegExp(`^## ${section}$`, "m"));
  const [own = ""] = text.split(/^## /m);
  return [...own.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map((match) => match[1] as string);
}

describe("docs/sdk.md", () => {
  test("prints what the comments under Sessions where you want them say, sample after sample", () => {
    const samples = samplesOf("Sessions where you want them");
    const place = makePlace();
    mkdirSync(join(place.cwd, "node_modules"));
    symlinkSync(root, join(place.cwd, "node_modules", "bough"), "dir");
    const program = join(place.cwd, "program.mjs");
    writeFileSync(program, samples.join("\n"));
    const printed = execFileSync(process.execPath, [program], { cwd: place.cwd, env: place.env, encoding: "utf8" });
    const promised = [...samples.join("\n").matchAll(/^console\.log\(.*\/\/ (.+)$/gm)].map((match) => match[1]);
    expect(promised).toHaveLength(3);
    expect(printed.trimEnd().split("\n")).toEqual(promised);
  });
});
