/** Whether there is a file to start a thread from: not when the sources run unbuilt or in a single bundle. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

export function canStart(module: URL): boolean {
  return module.protocol === "file:" && existsSync(fileURLToPath(module));
}
