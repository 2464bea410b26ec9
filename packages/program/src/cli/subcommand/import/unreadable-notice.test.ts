/** Commands that look for other agents' sessions in folders that are not all readable. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentsPlace, runCommand } from "./run-command.test-support.js";

test("an unreadable folder is reported only by commands that read it", async () => {
  const place = agentsPlace();
  const codex = join(place.home, ".codex", "sessions");
  rmSync(codex, { recursive: true });
  // A file in place of a folder cannot be listed by any user, including root.
  writeFileSync(codex, "");
  const notice = `bough: 1 folder from other agents cannot be read\n  ${codex} (Codex)\n`;
  const said = async (...args: string[]) => (await runCommand(place, args)).stderr.includes(notice);
  expect([
    await said("ls", "--all-agents"),
    await said("ls", "--agent", "codex", "--json"),
    await said("search", "--all-agents", "notes.txt"),
    await said("import"),
    await said("import", "--all", "--dry-run"),
  ]).toEqual([true, true, true, true, true]);
  expect([
    await said("ls"),
    await said("ls", "--agent", "pi"),
    await said("search", "notes.txt"),
    await said("import", place.transcripts.claude, "--dry-run"),
  ]).toEqual([false, false, false, false]);
  const { stdout } = await runCommand(place, ["doctor"]);
  expect(stdout).toMatch(/Other agents\n {2}ok {7}Readable sessions: .*Claude Code \d/);
  expect(stdout).toContain(`warning  Cannot read Codex files: ${codex}`);
});
