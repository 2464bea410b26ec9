/** A session, with the folder and the file store that its records refer to. */

import type { EntryId } from "@bough/session/entry/index.js";
import { boughHome, type SessionManager } from "@bough/session/session/index.js";
import {
  BlobStore,
  type BlobStoreOptions,
  type FilesRoot,
  pathInRoot,
  sessionRoot,
  stateNumber,
  writableRoot,
} from "@bough/workbench/checkpoint/index.js";
import { findEntry } from "@bough/workbench/find/index.js";
import { storedContents } from "@bough/workbench/store/door.js";
import type { SessionArgument } from "../session-argument.js";
import type { SubcommandCall } from "../subcommand.js";

export interface FilesPlace extends FilesRoot, BlobStoreOptions {
  readonly blobs: BlobStore;
}

/** Writing requires being in that folder. Throws `files-off`. */
export async function filesPlaceOf(
  session: SessionManager,
  { places }: Pick<SubcommandCall, "places">,
  { access = "read" }: { readonly access?: "read" | "write" } = {},
): Promise<FilesPlace> {
  const options = { sessionCwd: session.getCwd(), cwd: places.cwd, home: boughHome() };
  const found = await (access === "write" ? writableRoot(options) : sessionRoot(options));
  const contents = storedContents(options.home);
  return { ...found, contents, blobs: new BlobStore(found.store, { contents }) };
}

/** The given paths relative to the root; undefined if none were given. */
export function chosenPaths(
  given: readonly string[],
  { root }: FilesPlace,
  { places }: Pick<SubcommandCall, "places">,
): readonly string[] | undefined {
  return given.length === 0 ? undefined : given.map((path) => pathInRoot(path, { root, cwd: places.cwd }));
}

export interface FileEnd {
  readonly entryId: EntryId | null;
  /** The entry whose files are meant; -1 is before the first one. */
  readonly number: number;
}

/** The current position is the leaf itself, which includes what was recorded after the last answer. */
export function fileEnd(session: SessionManager, { place }: Pick<SessionArgument, "place">): FileEnd {
  const source = session.getSource();
  if (place === undefined || place === "@") return { entryId: session.getLeafId(), number: source.leaf };
  const entryId = findEntry(session, place);
  return { entryId, number: stateNumber(source, source.tree.ids.findText(entryId)) };
}
