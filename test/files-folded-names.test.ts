/** Names that differ only in case or in the spelling of an accent, where the file system takes them for the same. */
import { readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { hashOf } from "@bough/workbench/checkpoint/index.js";
import { expect, test } from "vitest";
import { FilesPlace } from "./support/files-place.js";
import { foldNames } from "./support/folded-files.js";

const [COMPOSED, SPELT_OUT] = ["\u00e9.txt", "e\u0301.txt"];

const names = (place: FilesPlace, folder = "") => readdirSync(join(place.root, folder)).sort();

test("the file system of these tests takes two spellings for one name", () => {
  const place = new FilesPlace();
  foldNames(place.root);
  place.write("readme", "text");
  expect([readFileSync(place.at("README"), "utf8"), names(place)]).toEqual(["text", ["readme"]]);
});

test.each([
  ["readme", "README"],
  [COMPOSED, SPELT_OUT],
  ["Folder/file", "folder/file"],
])("a file that only got another spelling goes back to the old one, and forward again: %j to %j", async (from, to) => {
  const place = new FilesPlace();
  foldNames(place.root);
  place.write(from, "text");
  place.write("other", "other");
  const first = place.say("first");
  const before = names(place);
  const moved = await place.step("rename", () => {
    const [one, two] = [from.split("/")[0] as string, to.split("/")[0] as string];
    renameSync(place.at(one), place.at("between"));
    renameSync(place.at("between"), place.at(two));
  });
  const after = names(place);
  expect(after).not.toEqual(before);
  await place.go(first);
  expect([names(place), readFileSync(place.at(from), "utf8")]).toEqual([before, "text"]);
  await place.go(moved);
  expect([names(place), readFileSync(place.at(to), "utf8")]).toEqual([after, "text"]);
  expect(await place.files.record({ by: "person" })).toBeUndefined();
});

test.each([
  ["readme", "README"],
  [COMPOSED, SPELT_OUT],
])("two files of a session that are one here: none is lost, and one is named: %j and %j", async (one, two) => {
  const place = new FilesPlace();
  const first = place.say("first");
  // On a machine that tells them apart.
  const both = await place.step("make", () => {
    place.write(one, "one");
    place.write(two, "two");
  });
  await place.go(first);
  foldNames(place.root);
  expect(await place.go(both)).toMatchObject({ written: [two], kept: [one] });
  expect([names(place), readFileSync(place.at(two), "utf8")]).toEqual([[two], "two"]);
  expect(await place.go(first)).toMatchObject({ deleted: [two], kept: [] });
  expect([names(place), (await place.store.get(hashOf(Buffer.from("one")))).toString()]).toEqual([[], "one"]);
});

test.each([
  ["readme", "README"],
  [COMPOSED, SPELT_OUT],
])("a file of the person with another spelling is never overwritten: %j where %j was", async (mine, theirs) => {
  const place = new FilesPlace();
  foldNames(place.root);
  place.write(theirs, "theirs");
  const first = place.say("first");
  await place.step("remove", () => rmSync(place.at(theirs)));
  place.write(mine, "mine");
  const outcome = await place.go(first);
  expect([outcome.written, outcome.kept]).toEqual([[], [theirs]]);
  expect([names(place), readFileSync(place.at(mine), "utf8")]).toEqual([[mine], "mine"]);
});
