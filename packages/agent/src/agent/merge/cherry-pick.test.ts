import { readFileSync } from "node:fs";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import {
  answer,
  drawSession,
  type Grow,
  operationParts,
  pathOf,
  result,
  says,
  type TestParts,
} from "../operation-parts.test-support.js";
import { sessionStats } from "../stats.js";
import { cherryPick } from "./cherry-pick.js";

/** `E` to `g` is another branch; `f` makes two calls whose results come the other way round. */
const DRAWING = "A-b-C-d*; b-E-f-q-p-g";
const CONTENTS: Readonly<Record<string, Grow>> = {
  f: says(
    answer("looking", {
      calls: [
        { id: "1", name: "read", path: "a.ts" },
        { id: "2", name: "read", path: "b.ts" },
      ],
      usage: { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 },
    }),
  ),
  q: says(result("2")),
  p: says(result("1")),
};

function pick(on: TestParts, ...ids: string[]) {
  return cherryPick(on, { ids, signal: on.signal });
}

describe("cherry-pick", () => {
  test("copies entries under the leaf with their origin; the sources stay as they are", async () => {
    const session = drawSession(DRAWING, CONTENTS);
    const on = operationParts({ session });
    const sources = session.getBranch("g");
    expect(await pick(on, "E", "g")).toEqual({ kind: "done", ids: ["n2", "n4"], skipped: [] });
    expect(pathOf(session).slice(4)).toEqual(["n1:custom", "n2:message", "n3:custom", "n4:message"]);
    expect(session.getEntry("n1")).toMatchObject({
      customType: "bough.cherry-pick",
      data: { via: "cherry-pick", sourceIds: ["E"] },
    });
    expect(session.getEntry("n2")).toMatchObject({ message: { role: "user", content: "E" } });
    expect(session.getBranch("g")).toEqual(sources);
    expect(on.events).toEqual([{ type: "entries", ids: ["n2", "n4"] }]);
  });

  test("twice adds nothing, also after reopening", async () => {
    const session = drawSession(DRAWING, CONTENTS, { folder: tempFolder() });
    const on = operationParts({ session });
    await pick(on, "E", "f");
    const file = session.getSessionFile() as string;
    const bytes = readFileSync(file);
    const skipped = ["E", "f", "p"].map((id) => ({ id, reason: "copied-before" }));
    expect(await pick(on, "E", "f", "p")).toEqual({ kind: "unchanged", skipped });
    session.close();
    const again = SessionManager.open(file);
    expect(await pick(operationParts({ session: again }), "E", "f", "p")).toEqual({ kind: "unchanged", skipped });
    again.close();
    expect(readFileSync(file)).toEqual(bytes);
  });

  test.each([["f"], ["q"], ["p"]])("half of a tool pair is copied with the other half: %s", async (id) => {
    const session = drawSession(DRAWING, CONTENTS);
    const on = operationParts({ session });
    expect(await pick(on, id)).toMatchObject({ kind: "done", ids: ["n2", "n3", "n4"] });
    expect(session.getEntry("n1")).toMatchObject({ data: { sourceIds: ["f", "p", "q"] } });
    const { messages } = session.buildSessionContext();
    expect(messages.slice(-3)).toMatchObject([
      { role: "assistant", content: [{ text: "looking" }, { id: "1" }, { id: "2" }] },
      { role: "toolResult", toolCallId: "1", isError: false },
      { role: "toolResult", toolCallId: "2", isError: false },
    ]);
  });

  test("naming a whole pair copies it once", async () => {
    const session = drawSession(DRAWING, CONTENTS);
    expect(await pick(operationParts({ session }), "q", "f", "p")).toMatchObject({ ids: ["n2", "n3", "n4"] });
  });

  test("entries on this path or without content are skipped, with the reason", async () => {
    const session = drawSession("A-b*; A-k", { k: (on) => void on.appendThinkingLevelChange("low") });
    const on = operationParts({ session });
    expect(await pick(on, "A", "k")).toEqual({
      kind: "unchanged",
      skipped: [
        { id: "A", reason: "on-this-path" },
        { id: "k", reason: "no-content" },
      ],
    });
    await expect(pick(on, "zz")).rejects.toMatchObject({ code: "entry-not-found" });
  });

  test("a record whose copies never came does not count", async () => {
    const session = drawSession(DRAWING, CONTENTS);
    session.appendCustomEntry("bough.cherry-pick", { via: "cherry-pick", sourceIds: ["E"] });
    expect(await pick(operationParts({ session }), "E")).toMatchObject({ kind: "done" });
  });

  test("copies cost nothing: totals do not count the same answer twice", async () => {
    const session = drawSession(DRAWING, CONTENTS);
    const before = sessionStats(session).session.usage;
    await pick(operationParts({ session }), "f");
    expect(sessionStats(session).session.usage).toEqual(before);
  });

  test("custom messages and branch summaries are copied as what they say", async () => {
    const session = drawSession("A-b*; A-m-s", {
      m: (on) => void on.appendCustomMessageEntry("lint", "clean", true, { rule: 1 }),
      s: (on) => void on.branchWithSummary("m", "learned"),
    });
    const on = operationParts({ session });
    await pick(on, "m", "s");
    expect(session.getEntry("n2")).toMatchObject({
      type: "custom_message",
      customType: "lint",
      content: "clean",
      details: { rule: 1 },
    });
    expect(session.getEntry("n4")).toMatchObject({
      type: "custom_message",
      content: expect.stringContaining("learned"),
    });
    expect(await pick(on, "m", "s")).toMatchObject({ kind: "unchanged" });
  });

  test("after an abort nothing is copied", async () => {
    const on = operationParts({ session: drawSession(DRAWING, CONTENTS) });
    on.controller.abort();
    expect(await pick(on, "E")).toEqual({ kind: "aborted" });
    expect(on.session.getLeafId()).toBe("d");
  });
});
