/** Forks whose history is in another rollout, even if that was moved. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { SessionEntry } from "@bough/session/entry/index.js";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { readWhole } from "../reading.test-support.js";
import { codexReader } from "./codex-reader.js";

const TIME = "2026-03-04T10:00:00.000Z";
const BASE = "0196aaaa-0000-7000-8000-00000000000a";
const FORK = "0196aaaa-0000-7000-8000-00000000000b";

let ordinal = 0;
const line = (type: string, payload: object) => JSON.stringify({ timestamp: TIME, ordinal: ordinal++, type, payload });
const meta = (id: string, more: object = {}) =>
  line("session_meta", { id, timestamp: TIME, cwd: "/repo", originator: "x", cli_version: "0.1.0", ...more });
const said = (role: string, text: string) =>
  line("response_item", { type: "message", role, content: [{ type: "input_text", text }] });

function write(path: string, lines: readonly string[]): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.map((text) => `${text}\n`).join(""));
  return path;
}

interface Fork {
  readonly home: string;
  readonly base: string;
  readonly fork: string;
}

function forked(): Fork {
  ordinal = 0;
  const home = tempFolder();
  const folder = join(home, ".codex/sessions/2026/03/04");
  const base = write(join(folder, `rollout-2026-03-04T10-00-00-${BASE}.jsonl`), [
    ...[meta(BASE), said("user", "one"), said("assistant", "1")],
  ]);
  const history_base = { thread_id: BASE, end_ordinal_exclusive: 3, end_byte_offset: 0 };
  const fork = write(join(folder, `rollout-2026-03-04T11-00-00-${FORK}.jsonl`), [
    ...[meta(FORK, { history_base }), said("user", "two"), said("assistant", "2")],
  ]);
  return { home, base, fork };
}

function archive(home: string, path: string): string {
  const target = join(home, ".codex/archived_sessions", basename(path));
  mkdirSync(dirname(target), { recursive: true });
  renameSync(path, target);
  return target;
}

function nameOf(entry: SessionEntry): string | undefined {
  if (entry.type !== "message" || entry.message.role === "bashExecution" || !("content" in entry.message))
    return undefined;
  const { content } = entry.message;
  return typeof content === "string" ? content : content.map((block) => ("text" in block ? block.text : "")).join("");
}

const read = (path: string) => readWhole(codexReader, path, nameOf);
const WHOLE = ["one", "one -> 1", "1 -> two", "two -> 2"];

describe("a fork of Codex", () => {
  it("has its history if the other rollout was archived", async () => {
    const { home, base, fork } = forked();
    archive(home, base);
    const { drawing, report } = await read(fork);
    expect([drawing, report.missing]).toEqual([WHOLE, []]);
  });

  it("has its history if it was archived itself", async () => {
    const { home, fork } = forked();
    expect((await read(archive(home, fork))).drawing).toEqual(WHOLE);
  });

  it("is listed with its history from the other folder", async () => {
    const { home, base } = forked();
    archive(home, base);
    const files = new Map<string, number>();
    for await (const { id, files: all } of codexReader.find({ home })) files.set(id, all.length);
    expect([...files].sort()).toEqual([
      [BASE, 1],
      [FORK, 2],
    ]);
  });

  it("recognizes the other rollout by name if its first line is damaged", async () => {
    const { base, fork } = forked();
    ordinal = 1;
    write(base, [
      '{"timestamp":"2026-03-04T10:00:00.000Z","type":"session_m',
      said("user", "one"),
      said("assistant", "1"),
    ]);
    const { drawing, report } = await read(fork);
    expect(drawing).toEqual(WHOLE);
    expect(report.counts).toContainEqual(expect.objectContaining({ file: base, type: "unreadable line" }));
  });

  it("reports missing history if there is no such rollout", async () => {
    const { home, base, fork } = forked();
    renameSync(base, join(home, "elsewhere.jsonl"));
    const { drawing, report } = await read(fork);
    expect(drawing).toEqual(["two", "two -> 2"]);
    expect(report.missing).toEqual([
      `This is a fork of thread ${BASE}, whose rollout was not found: the conversation before the fork is missing.`,
    ]);
  });
});
