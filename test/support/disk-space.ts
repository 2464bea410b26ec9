import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Bytes on the disk, as `du` counts them. */
export function diskSpace(path: string): number {
  const paths = readdirSync(path, { recursive: true, encoding: "utf8" });
  return paths.reduce((sum, name) => sum + lstatSync(join(path, name)).blocks * 512, 0);
}
