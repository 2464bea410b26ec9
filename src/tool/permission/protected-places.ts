/** Places whose files decide what runs or is allowed later: changes there are asked about in every mode. */
import { sep } from "node:path";
import { protectionOf } from "../../text/index.js";
import { isInside, type WorkPlace } from "../path/inside.js";

/** Why a change to this real path is always asked about; undefined for ordinary files. */
export function protectedReason(path: string, { home }: WorkPlace): string | undefined {
  if (isInside(home, path)) return "This folder holds Bough's own settings, extensions and sessions.";
  for (const name of path.split(sep)) {
    // Some file systems take .GIT, or a name with a dot at its end, for .git.
    if (protectionOf(name) === "git") return "Files in .git can make git run commands.";
    if (/^\.bough[. ]*$/i.test(name)) return "Files in .bough decide what Bough loads and allows.";
  }
  return undefined;
}
