/** Checks for extensions without loading any room, so that `--help` is not delayed if there are none. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { HelpPlaces } from "../cli-options.js";

/** False only if there are none. `home` is `$BOUGH_HOME`. */
export function mayHaveExtensions({ cwd, extensions, extensionPlaces }: HelpPlaces, home: string): boolean {
  if (extensions.length > 0) return true;
  if (extensionPlaces === "named") return false;
  return [home, join(resolve(cwd ?? "."), ".bough")].some(
    (folder) =>
      existsSync(join(folder, "extensions")) ||
      existsSync(join(folder, "extensions.json")) ||
      namesExtensions(join(folder, "settings.json")),
  );
}

function namesExtensions(settings: string): boolean {
  if (!existsSync(settings)) return false;
  try {
    return readFileSync(settings, "utf8").includes("extensions");
  } catch {
    // Problems are reported when the settings are read later.
    return true;
  }
}
