import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { drawSession, fakeHooks, operationParts, pathOf, user } from "../operation-parts.test-support.js";
import { scriptedModel } from "../scripted-model.test-support.js";
import { branchHere } from "./branch-here.js";
import { branchInPlace } from "./branch-in-place.js";
import { clone } from "./clone.js";
import { fork } from "./fork.js";

describe("fork", () => {
  test("copies the path before a user message into a new file and hands back its text", async () => {
    const session = drawSession("A-b-C-d*", {}, { folder: tempFolder() });
    const { hooks, heard } = fakeHooks([]);
    const on = operationParts({ session, hooks });
    const previousSessionFile = session.getSessionFile() as string;
    const bytes = readFileSync(previousSessionFile);
    const forked = await fork(on, { entryId: "C", signal: on.signal });
    const newSessionFile = session.getSessionFile() as string;
    expect(forked).toEqual({ kind: "done", selectedText: "C", cancelled: false, inPlace: false, newSessionFile });
    expect(newSessionFile).not.toBe(previousSessionFile);
    expect(session.getHeader().parentSession).toBe(previousSessionFile);
    expect(pathOf(session)).toEqual(["A:message", "b:message"]);
    expect(readFileSync(previousSessionFile)).toEqual(bytes);
    expect(on.events).toEqual([{ type: "session_changed", reason: "fork", file: newSessionFile }]);
    expect(heard.map(({ type }) => type)).toEqual([
      "session_before_fork",
      "session_before_branch",
      "session_shutdown",
      "session_fork",
      "session_branch",
      "session_start",
    ]);
    expect(heard[4]).toEqual({ type: "session_branch", entryId: "C", previousSessionFile, newSessionFile });
    session.close();
  });

  test("fork from root: an empty session that names its parent", async () => {
    const session = drawSession("A-b*", {}, { folder: tempFolder() });
    const on = operationParts({ session });
    const parentSession = session.getSessionFile();
    expect(await fork(on, { entryId: "A", signal: on.signal })).toMatchObject({ selectedText: "A", cancelled: false });
    expect([session.getLeafId(), session.getEntries(), session.getHeader().parentSession]).toEqual([
      null,
      [],
      parentSession,
    ]);
    session.close();
  });

  test("in-memory fork: the session stays in memory and there is no file", async () => {
    const session = drawSession("A-b-C-d*");
    const on = operationParts({ session });
    const before = session.getSessionId();
    expect(await fork(on, { entryId: "C", signal: on.signal })).toEqual({
      kind: "done",
      selectedText: "C",
      cancelled: false,
      inPlace: false,
    });
    expect([session.getSessionFile(), pathOf(session)]).toEqual([undefined, ["A:message", "b:message"]]);
    expect(session.getSessionId()).not.toBe(before);
  });

  test("labels through forks: those on the copied path are there, the others are not", async () => {
    const session = drawSession("A-b-C-d*", {}, { folder: tempFolder() });
    session.appendLabelChange("b", "start");
    session.appendLabelChange("d", "end");
    const on = operationParts({ session });
    await fork(on, { entryId: "C", signal: on.signal });
    expect([session.getLabel("b"), session.getLabel("d")]).toEqual(["start", undefined]);
    session.close();
  });

  test.each(["session_before_fork", "session_before_branch"] as const)("%s can cancel it", async (name) => {
    const { hooks, heard } = fakeHooks([{ name: "gate", on: { [name]: () => ({ cancel: true }) } }]);
    const session = drawSession("A-b-C-d*");
    const on = operationParts({ session, hooks });
    expect(await fork(on, { entryId: "C", signal: on.signal })).toEqual({
      kind: "cancelled",
      selectedText: "C",
      cancelled: true,
      cancelledBy: "gate",
      inPlace: false,
    });
    expect(session.getLeafId()).toBe("d");
    expect(heard.at(-1)?.type).toBe(name);
  });

  test("forking from anything but a user message is refused and changes nothing", async () => {
    const session = drawSession("A-b*");
    const on = operationParts({ session });
    await expect(fork(on, { entryId: "b", signal: on.signal })).rejects.toMatchObject({ code: "not-a-user-message" });
    expect(session.getLeafId()).toBe("b");
  });

  test("in a fork the moves of the session before cannot be undone, but the runs of its path can", async () => {
    const session = drawSession("A-b-C-d*");
    const on = operationParts({ session });
    await branchHere(on, { entryId: "b", signal: on.signal });
    expect(on.moves.previous(session)).toEqual({ kind: "move", from: "d" });
    await fork(on, { entryId: "C", signal: on.signal });
    expect(on.moves.previous(session)).toEqual({ kind: "run", from: null, entryId: "A" });
  });
});

describe("clone", () => {
  test("copies the whole path and goes there", async () => {
    const session = drawSession("A-b-C-d*; b-E", {}, { folder: tempFolder() });
    const on = operationParts({ session });
    const previous = session.getSessionFile();
    const cloned = await clone(on, on);
    expect(cloned).toEqual({
      kind: "done",
      selectedText: "",
      cancelled: false,
      inPlace: false,
      newSessionFile: session.getSessionFile(),
    });
    expect(session.getSessionFile()).not.toBe(previous);
    expect(pathOf(session)).toEqual(["A:message", "b:message", "C:message", "d:message"]);
    expect(session.getEntry("E")).toBeUndefined();
    session.close();
  });

  test("before the first entry there is nothing to copy", async () => {
    const on = operationParts({ session: drawSession("A-b") });
    on.session.resetLeaf();
    await expect(clone(on, on)).rejects.toMatchObject({ code: "no-content" });
  });
});

describe("branching in place", () => {
  test("branchHere moves like a selection, with a summary on request", async () => {
    const session = drawSession("A-b-C-d*");
    const on = operationParts({ session, model: scriptedModel(["s"]) });
    expect(await branchHere(on, { entryId: "C", summarize: true, signal: on.signal })).toEqual({
      kind: "done",
      selectedText: "C",
      cancelled: false,
      inPlace: true,
    });
    expect(pathOf(session)).toEqual(["A:message", "b:message", "n1:branch_summary", "n2:usage"]);
  });

  test("branchInPlace puts an extension's summary exactly where it says, at null too", async () => {
    const session = drawSession("A-b-C-d*");
    const { hooks, heard } = fakeHooks([]);
    const on = operationParts({ session, hooks });
    const entry = await branchInPlace(on, { parentId: "C", summary: "by me" });
    expect(entry).toMatchObject({ parentId: "C", fromId: "d", summary: "by me", fromHook: true });
    await branchInPlace(on, { parentId: null });
    session.appendMessage(user("new root"));
    expect(session.getLeafEntry()?.parentId).toBeNull();
    expect(heard.map(({ type }) => type)).toEqual(["session_tree", "session_tree"]);
    await expect(branchInPlace(on, { parentId: "zz" })).rejects.toMatchObject({ code: "entry-not-found" });
  });
});
