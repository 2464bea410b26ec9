/** Whether a path is in a folder. Both must be real paths; the disk is not accessed. */
import { isInside } from "@bough/session/log/index.js";

export { isInside };

export interface WorkPlace {
  /** Real path of the working directory. */
  readonly cwd: string;
  /** Real path of Bough's own folder. */
  readonly home: string;
}

/**
 * Whether a path belongs to the work. Bough's own folder (keys, trust, all sessions) does not, even if the working
 * directory contains it, unless the working directory is inside it.
 */
export function isWorkPath(path: string, { cwd, home }: WorkPlace): boolean {
  if (!isInside(cwd, path)) return false;
  return !isInside(home, path) || isInside(home, cwd);
}
