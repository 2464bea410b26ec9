/** Sessions on a log that the program provides. */
import { describe, expect, it } from "vitest";
import { CountingLog } from "../../../../../test/support/counting-log.js";
import { snapshotOf } from "../../../../../test/support/session-snapshot.js";
import { SessionError } from "../../entry/index.js";
import { type LogState, MemoryLog } from "../../log/index.js";
import { SessionManager } from "../session-manager.js";
import { HEADER, line } from "../verify/damaged-files.test-support.js";

const said = (content: string) => ({ role: "user", content, timestamp: 1 }) as const;

function logHolding(...lines: readonly string[]): MemoryLog {
  const log = new MemoryLog();
  log.fill(Buffer.from(lines.map((text) => `${text}\n`).join("")));
  return log;
}

/** A log that returns the state it is told to. */
class ToldLog extends MemoryLog {
  told: LogState | undefined;

  override prepare(): LogState {
    return this.told ?? super.prepare();
  }
}

describe("a session on a log", () => {
  it("is new in an empty log, which gets the header with the first entry", () => {
    const log = new MemoryLog();
    const session = SessionManager.onLog(log, { cwd: "/somewhere", newSessionId: () => "mine" });
    expect([session.getSessionId(), session.getCwd(), log.size()]).toEqual(["mine", "/somewhere", 0]);
    session.appendMessage(said("one"));
    expect(log.readAt(0, log.size()).toString()).toBe(`${session.toLines().join("\n")}\n`);
    expect(session.getSessionFile()).toBeUndefined();
  });

  it("is the one the log holds, at its leaf, and continues there", () => {
    const log = logHolding(HEADER, line("a", null), line("b", "a"));
    const session = SessionManager.onLog(log);
    const id = session.appendMessage(said("c"));
    session.branch("a");
    session.close();
    const again = SessionManager.onLog(log.another());
    expect([again.getBranchIds(id), again.getLeafId(), again.getProblems()]).toEqual([["a", "b", id], "a", []]);
  });

  it("takes in what another session on the same bytes wrote, and both lose nothing", () => {
    const log = logHolding(HEADER, line("a", null));
    const one = SessionManager.onLog(log);
    const two = SessionManager.onLog(log.another());
    const ids = [one.appendMessage(said("of one")), two.appendMessage(said("of two")), one.appendMessage(said("more"))];
    expect([one.refresh(), two.refresh()]).toEqual([[ids[1]], [ids[0], ids[2]]]);
    expect([one.getLeafId(), two.getLeafId()]).toEqual([ids[2], ids[1]]);
    expect(snapshotOf(one).children).toEqual(snapshotOf(two).children);
  });

  it("keeps what the log refuses and writes it first next time", () => {
    const log = new CountingLog(`${HEADER}\n`);
    const session = SessionManager.onLog(log);
    log.writeFault = new SessionError("write-failed", "The database is away");
    expect(() => session.appendMessage(said("one"))).toThrow("The database is away");
    expect([session.getWaitingCount(), session.toLines().length]).toEqual([1, 2]);
    log.writeFault = undefined;
    session.appendMessage(said("two"));
    expect([session.getWaitingCount(), log.text()]).toEqual([0, `${session.toLines().join("\n")}\n`]);
  });

  it("of an old version is read-only, and its lines are upgraded", () => {
    const old = logHolding(HEADER.replace('"version":3', '"version":2'), line("a", null));
    const session = SessionManager.onLog(old);
    expect([session.getReadOnlyReason()?.kind, session.getLeafId()]).toEqual(["old-version", "a"]);
    expect(() => session.appendMessage(said("no"))).toThrow(expect.objectContaining({ code: "read-only" }));
    expect(session.toLines()).toEqual([HEADER, line("a", null)]);
    expect(old.readAt(0, old.size()).toString()).toContain('"version":2');
  });

  it("of a later version, without a header, not writable, or not wanted to be written, is read-only", () => {
    const reasons = [
      SessionManager.onLog(logHolding(HEADER.replace('"version":3', '"version":4'), line("a", null))),
      SessionManager.onLog(logHolding(line("a", null))),
      SessionManager.onLog(new MemoryLog({ access: "read" })),
      SessionManager.onLog(logHolding(HEADER, line("a", null)), { readOnly: true }),
    ].map((session) => session.getReadOnlyReason()?.kind);
    expect(reasons).toEqual(["future-version", "no-header", "asked", "asked"]);
    expect(() => SessionManager.onLog(logHolding("hello"))).toThrow(expect.objectContaining({ code: "not-a-session" }));
  });

  it("starts new sessions and forks on logs that the program makes, and refuses if it makes none", () => {
    const made: MemoryLog[] = [];
    const newLog = () => {
      const log = new MemoryLog();
      made.push(log);
      return log;
    };
    const session = SessionManager.onLog(logHolding(HEADER, line("a", null), line("b", "a")), { newLog });
    session.createBranchedSession("a");
    session.newSession();
    session.appendMessage(said("new"));
    const texts = made.map((log) => log.readAt(0, log.size()).toString().trimEnd().split("\n"));
    expect(texts.map((lines) => lines.length)).toEqual([2, 2]);
    expect([texts[0]?.[1], texts[1]]).toEqual([line("a", null), session.toLines()]);

    const alone = SessionManager.onLog(logHolding(HEADER, line("a", null)));
    const refusal = expect.objectContaining({ code: "no-new-log" });
    expect(() => alone.newSession()).toThrow(refusal);
    expect(() => alone.createBranchedSession("a")).toThrow(refusal);
    const taken = SessionManager.onLog(logHolding(HEADER, line("a", null)), { newLog: () => made[0] as MemoryLog });
    expect(() => taken.newSession()).toThrow(refusal);
    alone.appendMessage(said("still here"));
    expect(alone.toLines()).toHaveLength(3);
  });

  it.each<LogState>(["vanished", "replaced", "shrunk"])(
    "whose log says it is %s fails, and keeps the entry",
    (told) => {
      const log = new ToldLog();
      log.fill(Buffer.from(`${HEADER}\n${line("a", null)}\n`));
      const session = SessionManager.onLog(log);
      log.told = told;
      const failure = expect.objectContaining({ code: "log-changed" });
      expect(() => session.appendMessage(said("b"))).toThrow(failure);
      expect(() => session.refresh()).toThrow(failure);
      expect([session.getWaitingCount(), session.toLines().length]).toEqual([1, 3]);
      log.told = undefined;
      session.appendMessage(said("c"));
      expect([session.getWaitingCount(), session.getCounts().entries]).toEqual([0, 3]);
    },
  );

  it("whose log grew but lost what it held fails too", () => {
    const log = new ToldLog();
    log.fill(Buffer.from(`${HEADER}\n${line("a", null)}\n`));
    const session = SessionManager.onLog(log);
    log.told = "grown";
    log.readAt = () => Buffer.from("something else");
    expect(() => session.appendMessage(said("b"))).toThrow(expect.objectContaining({ code: "log-changed" }));
  });

  it("that is only read refuses to follow a log that was replaced", () => {
    const log = new ToldLog({ access: "read" });
    log.fill(Buffer.from(`${HEADER}\n${line("a", null)}\n`));
    const session = SessionManager.onLog(log);
    log.told = "replaced";
    expect(() => session.refresh()).toThrow(expect.objectContaining({ code: "log-changed" }));
    expect(session.getLeafId()).toBe("a");
  });
});
