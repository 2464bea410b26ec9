/** Shows that nothing below a folder was changed. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Name, time and bytes of everything below a folder, in the order of the names. */
export function fingerprint(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const stats = statSync(path);
      if (!stats.isFile()) return `${name}/ ${stats.mtimeMs}`;
      return `${name} ${stats.mtimeMs} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
    });
}
