/** Other agents' sessions with a missing part: every command that reads them says so. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { type AgentsPlace, agentsPlace, runCommand } from "./run-command.test-support.js";

const FORK = "0196aaaa-0000-7000-8000-00000000000b";

function forkWithoutBase({ home, cwd }: AgentsPlace): string {
  const timestamp = "2026-03-04T10:00:00.000Z";
  const history_base = { thread_id: "0196aaaa-0000-7000-8000-00000000000a", end_ordinal_exclusive: 3 };
  const meta = { id: FORK, timestamp, cwd, originator: "x", cli_version: "0.1.0", history_base };
  const prompt = { type: "message", role: "user", content: [{ type: "input_text", text: "Go on from there." }] };
  const lines = [
    { timestamp, type: "session_meta", payload: meta },
    { timestamp, type: "response_item", payload: prompt },
  ];
  const path = join(home, `.codex/sessions/2026/03/04/rollout-2026-03-04T10-00-00-${FORK}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return path;
}

describe("a fork of Codex without the rollout that it continues", () => {
  test.each([
    ["show", FORK],
    ["handoff", "claude-code", FORK],
    ["import", FORK],
  ])("%s says so", async (...args) => {
    const place = agentsPlace();
    forkWithoutBase(place);
    const { code, stdout, stderr } = await runCommand(place, args);
    expect(code).toBe(0);
    expect(stdout + stderr).toContain("whose rollout was not found: the conversation before the fork is missing.");
  });

  test("import --json has it in its report", async () => {
    const place = agentsPlace();
    forkWithoutBase(place);
    const { stdout } = await runCommand(place, ["import", FORK, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      sessions: [{ report: { missing: [expect.stringContaining("fork")] } }],
    });
  });
});
