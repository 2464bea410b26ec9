/** Which sessions are about a folder. */
import { realpathSync } from "node:fs";
import { isFolder } from "@bough/session/log/index.js";
import type { ForeignSession } from "./contract.js";

/** A folder has many names; what counts is where they lead. One that is gone is about nothing. */
export function isAbout(folder: string): (session: Pick<ForeignSession, "cwd">) => boolean {
  const wanted = placeOf(folder);
  const known = new Map<string, string | undefined>();
  return ({ cwd }) => {
    if (cwd === "" || wanted === undefined) return false;
    if (!known.has(cwd)) known.set(cwd, placeOf(cwd));
    return known.get(cwd) === wanted;
  };
}

function placeOf(folder: string): string | undefined {
  return isFolder(folder) ? realpathSync(folder) : undefined;
}
