/** Session files that other programs of the family wrote: they open, and verifying explains what is odd in them. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findingLevel, SessionManager, verifySession } from "@bough/session/session/index.js";
import { afterAll, describe, expect, test } from "vitest";
import { copySample } from "./support/copy-sample.js";

const fixtures = process.env.BOUGH_FIXTURES ?? fileURLToPath(new URL("../../shared/fixtures", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "bough-foreign-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The session files below a folder of samples, hidden folders included. */
function filesBelow(name: string): string[] {
  const place = join(fixtures, name);
  if (!existsSync(place)) return [];
  const names = readdirSync(place, { recursive: true, encoding: "utf8" });
  return names.filter((one) => one.endsWith(".jsonl")).map((one) => join(name, one));
}

/** By file: each kind of finding, and the lines it is on. */
const FINDINGS: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
  // Parents that name the session and tool calls are known; the content of the results is text instead of a list.
  "foreign/pi/openclaw-large.jsonl": { "bad-shape": [8, 11] },
  "foreign/pi/synthetic-v2-hookmessage.jsonl": { "old-version": [1] },
  "foreign/pi/synthetic-v3-tree.jsonl": {},
  // Calls that were aborted before they had a result.
  "foreign/pi/v1-before-compaction.jsonl": { "old-version": [1], "unpaired-call": [374, 386, 628, 678] },
  "foreign/pi/v3-compaction.jsonl": {},
  // A compaction of version 3 with the anchor of version 1.
  "foreign/pi/v3-malformed-line.jsonl": { "bad-anchor": [6], "unreadable-line": [10], "unknown-type": [11] },
  "foreign/pi/v3-tool.jsonl": {},
  // service_tier_change and model_usage; the roles fileMention, pythonExecution and developer.
  "foreign/oh-my-pi/synthetic-title-slot-and-entries.jsonl": { "unknown-type": [6, 8, 11, 12, 16] },
  "foreign/oh-my-pi/v1-before-compaction-part.jsonl": { "old-version": [1] },
};

const foreign = [...filesBelow("foreign/pi"), ...filesBelow("foreign/oh-my-pi")];
const real = [...filesBelow("real/pi"), ...filesBelow("real/pi-new")];
const areHere = foreign.length > 0 && real.length > 0;

test.skipIf(!areHere)(areHere ? "the samples are here" : "the samples are not here: set BOUGH_FIXTURES", () => {
  expect(foreign.toSorted()).toEqual(Object.keys(FINDINGS).toSorted());
  expect(real.length).toBeGreaterThan(20);
});

describe.each(foreign)("%s", (name) => {
  const path = join(fixtures, name);

  test("has just the oddities we know of", async () => {
    const found: Record<string, number[]> = {};
    for (const { code, line } of (await verifySession(path)).findings) {
      found[code] ??= [];
      found[code].push(line);
    }
    expect(found).toEqual(FINDINGS[name]);
  });

  test("opens for reading with every readable entry, and is not written to", async () => {
    const before = readFileSync(path);
    const { readable, findings } = await verifySession(path);
    const session = SessionManager.open(path, undefined, { readOnly: true });
    const entries = session.getEntries();
    expect(entries.filter(({ type }) => type !== "unreadable")).toHaveLength(readable);
    const places = new Set(findings.map(({ code, line }) => `${code} in line ${line}`));
    expect(session.getProblems().filter(({ code, line }) => !places.has(`${code} in line ${line}`))).toEqual([]);
    session.close();
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("opens for writing, takes an entry, and has no damage it did not have before", async () => {
    const copy = join(folder, basename(name));
    copySample(path, copy);
    const damage = async () =>
      (await verifySession(copy)).findings
        .filter(({ code }) => findingLevel(code) === "damage")
        .map(({ code }) => code);
    const before = await damage();
    const session = SessionManager.open(copy);
    const leaf = session.getLeafId();
    const id = session.appendMessage({ role: "user", content: "and then?", timestamp: 1 });
    session.close();
    const again = SessionManager.open(copy, undefined, { readOnly: true });
    expect(again.getEntry(id)).toMatchObject({ parentId: leaf, message: { content: "and then?" } });
    expect(again.getLeafId()).toBe(id);
    again.close();
    expect(await damage()).toEqual(before);
  });
});

describe.each(real)("%s", (name) => {
  test("is sound", async () => {
    const report = await verifySession(join(fixtures, name));
    expect({ ok: report.ok, findings: report.findings, readable: report.readable }).toEqual({
      ok: true,
      findings: [],
      readable: report.lines - 1,
    });
  });
});
