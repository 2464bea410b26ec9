import { grouped } from "./short-amounts.js";
import { shownPath } from "./shown-path.js";

/** "a.ts, b.ts, c.ts and 199,997 more": keeps a sentence short, however many paths there are. */
export function namedPaths(paths: readonly string[], most = 5): string {
  const named = paths.slice(0, paths.length === most + 1 ? most + 1 : most).map((path) => shownPath(path));
  const more = paths.length - named.length;
  return more === 0 ? named.join(", ") : `${named.join(", ")} and ${grouped(more)} more`;
}
