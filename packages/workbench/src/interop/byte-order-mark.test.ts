/** A byte order mark before a transcript changes nothing. */
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { convertFile } from "../../../../test/support/interop-source.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { detectAgent, readerFor } from "./agents.js";
import type { AgentName } from "./contract.js";

const samples = fileURLToPath(new URL("../../../../test/fixtures/interop", import.meta.url));

function copyOf(sample: string, mark: string): string {
  const path = join(tempFolder(), basename(sample));
  writeFileSync(path, mark + readFileSync(join(samples, sample), "utf8"));
  return path;
}

describe("a byte order mark", () => {
  it.each<[AgentName, string]>([
    ["claude-code", "claude-code/rewind.jsonl"],
    ["codex", "codex/rollout-2026-11-15T08-50-22-01a1de66-80ff-71b0-83ef-c69d0ac060ef.jsonl"],
    ["gemini", "gemini/session-2026-11-15T08-50-894c528a.jsonl"],
    ["opencode", "opencode/ses_e2193c7edffehRwYnlS0oYv7uT.json"],
    ["pi", "pi/branches.jsonl"],
  ])("changes nothing in a session of %s", async (agent, sample) => {
    const [plain, marked] = [copyOf(sample, ""), copyOf(sample, "\uFEFF")];
    expect((await detectAgent(marked))?.agent).toBe(agent);
    const [before, after] = [await convertFile(readerFor(agent), plain), await convertFile(readerFor(agent), marked)];
    expect(after.entries).toEqual(before.entries);
    expect([after.source.title, after.source.cwd]).toEqual([before.source.title, before.source.cwd]);
    const { counts: _before, ...sums } = before.report;
    expect(after.report).toMatchObject(sums);
  });
});
