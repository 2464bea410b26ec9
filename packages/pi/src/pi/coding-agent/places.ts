/** Bough's folders under the names that extensions for pi use. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { boughHome } from "@bough/session/session/index.js";

/** The version of pi whose extension API is implemented; extensions compare it. */
export const VERSION = "0.87.1";
/** The folder of a project's settings and extensions. */
export const CONFIG_DIR_NAME = ".bough";

/** `$BOUGH_HOME`, by default `~/.bough`. */
export function getAgentDir(): string {
  return boughHome();
}

/** The folder of the installed package. */
export function getPackageDir(): string {
  // Both packages/pi/src/pi/coding-agent and dist/parts are below it; the manifest is next to `docs`.
  const here = dirname(fileURLToPath(import.meta.url));
  return join(here, ...(here.endsWith("coding-agent") ? ["..", "..", "..", "..", ".."] : ["..", ".."]));
}

export function getDocsPath(): string {
  return join(getPackageDir(), "docs");
}

export function getExamplesPath(): string {
  return join(getPackageDir(), "examples");
}

export function getReadmePath(): string {
  return join(getPackageDir(), "README.md");
}
