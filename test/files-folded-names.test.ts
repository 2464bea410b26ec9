/** Names that differ only in case or in the spelling of an accent, where the file system takes them for the same. */
import { readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
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
