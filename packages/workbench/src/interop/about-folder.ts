/** Selects the sessions of a folder. */
import { realpathSync } from "node:fs";
import { isFolder } from "@bough/session/log/index.js";
import type { ForeignSession } from "./contract.js";

/** Compares real paths, because links give a folder several names. A folder that does not exist matches nothing. */
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
