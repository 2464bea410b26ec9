import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { FolderScanner } from "../scan/folder-scanner.js";
import { BlobStore } from "../store/blob-store.js";
import { SavedScanner, savedLook } from "./saved-scanner.js";

test("two who save at once both get what was there when they asked, not what changed since", async () => {
  const [root, folder] = [tempFolder(), tempFolder()];
  for (let i = 0; i < 2_000; i++) writeFileSync(join(root, `f${i}`), "");
  const store = new BlobStore(join(tempFolder(), "files"));
  const scanner = new SavedScanner(new FolderScanner({ root, store, largest: 1000 }), folder);
  await scanner.scan();
  const first = scanner.save();
  await scanner.save();
  // From here on, tools run.
  scanner.note("f0", { link: "changed" });
  scanner.note("new", { link: "made" });
  await first;
  const known = savedLook(folder)?.known;
  expect([known?.size, known?.get("f0")?.state]).toEqual([2_000, expect.objectContaining({ size: 0 })]);
});
