/** Lets Node keep the code it compiled for the next start, if it can (22 and later): that is a quarter of a start. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown;
}

/**
 * Below our own home and never in Node's usual place, a temporary folder that other users can write to: what is kept
 * there is run. If there is no home yet, none is made for this. Returns the home.
 */
export function keepCompiled(module: CompileCache = process.getBuiltinModule("node:module") as object): string {
  // As `boughHome` has it, whose room would take longer to load than all of this.
  const home = process.env.BOUGH_HOME || join(homedir(), ".bough");
  if (module.enableCompileCache !== undefined && existsSync(home)) {
    module.enableCompileCache(join(home, "cache", "compiled"));
  }
  return home;
}
