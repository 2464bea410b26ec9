/** Makes a folder and those above it, as `mkdir -p` does. */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

const PRIVATE = 0o700;

/**
 * A folder that is there is left as it is; new ones are private to their owner unless another mode is given. Throws the
 * system's error.
 *
 * One by one, because the recursive `mkdir` of the runtime never returns where the system says that a parent is missing
 * although it is there, as it does below /proc.
 */
export function makeFolder(folder: string, mode = PRIVATE): void {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.push(at);
  for (const at of missing.reverse()) {
    try {
      mkdirSync(at, { mode });
    } catch (error) {
      // Someone else may have made it just now.
      const isThere = (error as NodeJS.ErrnoException).code === "EEXIST" && statSync(at).isDirectory();
      if (!isThere) throw error;
    }
  }
  if (missing.length === 0 && !statSync(folder).isDirectory()) mkdirSync(folder, { mode });
}
