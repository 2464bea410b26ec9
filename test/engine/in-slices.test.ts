/** Long work in slices: the same result as in one go, and other work runs in between. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it, vi } from "vitest";
import { HEADER_LINE, line } from "../support/session-lines.js";
import { tempFolder } from "../support/temp-folder.js";
import { readableIds } from "../support/tree-notation.js";

const COUNT = 10_000;

function longFile(damage = ""): string {
  const file = join(tempFolder(), "long.jsonl");
  const lines = Array.from({ length: COUNT }, (_, n) => line(`e${n}`, n === 0 ? null : `e${n - 1}`));
  lines.splice(COUNT / 2, 0, damage);
  writeFileSync(file, HEADER_LINE + lines.join(""));
  return file;
}

function options() {
  let count = 0;
  return { now: () => new Date(0), newId: readableIds("new").next, newSessionId: () => `session-${++count}` };
}

/**
 * What the work gives, and how often something else had a turn before it ended. A second passes between any two looks at the clock,
 * so a turn is due at every step on the fastest machine too.
 */
async function withOthers<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly turns: number }> {
  let turns = 0;
  let isRunning = true;
  let now = performance.now();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => {
    now += 1000;
    return now;
  });
  const ended = work().finally(() => {
    isRunning = false;
    clock.mockRestore();
  });
  while (isRunning) {
    await setImmediate();
    turns += 1;
  }
  return { result: await ended, turns };
}

describe("in slices", () => {
  it.each([
    ["in order", ""],
    ["damaged", "{not json\n"],
    ["with an id twice", line("e7", "e6", { note: "another" })],
    ["with a parent that is missing", line("lost", "nowhere")],
  ])("opens a session that is %s as in one go", async (_name, damage) => {
    const file = longFile(damage);
    const { result: sliced, turns } = await withOthers(() => SessionManager.openInSlices(file));
    using session = sliced;
    using whole = SessionManager.open(file);
    expect(turns).toBeGreaterThan(2);
    expect(session.getProblems()).toEqual(whole.getProblems());
    expect(session.getCounts()).toEqual(whole.getCounts());
    expect(session.getBranchIds()).toEqual(whole.getBranchIds());
    expect(session.getSessionFile()).toBe(file);
  });

  it("makes the same file of a path, and lets others run", async () => {
    const file = longFile();
    using session = SessionManager.open(file, tempFolder(), options());
    using other = SessionManager.open(file, tempFolder(), options());
    session.appendLabelChange("e9", "nine");
    other.appendLabelChange("e9", "nine");
    const whole = session.createBranchedSession(`e${COUNT - 2}`) as string;
    const { result: sliced, turns } = await withOthers(() => other.createBranchedSessionInSlices(`e${COUNT - 2}`));
    expect(turns).toBeGreaterThan(2);
    expect(readFileSync(sliced as string, "utf8")).toBe(readFileSync(whole, "utf8"));
    expect(other.getSessionFile()).toBe(sliced);
    expect(other.getLeafId()).toBe(session.getLeafId());
  });

  it("makes the same session of a path in memory", async () => {
    const lines = readFileSync(longFile(), "utf8");
    const one = SessionManager.fromLines(lines, options());
    const other = SessionManager.fromLines(lines, options());
    one.createBranchedSession("e5");
    expect(await other.createBranchedSessionInSlices("e5")).toBeUndefined();
    expect(other.toLines()).toEqual(one.toLines());
  });

  it("leaves a session that was closed meanwhile closed", async () => {
    const session = SessionManager.open(longFile(), tempFolder(), options());
    const making = session.createBranchedSessionInSlices(`e${COUNT - 1}`);
    session.close();
    await expect(making).rejects.toThrow();
    expect(() => session.appendSessionInfo("late")).toThrow("This session is closed");
  });
});
