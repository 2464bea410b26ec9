/** Where the files of a session are, and their stored contents. */
import { BlobStore, sessionRoot } from "@bough/workbench/checkpoint/index.js";
import type { CommandContext } from "../command.js";

interface FilesPlace {
  /** The folder that paths are relative to. */
  readonly root: string;
  readonly store: BlobStore;
}

/** Throws `files-off`. */
export async function filesPlace({
  agent,
  cwd,
  home,
}: Pick<CommandContext, "agent" | "cwd" | "home">): Promise<FilesPlace> {
  const { root, store } = await sessionRoot({ sessionCwd: agent.session.getCwd(), cwd, home });
  return { root, store: new BlobStore(store, { contents: agent.contents }) };
}
