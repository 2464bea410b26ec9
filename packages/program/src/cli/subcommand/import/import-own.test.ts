import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentsPlace, runCommand } from "./run-command.test-support.js";

test("a session in the folder for imports is already imported", async () => {
  const place = agentsPlace();
  const dir = join(place.home, "elsewhere");
  mkdirSync(dir);
  const file = join(dir, "own.jsonl");
  copyFileSync(place.transcripts.pi, file);
  const { code, stderr } = await runCommand(place, ["import", file, "--session-dir", dir]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("That is already a Bough session")]);
  expect(readdirSync(dir)).toEqual(["own.jsonl"]);
});
