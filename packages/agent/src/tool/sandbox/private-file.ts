/** A file without a name: it is gone with the process that has it open, however that ends. */
import { constants, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@bough/session/log/index.js";

/** `O_TMPFILE` of Linux, which Node.js does not name. */
const UNNAMED = 0o20000000 | constants.O_DIRECTORY;

/** Returns the descriptor of an open private file with these contents. Other programs of the user open it below `/proc`. */
export function privateFile(folder: string, contents: string | Uint8Array): number {
  const fd = opened(folder);
  const bytes = Buffer.from(contents);
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, at);
  return fd;
}

function opened(folder: string): number {
  try {
    return openSync(folder, UNNAMED | constants.O_RDWR, 0o600);
  } catch {
    // Not every file system can make files without a name.
    const own = temporaryFolder("sandbox");
    try {
      return openSync(join(own.path, "file"), constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
    } finally {
      own.remove();
    }
  }
}
