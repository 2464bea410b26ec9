/** Rollouts with minimal first lines. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { drawEntries } from "../../../../../test/support/draw-entries.js";
import { convertFile } from "../../../../../test/support/interop-source.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { detectAgent } from "../agents.js";
import { codexReader } from "./codex-reader.js";

const THREAD = "0196aaaa-0000-7000-8000-00000000000a";
const HEAD = { id: THREAD, timestamp: "2025-06-04T10:00:00.000Z" };
const said = (role: "user" | "assistant", text: string) => ({
  type: "message",
  role,
  content: [{ type: role === "user" ? "input_text" : "output_text", text }],
});

function file(lines: readonly object[], { home = tempFolder(), name = "rollout-2025-06-04T10-00-00" } = {}) {
  const path = join(home, `.codex/sessions/2025/06/04/${name}-${THREAD}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return path;
}

describe("the first line of a rollout", () => {
  it("may contain only an ID and a time", async () => {
    const home = tempFolder();
    const path = file([HEAD, said("user", "one"), said("assistant", "1")], { home });
    const { entries, source, report } = await convertFile(codexReader, path);
    expect(drawEntries(entries).split("\n")).toEqual(["user: one", "assistant: 1"]);
    expect([source.id, source.title, source.created.toISOString()]).toEqual([THREAD, "one", HEAD.timestamp]);
    expect([report.reported, report.unknown]).toEqual([0, []]);
    const found = [];
    for await (const { id, problem } of codexReader.find({ home })) found.push([id, problem]);
    expect(found).toEqual([[THREAD, undefined]]);
  });

  it("with only these, is recognized only if the file name matches", async () => {
    const path = file([HEAD, said("user", "one")], { name: "notes" });
    expect(await detectAgent(path)).toBeUndefined();
  });
});
