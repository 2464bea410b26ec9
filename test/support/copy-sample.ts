/** Copies of samples that a test may change. The samples themselves may be read-only, and so would plain copies be. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Copies a file, or a folder with everything in it, into what may be there. */
export function copySample(from: string, to: string): void {
  if (statSync(from).isDirectory()) {
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(from)) copySample(join(from, name), join(to, name));
  } else {
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, readFileSync(from));
  }
}
