import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../../test/support/temp-folder.js";
import { createHints } from "./hints.js";

describe("hints", () => {
  test("are shown once, even across starts, and again on request", () => {
    const home = join(tempFolder(), "home");
    const hints = createHints(home);
    const answers = [hints.first("first-run"), hints.first("first-run"), createHints(home).first("first-run")];
    hints.showAgain();
    answers.push(createHints(home).first("first-run"));
    expect([answers, statSync(join(home, "hints.json")).mode & 0o777]).toEqual([[true, false, false, true], 0o600]);
  });

  test.each(["", "{", "[]", '{"seen":"all"}', '{"seen":[1]}'])("a damaged file (%j) has seen nothing", (damage) => {
    const home = tempFolder();
    writeFileSync(join(home, "hints.json"), damage);
    expect(createHints(home).first("leaving")).toBe(true);
    expect(JSON.parse(readFileSync(join(home, "hints.json"), "utf8"))).toEqual({ version: 1, seen: ["leaving"] });
  });

  test("where nothing can be written, a hint still comes once in a run", () => {
    const home = tempFolder();
    mkdirSync(join(home, "hints.json"));
    const hints = createHints(home);
    expect([hints.first("leaving"), hints.first("leaving")]).toEqual([true, false]);
  });
});
