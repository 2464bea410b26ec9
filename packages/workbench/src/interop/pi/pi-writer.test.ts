/** Session files of pi keep their lines when imported and written back. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { toModelInput } from "@bough/session/context/index.js";
import type { SessionEntry } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { convertFile, FIXTURES, recordsIn, writeRecords } from "../../../../../test/support/interop-source.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import type { WritePlan } from "../contract.js";
import { writeTranscript } from "../handoff/handoff-transcript.js";
import { importSession } from "../import/import-session.js";
import { openForeign } from "../open-foreign.js";
import { piReader } from "./pi-reader.js";
import { piWriter } from "./pi-writer.js";

const own = fileURLToPath(new URL("../../../../../test/fixtures/interop/pi", import.meta.url));
const roots = [own, join(FIXTURES, "real/pi"), join(FIXTURES, "real/pi-new")].filter((root) => existsSync(root));
const samples = roots
  .flatMap((root) => readdirSync(root, { recursive: true }).map((name) => join(root, String(name))))
  .filter((path) => path.endsWith(".jsonl"));

/** pi can only resume in an existing directory. */
const cwd = tmpdir();

function planOf(entries: readonly SessionEntry[], home = "/home/dev", title?: string): WritePlan {
  return piWriter.planWrite({
    entries,
    cwd,
    places: { home },
    now: () => new Date("2026-01-02T03:04:05.000Z"),
    newId: () => "00000000-0000-4000-8000-000000000001",
    ...(title === undefined ? {} : { title }),
  });
}

describe("a session file of pi", () => {
  it.each(samples)("is imported byte for byte: %s", async (path) => {
    const [source] = await piReader.describe(path);
    if (source === undefined) throw new Error("no session");
    const { path: imported } = await importSession(source, { dir: tempFolder() });
    const lines = recordsIn(imported);
    for (const line of recordsIn(path).slice(1)) expect(lines).toContain(line);
  });

  it.each(samples)("is written back byte for byte, for the path to each tip: %s", async (path) => {
    const lines = new Set(recordsIn(path));
    const session = SessionManager.open(path, undefined, { readOnly: true });
    for (const tip of session.getTipIds()) {
      const plan = planOf(session.getBranch(tip));
      expect([...plan.lines].slice(1).filter((line) => !lines.has(line))).toEqual([]);
      expect(plan.lines).toHaveLength(session.getBranchIds(tip).length + 1);
    }
    session.close();
  });

  it.each([
    ["a name", `"type":"session_info"`, `"name":"Parser"`],
    ["a label", `"type":"label"`, `"targetId":"a","label":"here"`],
    ["an extension's record", `"type":"custom"`, `"customType":"notes","data":1`],
    ["an entry of an unknown type", `"type":"hologram"`, `"edges":12`],
  ])("is at its last line, as in pi, also if that is %s after going back", async (_, type, fields) => {
    const folder = join(tempFolder(), ".pi");
    mkdirSync(folder);
    const path = join(folder, "a.jsonl");
    const said = (id: string, parentId: string | null) =>
      `{"type":"message","id":"${id}","parentId":${JSON.stringify(parentId)},"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"${id}","timestamp":1}}`;
    writeRecords(path, [
      `{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p"}`,
      ...[said("a", null), said("b", "a"), said("c", "b")],
      `{${type},"id":"n","parentId":"a","timestamp":"2026-01-01T00:00:02.000Z",${fields}}`,
    ]);
    const opened = await openForeign(path);
    expect(opened.session.buildSessionContext().messages).toMatchObject([{ content: "a" }]);
    opened.close();
  });

  it("keeps entries of unknown types, in place, and names them", async () => {
    const path = join(tempFolder(), "a.jsonl");
    writeRecords(path, [
      `{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p"}`,
      `{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"one","timestamp":1}}`,
      `{"type":"hologram","id":"b","parentId":"a","timestamp":"2026-01-01T00:00:02.000Z","shape":{"edges":12.0}}`,
      `{"type":"message","id":"c","parentId":"b","timestamp":"2026-01-01T00:00:03.000Z","message":{"role":"user","content":"two","timestamp":3}}`,
    ]);
    const { source, report, entries } = await convertFile(piReader, path);
    expect(report).toMatchObject({ kept: 3, converted: 1, notes: 0, reported: 0, unknown: ["entry type hologram"] });
    expect(entries.slice(1).map(({ id, parentId }) => [id, parentId])).toEqual([
      ["a", null],
      ["b", "a"],
      ["c", "b"],
    ]);
    const { path: imported } = await importSession(source, { dir: tempFolder() });
    expect(readFileSync(imported, "utf8")).toContain(`"shape":{"edges":12.0}}`);
  });

  it("loses a parent that was never written, and reports that", async () => {
    const path = join(tempFolder(), "a.jsonl");
    writeRecords(path, [
      `{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p"}`,
      `{"type":"custom","id":"a","parentId":"nobody","timestamp":"2026-01-01T00:00:01.000Z","customType":"x"}`,
    ]);
    const { report, entries } = await convertFile(piReader, path);
    expect(entries.find(({ id }) => id === "a")).toMatchObject({ parentId: null });
    expect(report.counts.at(-1)).toMatchObject({
      fate: "converted",
      reason: "its parent does not precede it",
      lines: [[2, 2]],
    });
  });

  it("does not copy account markers", async () => {
    const path = join(tempFolder(), "a.jsonl");
    writeRecords(path, [
      `{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p"}`,
      `{"type":"credential_pin","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","provider":"x","hash":"0123abcd"}`,
      `{"type":"message","id":"b","parentId":"a","timestamp":"2026-01-01T00:00:02.000Z","message":{"role":"user","content":"two","timestamp":3}}`,
    ]);
    const { report, entries } = await convertFile(piReader, path);
    expect(JSON.stringify(entries)).not.toContain("0123abcd");
    expect(entries.at(-1)).toMatchObject({ id: "b", parentId: "a" });
    expect(report.reported).toBe(1);
  });
});

