/** A project in its own home, with a session that recorded changes of files, for subcommands. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { sessionFolder } from "@bough/session/session/index.js";
import { filesPlace, gitIn } from "@bough/workbench/checkpoint/files-place.test-support.js";
import { type FilesRoot, filesRoot } from "@bough/workbench/checkpoint/index.js";
import { vi } from "vitest";
import { tempFolder } from "../../../../../../test/support/temp-folder.js";
import { type CommandEnd, runCommand } from "../import/run-command.test-support.js";

export async function projectPlace(kind: "git" | "folder" = "folder") {
  const home = tempFolder();
  const cwd = join(home, "project");
  mkdirSync(cwd);
  vi.stubEnv("HOME", home);
  vi.stubEnv("BOUGH_HOME", join(home, "bough"));
  if (kind === "git") gitIn(cwd, "init", "--quiet");
  if (kind === "git") gitIn(cwd, "commit", "--quiet", "--allow-empty", "-m", "first");
  const { store } = (await filesRoot(cwd, join(home, "bough"))) as FilesRoot;
  const another = () => filesPlace({ root: cwd, store, sessions: sessionFolder(cwd) });
  const place = await another();
  const bough = (...args: readonly string[]): Promise<CommandEnd> => runCommand({ cwd }, args);
  return { ...place, home, cwd, another, bough };
}
