/** Messages that a compaction of Claude Code preserves: where they are written, and whether Claude Code finds them. */

import { buildSessionContext } from "@bough/session/context/index.js";
import type { SessionEntry } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { drawEntries } from "../../../../../test/support/draw-entries.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import type { WritePlan } from "../contract.js";
import { importSession } from "../import/import-session.js";
import type { JsonObject } from "./claude-record.js";
import { answer, convertRecords, text, user } from "./claude-records.test-support.js";
import { claudeWriter } from "./claude-writer.js";

const prompt = (uuid: string) => ({ uuid, ...user(`prompt ${uuid}`) });
const reply = (uuid: string) => ({ uuid, ...answer(`msg_${uuid}`, text(`answer ${uuid}`)) });
const attachment = (uuid: string) => ({ uuid, type: "attachment", attachment: { type: "date", date: "2026-01-01" } });

function boundary(logicalParentUuid: string, metadata: JsonObject) {
  const compactMetadata = { trigger: "manual", preTokens: 9, ...metadata };
  return {
    type: "system",
    subtype: "compact_boundary",
    uuid: "b",
    parentUuid: null,
    logicalParentUuid,
    compactMetadata,
  };
}
const summary = { uuid: "s", ...user("the summary"), isCompactSummary: true };

function preserved(...uuids: string[]): JsonObject {
  return {
    preservedSegment: { headUuid: uuids[0], anchorUuid: "s", tailUuid: uuids.at(-1) },
    preservedMessages: { anchorUuid: "s", uuids, allUuids: uuids },
  };
}

function planOf(entries: readonly SessionEntry[]): WritePlan {
  let made = 0;
  return claudeWriter.planWrite({
    entries,
    notes: "leave-out",
    cwd: "/home/dev/project",
    places: { home: "/home/dev" },
    now: () => new Date(0),
    newId: () => `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`,
  });
}

const recordsOf = (plan: WritePlan) => [...plan.lines].map((line) => JSON.parse(line) as JsonObject);
const boundaryIn = (plan: WritePlan) => recordsOf(plan).find(({ subtype }) => subtype === "compact_boundary");

/** What the model sees, as text. */
function shown(entries: readonly SessionEntry[]): string[] {
  return buildSessionContext(entries).messages.map((message) => {
    if (message.role === "compactionSummary") return `summary: ${message.summary}`;
    const content = "content" in message ? message.content : "";
    return typeof content === "string" ? content : content.map((block) => ("text" in block ? block.text : "")).join("");
  });
}

const before = [prompt("u1"), reply("a1"), prompt("u2"), attachment("t2"), reply("a2"), attachment("t3")];

describe("a compaction of Claude Code that is written back", () => {
  it("names only records that are written if it preserved attachments", async () => {
    const links = preserved("u2", "t2", "a2", "t3");
    const { entries } = await convertRecords([...before, boundary("t3", links), summary, prompt("u3"), reply("a3")]);
    const plan = planOf(entries);
    const written = new Set(recordsOf(plan).map(({ uuid }) => uuid));
    expect([written.has("t2"), written.has("t3")]).toEqual([false, false]);
    expect(boundaryIn(plan)).toMatchObject({
      logicalParentUuid: "a2",
      compactMetadata: { trigger: "manual", preTokens: 9, ...preserved("u2", "a2") },
    });
  });

  it("finds the ends of a segment that has no list", async () => {
    const { preservedSegment } = preserved("t2", "t3");
    const { entries } = await convertRecords([...before, boundary("t3", { preservedSegment }), summary, prompt("u3")]);
    expect(boundaryIn(planOf(entries))).toMatchObject({ compactMetadata: preserved("a2") });
  });

  it("preserves nothing if none of it is written", async () => {
    const { entries } = await convertRecords([...before, boundary("t3", preserved("t3")), summary, prompt("u3")]);
    expect(boundaryIn(planOf(entries))?.compactMetadata).toEqual({ trigger: "manual", preTokens: 9 });
  });

  it("is unchanged if everything it names is written", async () => {
    const own = boundary("a2", preserved("u2", "a2"));
    const { entries } = await convertRecords([
      ...[prompt("u1"), reply("a1"), prompt("u2"), reply("a2"), own, summary, prompt("u3")],
    ]);
    expect(boundaryIn(planOf(entries))).toMatchObject(own);
  });

  it("names messages that were edited since by their new uuid", async () => {
    const { source } = await convertRecords([
      ...[prompt("u1"), prompt("u2"), reply("a2"), boundary("a2", preserved("u2", "a2")), summary, prompt("u3")],
    ]);
    const imported = await importSession(source, { dir: tempFolder() });
    const session = SessionManager.open(imported.path);
    const second = session.getBranch().find((entry) => JSON.stringify(entry).includes("prompt u2"));
    session.appendContextEdit(second?.id as string, "another prompt");
    const plan = planOf(session.getBranch());
    session.close();
    const edited = recordsOf(plan).find((record) => JSON.stringify(record).includes("another prompt"));
    expect(boundaryIn(plan)).toMatchObject({ compactMetadata: preserved(edited?.uuid as string, "a2") });
  });

  it("omits earlier compactions among the messages that a later one preserved", async () => {
    const second = {
      ...{ ...boundary("t4", {}), uuid: "b2" },
      compactMetadata: { preservedMessages: { anchorUuid: "s2", uuids: ["a2", "u3", "t4"], allUuids: [] } },
    };
    const { entries } = await convertRecords([
      ...[prompt("u1"), reply("a2"), boundary("a2", preserved("a2")), summary, prompt("u3"), attachment("t4")],
      ...[second, { ...summary, uuid: "s2" }, prompt("u5")],
    ]);
    const last = recordsOf(planOf(entries)).findLast(({ subtype }) => subtype === "compact_boundary");
    expect(last).toMatchObject({ compactMetadata: { preservedMessages: { anchorUuid: "s2", uuids: ["a2", "u3"] } } });
  });
});

