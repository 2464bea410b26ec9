/** What an export of another agent's session reports. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { agentsPlace, runCommand } from "../import/run-command.test-support.js";

test("the title does not reveal what was masked in the first prompt", async () => {
  const place = agentsPlace();
  const secret = `ghp_${"a1B2c3D4e5F6g7H8i9".repeat(2)}`;
  const id = "11111111-2222-4333-8444-555555555555";
  const file = join(dirname(place.transcripts.claude), `${id}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  const record = {
    ...{ parentUuid: null, isSidechain: false, cwd: place.cwd, sessionId: id, version: "2.0.0", type: "user" },
    message: { role: "user", content: `push with ${secret} please` },
    ...{ uuid: "aaaaaaaa-0000-4000-8000-000000000001", timestamp: "2026-01-01T00:00:00.000Z" },
  };
  writeFileSync(file, `${JSON.stringify(record)}\n`);
  const { code, stdout, stderr } = await runCommand(place, ["export", file, "-f", "markdown", "-o", "-"]);
  expect({ code, said: stderr.split("\n")[0] }).toEqual({
    code: 0,
    said: 'Export of "push with ••••(github-token 1) please": one path, from the start; 1 of 1 entry',
  });
  expect(stdout + stderr).not.toContain(secret);
});
