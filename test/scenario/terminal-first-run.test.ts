import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { conversation, sessionFiles, theOnly } from "./cli-support.js";
import { idle, say, sitDown } from "./terminal-support.js";

describe("the first start", () => {
  test("says what is kept and how to go back, writes no file before something is said, gives the terminal back, and its hints come once", async () => {
    const seat = sitDown({ settings: null });
    for (const columns of [40, 120, 80]) {
      seat.terminal.resize(columns, 24);
      const isDrawn = () => seat.terminal.lines.includes("─".repeat(columns));
      await seat.terminal.shows((text) => isDrawn() && /New session[\s\S]*Everything you try is kept\./.test(text));
      expect(seat.terminal.isFullScreen).toBe(true);
      for (const line of seat.terminal.lines) expect([...line].length).toBeLessThanOrEqual(columns);
    }
    expect(sessionFiles(seat.place)).toEqual([]);
    seat.terminal.press("ctrl+d");
    expect(await seat.terminal.ends()).toBe(0);
    expect(seat.terminal.isFullScreen).toBe(false);
    expect(sessionFiles(seat.place)).toEqual([]);
    const { terminal } = sitDown({ place: seat.place });
    await terminal.shows("New session");
    expect(terminal.text).not.toContain("Everything you try is kept.");
  });
});

describe("a turn with tools", () => {
  test("lists, reads, asks before a command, where no means no, and keeps it all", async () => {
    const seat = sitDown();
    await seat.terminal.shows("New session");
    seat.terminal.type("run touch made-by-a-tool").press("enter");
    await seat.terminal.shows("touch made-by-a-tool");
    await seat.terminal.shows("Run this command?");
    (await seat.terminal.yieldNow()).press("n");
    await seat.terminal.hides("Run this command?");
    await seat.terminal.shows("said no");
    await idle(seat);
    expect(existsSync(`${seat.place.cwd}/made-by-a-tool`)).toBe(false);
    await say(seat, "list the files here", "notes.txt");
    await say(seat, "read notes.txt", "buy milk");
    seat.terminal.press("ctrl+d");
    expect(await seat.terminal.ends()).toBe(0);
    expect(seat.terminal.history).toMatch(/To resume: bough -r \S+/);
    const said = await conversation(theOnly(sessionFiles(seat.place)));
    expect(said.filter((line) => line.startsWith("user:"))).toEqual([
      "user: run touch made-by-a-tool",
      "user: list the files here",
      "user: read notes.txt",
    ]);
  });

  test("Esc stops a running command, and the session continues", async () => {
    const seat = sitDown({ settings: { model: "offline/rules", permissionMode: "auto" } });
    await seat.terminal.shows("New session");
    seat.terminal.type("run sleep 30").press("enter");
    await seat.terminal.shows(/sleep 30[\s\S]*\d+ ?s/);
    seat.terminal.press("esc");
    await seat.terminal.shows(/stopped|aborted|interrupted/i);
    await say(seat, "list the files here", "notes.txt");
  });
});
