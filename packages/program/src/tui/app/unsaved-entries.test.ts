import { describe, expect, test } from "vitest";
import { breakFiles, mendFiles, systemError } from "../../../../../test/support/file-faults.js";
import { TestApp } from "./app.test-support.js";

describe("quitting while the disk is full", () => {
  test("says first what would be lost, and the last words do not claim that it was saved", async () => {
    const app = await TestApp.open();
    app.type("list the files");
    app.press("enter");
    await app.shows("found by rules");
    for (let rounds = 1000; app.agent.isStreaming && rounds > 0; rounds--) await app.lines();
    breakFiles("writeSync", () => {
      throw systemError("ENOSPC");
    });
    app.type("one more");
    app.press("enter");
    await app.shows("Could not save the last entry: the disk is full.");
    app.press("ctrl+d");
    await app.shows(/\d+ entr(?:y|ies) could not be saved\./);
    expect(app.terminal.farewell()).toMatch(/^Session saved, except its last (?:\d+ entries|1 entry), in /m);
    app.press("ctrl+d");
    expect(await app.ended).toBe(0);
    mendFiles();
    await app.close();
  });
});
