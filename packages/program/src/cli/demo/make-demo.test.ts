import { SessionManager, verifySession } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { DEMO_ID, makeDemo } from "./make-demo.js";

const END = new Date("2026-03-01T12:00:00Z");

describe("the demo session", () => {
  test("is a sound session of five branches, two kinds of notes and five labels", async () => {
    const file = makeDemo({ dir: tempFolder(), cwd: "/project", end: END });
    const report = await verifySession(file);
    expect(report.findings).toEqual([]);
    const session = SessionManager.open(file, undefined, { readOnly: true });
    try {
      expect(session.getSessionId()).toBe(DEMO_ID);
      expect(session.getSessionName()).toBe("parser session");
      const entries = session.getEntries();
      const count = (type: string) => entries.filter((entry) => entry.type === type).length;
      expect(session.getCounts().branches).toBe(5);
      expect({ summaries: count("branch_summary"), compactions: count("compaction") }).toEqual({
        summaries: 1,
        compactions: 1,
      });
      const labels = entries.map((entry) => session.getLabel(entry.id)).filter((label) => label !== undefined);
      expect(labels).toEqual(["tokenizer", "good", "lexer", "too big", "pieces"]);
      expect(session.resolveEntry("pieces")).toBeTypeOf("string");
    } finally {
      session.close();
    }
  });

  test("ends at the time it is given, and every tool call has its result", () => {
    const session = SessionManager.open(makeDemo({ dir: tempFolder(), cwd: "/project", end: END }), undefined, {
      readOnly: true,
    });
    const times = session.getEntries().map(({ timestamp }) => Date.parse(timestamp));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(Math.max(...times)).toBeLessThanOrEqual(END.getTime());
    expect(JSON.stringify(session.buildSessionContext())).not.toContain("interrupted");
    session.close();
  });

  test("has the same ids every time", () => {
    const ids = () => {
      const session = SessionManager.open(makeDemo({ dir: tempFolder(), cwd: "/project", end: END }), undefined, {
        readOnly: true,
      });
      const all = session.getEntries().map(({ id }) => id);
      session.close();
      return all;
    };
    expect(ids()).toEqual(ids());
  });
});
