/** Contents of files that lines of a session name, and where they are kept on this machine. */

import { FILES_TYPE } from "@bough/session/entry/index.js";
import { filesRecord } from "@bough/session/entry/internal.js";
import { BlobStore, type BlobStoreOptions, filesRoot } from "../../checkpoint/index.js";
import { contentsOf } from "../../checkpoint/internal.js";
import { lineFacts } from "../stored-line.js";

/** Occurs in every line that names contents. */
export const FILES_MARK = JSON.stringify(FILES_TYPE);

/** Whether a line may name contents, without parsing it. */
export function namesContents(line: Uint8Array): boolean {
  return Buffer.from(line.buffer, line.byteOffset, line.byteLength).includes(FILES_MARK);
}

/** Hashes of named contents, each with its path. Lines that cannot be read name nothing. */
export async function namedContents(lines: Iterable<Uint8Array>, blobs: BlobStore): Promise<Map<string, string>> {
  const named = new Map<string, string>();
  for (const line of lines) {
    if (!namesContents(line)) continue;
    const record = lineFacts(line)?.record;
    const files = record?.customType === FILES_TYPE ? filesRecord(record.data) : undefined;
    // A list that is damaged here names nothing, but is itself among the names, and is reported as damaged.
    const found = files === undefined ? [] : await contentsOf(files, blobs).catch(() => []);
    for (const [hash, path] of found) named.set(hash, path);
  }
  return named;
}

interface ContentsPlace extends BlobStoreOptions {
  readonly cwd: string;
  /** `$BOUGH_HOME`. */
  readonly home: string;
}

/** Undefined if files are not recorded. */
export async function contentsAt({ cwd, home, contents }: ContentsPlace): Promise<BlobStore | undefined> {
  const found = await filesRoot(cwd, home);
  return "off" in found ? undefined : new BlobStore(found.store, { contents });
}
