/** Entries that are saved with their fields, as a reader of another agent's transcript makes them. */
import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import type { NewEntryFields } from "./appending.js";
import { SessionManager } from "./session-manager.js";

const origin = { agent: "codex", line: 4, id: "native-1" };
const user = { role: "user", content: "hi", timestamp: 0 };

test.each<[string, NewEntryFields]>([
  ["a message", { type: "message", message: user, origin }],
  ["a note", { type: "custom", customType: "mine", data: 1, origin }],
  ["a compaction", { type: "compaction", summary: "short", firstKeptEntryId: "x", tokensBefore: 1, origin }],
  ["an unknown type", { type: "x_own", origin }],
  ["a message with fields of its own", { type: "message", message: user, origin, "x.own": [1] }],
])("%s keeps where it came from, after reopening and in a fork", (_what, fields) => {
  const folder = tempFolder();
  const session = SessionManager.create(folder, folder);
  const first = session.appendMessage({ role: "user", content: "first", timestamp: 0 });
  const id = session.saveEntry(fields);
  const last = session.appendMessage({ role: "user", content: "last", timestamp: 0 });
  expect(session.getEntry(id)).toMatchObject({ ...fields, parentId: first });
  const file = session.getSessionFile() as string;
  session.close();
  const again = SessionManager.open(file);
  expect(again.getEntry(id)).toMatchObject(fields);
  again.createBranchedSession(last);
  expect(again.getEntry(id)).toMatchObject(fields);
  again.close();
});

test("a saved message has the place and the role that any other has", () => {
  const session = SessionManager.inMemory();
  const id = session.saveEntry({
    type: "message",
    message: user,
    origin,
    id: "mine",
    parentId: "none",
    timestamp: "x",
  });
  expect(session.getLeafId()).toBe(id);
  expect(session.getEntry(id)).toEqual({
    type: "message",
    id,
    parentId: null,
    timestamp: expect.stringMatching(/^\d{4}-/),
    message: user,
    origin,
  });
  expect(session.buildSessionContext().messages).toEqual([user]);
  expect(() => session.saveEntry({ type: "message", origin })).toThrow("A message needs a role");
});
