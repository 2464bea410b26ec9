import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

const PRIVATE = 0o700;

/**
 * Creates a folder and its missing parents, like `mkdir -p`. An existing folder is not changed; new ones are private to
 * their owner unless another mode is given. Throws the system's error.
 *
 * One by one, because Node's recursive `mkdir` never returns if the system reports a missing parent that exists, as
 * happens below /proc.
 */
export function makeFolder(folder: string, mode = PRIVATE): void {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.push(at);
  for (const at of missing.reverse()) {
    try {
      mkdirSync(at, { mode });
    } catch (error) {
      // Another process may have just created it.
      const isThere = (error as NodeJS.ErrnoException).code === "EEXIST" && statSync(at).isDirectory();
      if (!isThere) throw error;
    }
  }
  if (missing.length === 0 && !statSync(folder).isDirectory()) mkdirSync(folder, { mode });
}
