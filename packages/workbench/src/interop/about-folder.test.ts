import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { isAbout } from "./about-folder.js";

test("a session is about the folder that its own folder resolves to, whatever their names", () => {
  const parent = tempFolder();
  const [folder, link, other, gone] = ["folder", "link", "other", "gone"].map((name) => join(parent, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const made of [folder, other]) mkdirSync(made);
  symlinkSync(folder, link);
  const about = (wanted: string) => [folder, link, other, gone, ""].filter((cwd) => isAbout(wanted)({ cwd }));
  expect({ folder: about(folder), link: about(link), gone: about(gone) }).toEqual({
    folder: [folder, link],
    link: [folder, link],
    gone: [],
  });
});
