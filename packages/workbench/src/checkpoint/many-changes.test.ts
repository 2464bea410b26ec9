/** Sessions that claim to have changed more files than any step does. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FILES_TYPE, type FileDelta } from "@bough/session/entry/index.js";
import { MOST_CHANGES } from "@bough/session/entry/internal.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { filesBetween, filesToDisk } from "./diff-files.js";
import { filesPlace } from "./files-place.test-support.js";
import { hasFileRecords } from "./steps-between.js";

function changesNamed(start: string, count: number): readonly FileDelta[] {
  return Array.from({ length: count }, (_, n) => ({ path: `${start}${n}`, before: null, after: null }));
}

/** How many there are tells enough: what they are is not looked at. */
const TOO_MANY = Array.from({ length: MOST_CHANGES + 1 }, () => 0);

describe("a record of more changes than any step makes", () => {
  test("is not read, which is said in one sentence; the conversation is there, and the record stays in the file", async () => {
    const place = await filesPlace();
    const first = place.say("first");
    const record = { v: 1, by: "tool", tool: "bash", changes: TOO_MANY };
    const entry = place.session.appendCustomEntry(FILES_TYPE, record);
    place.say("second");
    const message = `Entry ${entry} records changes of more than 1,000,000 files`;
    const refused = { code: "too-many-changes", message };
    await expect(place.files.recordOutside()).rejects.toMatchObject(refused);
    await expect(place.files.plan(first)).rejects.toMatchObject(refused);
    const source = place.session.getSource();
    const { store, root } = place;
    await expect(filesToDisk(source, source.leaf, { store, root })).rejects.toMatchObject(refused);
    const between = await filesBetween(source, { from: place.numberOf(first), to: source.leaf }, { store });
    expect(between).toMatchObject({ changes: [], unread: [entry] });
    expect(hasFileRecords(source)).toBe(true);
    place.session.close();
    const again = SessionManager.open(place.session.getSessionFile() as string);
    expect(again.getBranch().map(({ type }) => type)).toEqual(["message", "custom", "message"]);
    again.close();
  });

  test("is refused too if the list is a stored content", async () => {
    const place = await filesPlace();
    place.say("first");
    const changesIn = await place.store.put(Buffer.from(JSON.stringify(TOO_MANY)));
    place.session.appendCustomEntry(FILES_TYPE, { v: 1, by: "tool", tool: "bash", changes: [], changesIn });
    await expect(place.files.plan(null)).rejects.toMatchObject({
      code: "too-many-changes",
      message: "This session has a record of changes of more than 1,000,000 files",
    });
  });
});

test.runIf(process.env.BOUGH_RUNS === "all")(
  "many records that name too many files together are refused in one sentence",
  async () => {
    const root = tempFolder();
    const file = join(tempFolder(), "s.jsonl");
    const time = "2026-01-15T12:00:00.000Z";
    const lines: Record<string, unknown>[] = [
      { type: "session", version: 3, id: "claims", timestamp: time, cwd: root },
    ];
    for (let n = 0; n < 5; n++) {
      const data = { v: 1, by: "tool", tool: "bash", changes: changesNamed(`d${n}/`, MOST_CHANGES / 4) };
      const place = { id: `00000000000${n}`, parentId: n === 0 ? null : `00000000000${n - 1}`, timestamp: time };
      lines.push({ type: "custom", ...place, customType: FILES_TYPE, data });
    }
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const session = SessionManager.open(file, undefined, { readOnly: true });
    const source = session.getSource();
    const { store } = await filesPlace();
    await expect(filesToDisk(source, source.leaf, { store, root })).rejects.toMatchObject({
      code: "too-many-changes",
      message: "This session records changes of more than 1,000,000 files",
    });
    session.close();
  },
);
