/** Notes of where files are, for the next process that opens a session. */
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EntryId, FileDelta } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { filesPlace } from "./files-place.test-support.js";
import { forgetStayNotes, type NotePlace, notedStay, writeStayNotes } from "./stay-notes.js";

async function place() {
  const made = await filesPlace({ sessions: join(tempFolder(), "sessions") });
  const { session, store, step } = made;
  const ends: EntryId[] = [];
  for (const text of ["0", "1", "2"]) ends.push(await step(text, { "a.txt": text, "b.txt": text }));
  const note: NotePlace = { store, session: session.getSessionId(), file: session.getSessionFile() as string };
  const noted = async () => (await notedStay(note, session.getSource(), session.getSource().leaf))?.map(pathOf);
  return { ...made, ends: ends as [EntryId, EntryId, EntryId], note, noted };
}

const pathOf = ({ path }: FileDelta) => path;
const change = (path: string): FileDelta => ({ path, before: null, after: { link: "x" } });

test("of several notes the one nearest to the leaf counts, without what was recorded below it", async () => {
  const { session, ends, note, noted, step } = await place();
  expect(await noted()).toBeUndefined();
  const notes = [
    { leaf: ends[0], changes: [change("a.txt")] },
    { leaf: ends[2], changes: [change("a.txt"), change("c.txt")] },
  ];
  writeStayNotes(note, notes, session.getSource());
  expect(await noted()).toEqual(["a.txt", "c.txt"]);
  await step("later", { "a.txt": "later" });
  expect(await noted()).toEqual(["c.txt"]);
});

test("a note says nothing of a place that a move led to which it knows nothing of", async () => {
  const { session, ends, note, noted } = await place();
  writeStayNotes(note, [{ leaf: ends[0], changes: [change("a.txt")] }], session.getSource());
  session.branch(ends[1]);
  expect(await noted()).toBeUndefined();
  session.branch(ends[0]);
  expect(await noted()).toEqual(["a.txt"]);
  session.resetLeaf();
  expect(await noted()).toBeUndefined();
});

test("a restore that never began changed nothing", async () => {
  const { session, ends, note, noted, store } = await place();
  const restore = { id: "11111111-2222", changes: [change("after.txt")] };
  writeStayNotes(note, [{ leaf: ends[2], changes: [change("before.txt")], restore }], session.getSource());
  expect(await noted()).toEqual(["before.txt"]);
  mkdirSync(join(store.folder, "journal"), { recursive: true });
  writeFileSync(join(store.folder, "journal", `${restore.id}.owner.commit`), "");
  expect(await noted()).toEqual(["after.txt"]);
});

test("a copy of the session, and a damaged note, have none", async () => {
  const { session, ends, note, noted, store } = await place();
  writeStayNotes(note, [{ leaf: ends[2], changes: [change("a.txt")] }], session.getSource());
  const copy = join(tempFolder(), "copy.jsonl");
  copyFileSync(note.file, copy);
  const other = SessionManager.open(copy);
  expect(await notedStay({ ...note, file: copy }, other.getSource(), other.getSource().leaf)).toBeUndefined();
  const [name] = readdirSync(join(store.folder, "stayed")) as [string];
  for (const text of [
    "",
    "{",
    '{"file":1}',
    `{"file":${JSON.stringify(note.file)},"last":null,"notes":[{"leaf":3}]}`,
  ]) {
    writeFileSync(join(store.folder, "stayed", name), text);
    expect(await noted()).toBeUndefined();
  }
});

test("notes of deleted sessions go, and those on a disk that is not there stay", async () => {
  const { session, ends, note, store } = await place();
  const left = () => readdirSync(join(store.folder, "stayed")).length;
  writeStayNotes(note, [{ leaf: ends[2], changes: [] }], session.getSource());
  forgetStayNotes(store.folder);
  expect(left()).toBe(1);
  const gone = { ...note, session: "other", file: join(tempFolder(), "unmounted", "s.jsonl") };
  writeStayNotes(gone, [{ leaf: ends[2], changes: [] }], session.getSource());
  rmSync(note.file);
  forgetStayNotes(store.folder);
  expect(left()).toBe(1);
});
