/** Whether a path is a folder or is inside it. Both must be real paths; nothing is looked up. */
import { isAbsolute, relative, sep } from "node:path";

export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
