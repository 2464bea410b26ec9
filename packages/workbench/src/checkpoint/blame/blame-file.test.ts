/** Who wrote a line, in real sessions with real files. */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EntryId } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { expect, test } from "vitest";
import { removeContent } from "../../../../../test/support/stored-contents.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { diskFile } from "../disk-file.js";
import { filesPlace } from "../files-place.test-support.js";
import { hashOf } from "../store/blob-store.js";
import { blameFile } from "./blame-file.js";
import { describeStep } from "./describe-step.js";
import { fileHistory } from "./file-history.js";

type Place = Awaited<ReturnType<typeof filesPlace>>;

/** "text: the prompt that wrote it", for each line. */
async function blamed({ root, store }: Place, path: string, files: readonly string[]) {
  const disk = await diskFile(root, path);
  const history = await fileHistory(path, { store, files });
  try {
    const content = disk.kind === "file" ? (disk.content as Buffer) : Buffer.alloc(0);
    const lines = await blameFile(history, { path, content, store });
    return lines.map(({ text, origin }) => {
      if (!("change" in origin)) return `${text}: ${origin.kind}`;
      const { prompt, by, branch } = describeStep(history, origin.change);
      const sure = origin.kind === "unknown" ? "?" : "";
      return `${text}: ${by === "person" ? "person" : prompt?.text}${sure} #${branch.number}`;
    });
  } finally {
    history.close();
  }
}

const fileOf = ({ session }: Place) => session.getSessionFile() as string;

test("each line names the step that wrote it, or that it is older or from outside", async () => {
  const place = await filesPlace();
  place.write({ "a.txt": "old\nsame\n" });
  await place.step("add two", { "a.txt": "old\ntwo\nsame\n" });
  await place.step("change old", { "a.txt": "new\ntwo\nsame\n" });
  place.write({ "a.txt": "new\ntwo\nmine\nsame\n" });
  await place.files.record({ by: "person" });
  await place.step("unrelated", { "b.txt": "b\n" });
  place.write({ "a.txt": "new\ntwo\nmine\nsame\nlater\n" });
  expect(await blamed(place, "a.txt", [fileOf(place)])).toEqual([
    "new: change old #1",
    "two: add two #1",
    "mine: person #1",
    "same: older",
    "later: outside",
  ]);
});

test("on a branch its own steps count, and lines from before the fork are those of the trunk", async () => {
  const place = await filesPlace();
  const { session, files, step } = place;
  const trunk = await step("trunk", { "a.txt": "trunk\n" });
  session.appendMessage({ role: "user", content: "left", timestamp: 0 });
  await step("left", { "a.txt": "trunk\nleft\nshared\n" });
  const left = session.getLeafId() as EntryId;
  const go = async (to: EntryId) => files.follow(to, { plan: await files.plan(to), move: () => session.branch(to) });
  await go(trunk);
  await step("right", { "a.txt": "trunk\nshared\n" });
  const file = fileOf(place);
  expect(await blamed(place, "a.txt", [file])).toEqual(["trunk: trunk #1", "shared: right #2"]);
  await go(left);
  expect(await blamed(place, "a.txt", [file])).toEqual(["trunk: trunk #1", "left: left #1", "shared: left #1"]);
});

test("files that stayed after a move are those of the branch that wrote them", async () => {
  const place = await filesPlace();
  const { session, files, step, say } = place;
  const first = say("first");
  await step("wrote it", { "a.txt": "one\n" });
  const stayed = await files.staying(first);
  session.branch(first);
  stayed();
  say("elsewhere");
  await files.recordStay();
  expect(await blamed(place, "a.txt", [fileOf(place)])).toEqual(["one: wrote it #1"]);
});

test("a file is traced through a rename and into other sessions of the folder", async () => {
  const one = await filesPlace();
  await one.step("begin", { "old.txt": "begin\n" });
  const two = await filesPlace({ root: one.root, store: one.store.folder });
  await two.step("rename", () => renameSync(two.at("old.txt"), two.at("new.txt")));
  await two.step("extend", { "new.txt": "begin\nextended\n" });
  expect(await blamed(two, "new.txt", [fileOf(one), fileOf(two)])).toEqual(["begin: begin #1", "extended: extend #1"]);
});

test("a fork's copies are the original's", async () => {
  const place = await filesPlace();
  await place.step("original", { "a.txt": "one\n" });
  const copy = SessionManager.forkFrom(fileOf(place), place.root, tempFolder());
  const copied = copy.getSessionFile() as string;
  copy.close();
  const history = await fileHistory("a.txt", { store: place.store, files: [copied, fileOf(place)] });
  const content = Buffer.from("one\n");
  const [line] = await blameFile(history, { path: "a.txt", content, store: place.store });
  if (line === undefined || line.origin.kind !== "step") throw new Error("bug: no step");
  expect(describeStep(history, line.origin.change).session.path).toBe(fileOf(place));
  history.close();
});

test("what is missing or damaged makes a line uncertain, never wrong, and is reported", async () => {
  const place = await filesPlace();
  const { store, step } = place;
  await step("first", { "a.txt": "one\n" });
  await step("second", { "a.txt": "one\ntwo\n" });
  await removeContent(store, hashOf(Buffer.from("one\n")));
  expect(await blamed(place, "a.txt", [fileOf(place)])).toEqual(["one: second? #1", "two: second? #1"]);
  const broken = join(tempFolder(), "broken.jsonl");
  writeFileSync(broken, '{"type":"custom","customType":"bough.files","data":{"v":1,"changes":[{"path":"a.txt"');
  const history = await fileHistory("a.txt", {
    store,
    files: [broken, join(tempFolder(), "gone.jsonl"), tempFolder()],
  });
  expect([history.changes, history.unread.map(({ reason }) => reason)]).toEqual([
    [],
    [expect.stringMatching(/EISDIR/)],
  ]);
  await expect(blameFile(history, { path: "a.txt", content: Buffer.from("x"), store })).rejects.toMatchObject({
    code: "no-file-history",
  });
});

test("binary files are refused", async () => {
  const place = await filesPlace();
  await place.step("first", { binary: Buffer.from([0, 1]) });
  await expect(blamed(place, "binary", [fileOf(place)])).rejects.toMatchObject({ code: "not-text" });
});