describe("a path for pi", () => {
  it("names models as pi does, even if oh-my-pi wrote them", () => {
    const place = { timestamp: "2026-01-01T00:00:00.000Z" };
    const plan = planOf([
      { type: "model_change", id: "a", parentId: null, ...place, model: "openrouter/vendor/model" },
      { type: "model_change", id: "b", parentId: "a", ...place, model: "x/small", role: "smol" },
      { type: "thinking_level_change", id: "c", parentId: "b", ...place, thinkingLevel: null },
      { type: "message", id: "d", parentId: "c", ...place, message: { role: "user", content: "Hi", timestamp: 0 } },
    ]);
    expect([...plan.lines].slice(1, 4).map((line) => JSON.parse(line))).toMatchObject([
      { type: "model_change", provider: "openrouter", modelId: "vendor/model" },
      { type: "custom", customType: "model_change", data: { model: "x/small", role: "smol" } },
      { type: "thinking_level_change", thinkingLevel: "off" },
    ]);
  });

  it("shows the model the same as before if it came from Claude Code", async () => {
    const claude = fileURLToPath(
      new URL("../../../../../test/fixtures/interop/claude-code/compaction.jsonl", import.meta.url),
    );
    const opened = await openForeign(claude);
    const plan = planOf(opened.session.getBranch(), tempFolder());
    writeTranscript(plan);
    const written = SessionManager.open(plan.path, undefined, { readOnly: true });
    expect(written.getProblems()).toEqual([]);
    const shown = (session: SessionManager) => toModelInput(session.buildSessionContext().messages, { provider: "" });
    expect(shown(written)).toEqual(shown(opened.session));
    written.close();
    opened.close();
  });

  it("has total tokens in every answer, ends at the leaf, and is stored where pi looks", () => {
    const home = tempFolder();
    const session = SessionManager.inMemory("/home/dev/project");
    session.appendMessage({ role: "user", content: "One.", timestamp: 0 });
    session.appendMessage({
      role: "assistant",
      content: [{ type: "text", text: "Two." }],
      api: "a",
      provider: "b",
      model: "c",
      usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
      stopReason: "stop",
      timestamp: 0,
    });
    session.appendContextEdit(session.getLeafId() as string, "Three.");
    const plan = planOf(session.getBranch(), home, "Counting");
    const records = [...plan.lines].map((line) => JSON.parse(line));
    expect(records[0]).toEqual({
      type: "session",
      version: 3,
      id: plan.sessionId,
      timestamp: "2026-01-02T03:04:05.000Z",
      cwd,
    });
    expect(records[2].message.usage.totalTokens).toBe(10);
    expect(records.at(-1)).toMatchObject({ type: "session_info", name: "Counting", parentId: records[2].id });
    expect(plan.losses).toMatchObject([{ what: "context_edit" }]);
    const folder = `--${cwd.slice(1).replaceAll("/", "-")}--`;
    expect(plan.path.startsWith(join(home, ".pi/agent/sessions", folder, "2026-01-02T03-04-05-000Z_"))).toBe(true);
    writeTranscript(plan);
    const again = SessionManager.open(plan.path, undefined, { readOnly: true });
    expect(again.getProblems()).toEqual([]);
    expect(again.getSessionName()).toBe("Counting");
    again.close();
  });
});
