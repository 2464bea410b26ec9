/** Whether a path is in a folder. Both are real paths; nothing is looked up. */
import { isInside } from "@bough/session/log/index.js";

export { isInside };

export interface WorkPlace {
  /** Real path of the working directory. */
  readonly cwd: string;
  /** Real path of Bough's own folder. */
  readonly home: string;
}

/**
 * Whether a path belongs to the work. Bough's own folder (keys, trust, every session) does not, not even when the
 * working directory is the home folder that holds it; only working inside that folder makes it work.
 */
export function isWorkPath(path: string, { cwd, home }: WorkPlace): boolean {
  if (!isInside(cwd, path)) return false;
  return !isInside(home, path) || isInside(home, cwd);
}
