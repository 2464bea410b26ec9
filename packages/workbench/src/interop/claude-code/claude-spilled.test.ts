/** Outputs that Claude Code stores next to its transcript. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { convertFile, writeRecords } from "../../../../../test/support/interop-source.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { claudeReader } from "./claude-reader.js";

const NAMED = "/home/dev/.claude/projects/-p/s/tool-results/toolu_1.txt";
const PREVIEW = `<persisted-output>\nOutput too large (1.2MB). Full output saved to: ${NAMED}\n\nPreview:\none\n</persisted-output>`;

function transcript(toolUseResult?: unknown): string {
  const path = join(tempFolder(), "s.jsonl");
  const common = { sessionId: "s", timestamp: "2026-01-01T00:00:00.000Z" };
  const call = [{ type: "tool_use", id: "toolu_1", name: "Bash", input: {} }];
  const result = [{ type: "tool_result", tool_use_id: "toolu_1", content: PREVIEW }];
  writeRecords(
    path,
    [
      { type: "user", uuid: "a", parentUuid: null, message: { role: "user", content: "Run." } },
      { type: "assistant", uuid: "b", parentUuid: "a", message: { role: "assistant", id: "m", content: call } },
      { type: "user", uuid: "c", parentUuid: "b", message: { role: "user", content: result }, toolUseResult },
    ].map((record) => JSON.stringify({ ...common, ...record })),
  );
  return path;
}

describe("an output too long for the transcript", () => {
  it("stays as the model saw it, and the result names the file that is next to the transcript now", async () => {
    const path = transcript({ stdout: "one", persistedOutputPath: NAMED });
    const file = join(path.replace(".jsonl", ""), "tool-results", "toolu_1.txt");
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, "one\ntwo\n");
    const { entries, report } = await convertFile(claudeReader, path);
    expect(entries.at(-1)).toMatchObject({
      message: { content: [{ type: "text", text: PREVIEW }], details: { fullOutputPath: file } },
    });
    expect(report.counts.at(-1)?.reason).toContain("its full output is in a file");
  });

  it("is named even if only its preview mentions it, or if the file is gone", async () => {
    const { entries, report } = await convertFile(claudeReader, transcript());
    expect(entries.at(-1)).toMatchObject({ message: { details: { fullOutputPath: NAMED } } });
    expect(report.counts.at(-1)?.reason).toBe("its full output was in a file that no longer exists");
  });
});
