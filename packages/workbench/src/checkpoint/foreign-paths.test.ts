/** Which files of this machine a session from elsewhere can make Bough read. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FILES_TYPE, type FileState } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { Origins } from "@bough/session/session/internal.js";
import { describe, expect, test, vi } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { gitIn } from "./files-place.test-support.js";
import { hashOf } from "./index.js";
import { FolderScanner } from "./scan/folder-scanner.js";
import { GitScanner } from "./scan/git-scanner.js";
import { SessionFiles } from "./session-files.js";
import { BlobStore } from "./store/blob-store.js";

const SECRET = "TOKEN=hush\n";

/** A folder with ignored files, and a session from a store which claims that a tool wrote these paths there. */
async function pulled(paths: readonly string[], { isGit }: { readonly isGit: boolean }) {
  const [root, home] = [tempFolder(), tempFolder()];
  vi.stubEnv("BOUGH_HOME", home);
  if (isGit) gitIn(root, "init", "--quiet");
  writeFileSync(join(root, ".gitignore"), ".env\n/private/\n");
  mkdirSync(join(root, "private"));
  for (const name of [".env", "private/key", "a.txt"]) writeFileSync(join(root, name), SECRET);
  const store = new BlobStore(join(tempFolder(), "files"));
  const session = SessionManager.create(root, tempFolder());
  session.appendMessage({ role: "user", content: "first", timestamp: 1 });
  const after: FileState = { hash: await store.put(Buffer.from("theirs")), mode: "644", size: 6 };
  const changes = paths.map((path) => ({ path, before: null, after }));
  const theirs = session.appendCustomEntry(FILES_TYPE, { v: 1, by: "tool", tool: "write", changes });
  new Origins(home, session.getSessionId()).add([{ id: theirs, replica: { id: "r1", name: "desktop" } }]);
  const look = { root, store, largest: 1 << 20 };
  const scanner = isGit ? new GitScanner({ ...look, index: join(tempFolder(), "index") }) : new FolderScanner(look);
  const files = new SessionFiles({ session, root, store, scanner, home });
  const isStored = (text: string) => store.has(hashOf(Buffer.from(text)));
  return { root, session, files, theirs, isStored };
}

const written = (session: SessionManager) => JSON.stringify(session.getBranch().slice(2));

describe.each([
  ["a git repository", true],
  ["a folder without git", false],
])("a session from a store, in %s", (_, isGit) => {
  test("does not make ignored files be read, whatever its records name", async () => {
    const paths = [".env", "private/key", ".env/below", "private/new"];
    const { root, session, files, isStored } = await pulled(paths, { isGit });
    writeFileSync(join(root, "a.txt"), "mine");
    const recorded = await files.recordOutside();
    expect([recorded?.changes ?? [], isStored(SECRET)]).toEqual([[], false]);
    // The same holds later on.
    await files.begin();
    writeFileSync(join(root, ".env"), "TOKEN=other\n");
    await files.record({ by: "person" });
    expect([isStored("TOKEN=other\n"), written(session).includes(".env")]).toEqual([false, false]);
  });

  test("has what differs of other files recorded as before", async () => {
    const { files } = await pulled(["a.txt", ".env", "gone.txt"], { isGit });
    const recorded = await files.recordOutside();
    expect(recorded?.changes.map(({ path, after }) => [path, after !== null])).toEqual([
      ["a.txt", true],
      ["gone.txt", false],
    ]);
  });

  test("an ignored file that a tool named on this machine too is recorded", async () => {
    const { root, session, files, isStored } = await pulled([".env"], { isGit });
    const after = { hash: hashOf(Buffer.from("ours")), mode: "644", size: 4 } as const;
    const changes = [{ path: ".env", before: null, after }];
    session.appendCustomEntry(FILES_TYPE, { v: 1, by: "tool", tool: "write", changes });
    const recorded = await files.recordOutside();
    expect([recorded?.changes.map(({ path }) => path), isStored(readFileSync(join(root, ".env"), "utf8"))]).toEqual([
      [".env"],
      true,
    ]);
  });
});
