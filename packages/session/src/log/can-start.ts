/** Whether there is a file to start a thread from: not where the sources run as they are, or in one bundle. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

export function canStart(module: URL): boolean {
  return module.protocol === "file:" && existsSync(fileURLToPath(module));
}