describe("a preserved tail that was written after the boundary", () => {
  const tail = (uuid: string, parentUuid: string) => ({ ...reply(uuid), parentUuid });

  it("is on one path: summary, preserved tail, what follows", async () => {
    const { entries } = await convertRecords([
      ...[prompt("u1"), reply("a1"), prompt("u2"), boundary("a2", preserved("a2")), summary],
      ...[tail("a2", "s"), prompt("u3"), reply("a3")],
    ]);
    expect(drawEntries(entries)).toMatchInlineSnapshot(`
      "user: prompt u1
      assistant: answer a1
      user: prompt u2
      compaction: the summary
      assistant: answer a2
      user: prompt u3
      assistant: answer a3"
    `);
    expect(entries.filter(({ parentId }) => parentId === null)).toHaveLength(1);
    expect(shown(entries)).toEqual(["summary: the summary", "answer a2", "prompt u3", "answer a3"]);
  });

  it("also keeps the part that was written before the boundary", async () => {
    const { entries } = await convertRecords([
      ...[prompt("u1"), reply("a1"), prompt("u2"), reply("x2"), boundary("a2", preserved("u2", "x2", "a2")), summary],
      ...[tail("a2", "s"), prompt("u3"), reply("a3")],
    ]);
    expect(shown(entries)).toEqual([
      ...["summary: the summary", "prompt u2", "answer x2", "answer a2", "prompt u3", "answer a3"],
    ]);
  });

  it("comes before other children of the summary, as in Claude Code", async () => {
    const { entries } = await convertRecords([
      ...[prompt("u1"), reply("a1"), boundary("a2", preserved("a2")), summary],
      ...[tail("a2", "s"), { ...prompt("u3"), parentUuid: "s" }, reply("a3")],
    ]);
    expect(shown(entries)).toEqual(["summary: the summary", "answer a2", "prompt u3", "answer a3"]);
  });

  it("is recognized from the ends of a segment alone", async () => {
    const { preservedSegment } = preserved("u2", "a2");
    const { entries } = await convertRecords([
      ...[prompt("u1"), prompt("u2"), reply("x2"), boundary("a2", { preservedSegment }), summary],
      ...[tail("a2", "s"), prompt("u3")],
    ]);
    expect(shown(entries)).toEqual(["summary: the summary", "prompt u2", "answer x2", "answer a2", "prompt u3"]);
  });

  it("is written back to Claude Code unchanged", async () => {
    const own = boundary("a2", preserved("a2"));
    const { entries } = await convertRecords([
      ...[prompt("u1"), reply("a1"), own, summary, tail("a2", "s"), prompt("u3")],
    ]);
    const plan = planOf(entries);
    expect(boundaryIn(plan)).toMatchObject(own);
    expect(recordsOf(plan).flatMap(({ uuid, parentUuid }) => (uuid === undefined ? [] : [[uuid, parentUuid]]))).toEqual(
      [
        ...[
          ["u1", null],
          ["a1", "u1"],
          ["b", null],
          ["s", "b"],
          ["a2", "s"],
          ["u3", "a2"],
        ],
      ],
    );
  });
});
