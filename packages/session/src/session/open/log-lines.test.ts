/** A session from lines equals the session of a file with the same bytes, including damage, and returns the lines. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampledRuns } from "../../../../../test/support/sampled.js";
import { snapshotOf } from "../../../../../test/support/session-snapshot.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { damage, sessionLines } from "../repair/random-damage.test-support.js";
import { SessionManager } from "../session-manager.js";
import type { SessionOptions } from "../session-options.js";
import { DAMAGED, HEADER, line } from "../verify/damaged-files.test-support.js";
import { verifySession } from "../verify-session.js";

function fixed(): SessionOptions {
  let ids = 0;
  return {
    now: () => new Date(Date.UTC(2026, 5, 1)),
    newId: () => `new${ids++}`,
    newSessionId: () => "a-new-session",
    durability: "none",
  };
}

function fileWith(content: string | Buffer): string {
  const path = join(tempFolder(), "session.jsonl");
  writeFileSync(path, content);
  return path;
}

const joined = (lines: readonly string[]) => `${lines.join("\n")}\n`;
/** The lines of a text, the last one with or without its newline. */
const linesIn = (text: string) => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));
const said = (content: string) => ({ role: "user", content, timestamp: 1 }) as const;

/** The properties of a session when it is opened, and again after an append; or the code of the error. */
function accountOf(open: () => SessionManager): unknown {
  let session: SessionManager;
  try {
    session = open();
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
  const opened = [snapshotOf(session), session.getHeader(), session.getReadOnlyReason(), session.getProblems()];
  const lines = session.toLines();
  if (session.getReadOnlyReason() !== undefined) return { opened, lines };
  session.appendMessage(said("one more"));
  session.appendMessage(said("and another"));
  session.refresh();
  const appended = [snapshotOf(session), session.getProblems()];
  const written = session.toLines();
  session.close();
  return { opened, lines, appended, written };
}

function compareWithFile(bytes: Buffer): void {
  const path = fileWith(bytes);
  const ofFile = accountOf(() => SessionManager.open(path, undefined, fixed()));
  expect(accountOf(() => SessionManager.fromLines(bytes, fixed()))).toEqual(ofFile);
  const text = bytes.toString("utf8");
  if (text.endsWith("\n") && Buffer.from(text).equals(bytes)) {
    expect(accountOf(() => SessionManager.fromLines(linesIn(text), fixed()))).toEqual(ofFile);
  }
  const { lines, written } = Object(ofFile) as { lines?: string[]; written?: string[] };
  if (written !== undefined) expect(written).toEqual(linesIn(readFileSync(path, "utf8")));
  else if (lines !== undefined) expect(lines).toEqual(linesIn(text));
}

/** Comparing recurses, so it cannot compare 10,000 levels of nesting. */
const SHALLOW = Object.keys(DAMAGED).filter((name) => name !== "deep nesting");

describe("fromLines", () => {
  it.each(SHALLOW)("is the session of a file with the same bytes: %s", (name) => {
    compareWithFile(DAMAGED[name] as Buffer);
  });

  it("is the session of a file with the same bytes, whatever happened to them", () => {
    fc.assert(
      fc.property(sessionLines, fc.array(damage, { maxLength: 3 }), (lines, damages) => {
        compareWithFile(damages.reduce<Buffer>((sofar, hurt) => hurt(sofar), Buffer.from(joined(lines))));
      }),
      { numRuns: sampledRuns({ all: 2000, some: 75 }) },
    );
  });

  it("takes a text, its bytes, and lines with or without their newlines", () => {
    const lines = [HEADER, line("a", null, "ä"), line("b", "a")];
    const forms = [joined(lines), Buffer.from(joined(lines)), lines, lines.map((text) => `${text}\n`), new Set(lines)];
    for (const form of forms) {
      const session = SessionManager.fromLines(form);
      expect([session.toLines(), session.getProblems(), session.getLeafId()]).toEqual([lines, [], "b"]);
    }
  });

  it("reports a torn last line of a text, and another problem once a line follows", () => {
    const torn = SessionManager.fromLines(`${joined([HEADER, line("a", null)])}{"type":"mess`);
    expect(torn.getProblems().map(({ code }) => code)).toEqual(["torn-tail"]);
    torn.appendMessage(said("next"));
    torn.refresh();
    expect(torn.getProblems().map(({ code }) => code)).toEqual(["unreadable-line"]);
    expect(torn.toLines()).toHaveLength(4);
  });

  it("writes nothing if it is asked to be read-only", () => {
    const old = `{"type":"session","version":2,"id":"s","timestamp":"t","cwd":"/w"}`;
    for (const header of [HEADER, old]) {
      const session = SessionManager.fromLines([header, line("a", null)], { readOnly: true });
      expect([session.getReadOnlyReason()?.kind, session.getLeafId()]).toEqual(["asked", "a"]);
      expect(() => session.appendMessage(said("no"))).toThrow(expect.objectContaining({ code: "read-only" }));
    }
  });

  it("is not in a file: new sessions and forks from it are in memory too", () => {
    const session = SessionManager.fromLines([HEADER, line("a", null), line("b", "a")]);
    expect([session.getSessionFile(), session.createBranchedSession("a")]).toEqual([undefined, undefined]);
    expect(session.toLines().slice(1)).toEqual([line("a", null)]);
    expect([session.newSession({ id: "fresh" }), session.toLines().length]).toEqual([undefined, 1]);
    expect(session.getSessionId()).toBe("fresh");
  });
});

describe("toLines", () => {
  it("of a session without entries is its header, in memory and for a file that does not exist yet", () => {
    const options = fixed();
    const dir = tempFolder();
    const header = `{"type":"session","version":3,"id":"a-new-session","timestamp":"2026-06-01T00:00:00.000Z","cwd":"/w"}`;
    for (const session of [SessionManager.inMemory("/w", options), SessionManager.create("/w", dir, options)]) {
      expect(session.toLines()).toEqual([header]);
      expect(SessionManager.fromLines(session.toLines()).toLines()).toEqual([header]);
    }
  });

  it("gives, after an append, a file that opens and in which nothing is wrong", async () => {
    await fc.assert(
      fc.asyncProperty(sessionLines, async (lines) => {
        const session = SessionManager.fromLines(lines, fixed());
        const before = new Set((await verifySession(fileWith(joined(lines)))).findings.map(({ code }) => code));
        const first = session.appendMessage(said("one"));
        session.appendMessage(said("two"));
        session.branch(first);
        session.close();
        const path = fileWith(joined(session.toLines()));
        const { findings, ok } = await verifySession(path);
        expect([ok, findings.filter(({ code }) => !before.has(code))]).toEqual([true, []]);
        const opened = SessionManager.open(path);
        expect(snapshotOf(opened)).toEqual(snapshotOf(SessionManager.fromLines(session.toLines())));
        expect(opened.getLeafId()).toBe(first);
        opened.close();
      }),
      { numRuns: sampledRuns({ all: 300, some: 20 }) },
    );
  });

  it("of a file are the lines of that file, until it is closed", () => {
    const session = SessionManager.create("/w", tempFolder(), fixed());
    session.appendMessage(said("one"));
    session.appendMessage(said("two"));
    expect(session.toLines()).toEqual(linesIn(readFileSync(session.getSessionFile() as string, "utf8")));
    session.close();
    expect(() => session.toLines()).toThrow(expect.objectContaining({ code: "closed" }));
  });
});
