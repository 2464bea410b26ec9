/** Shortens ids to what a user has to type: any unique prefix works. */

/** Long enough for people to tell most sessions apart. */
const LEAST = 8;

/** The shortest unique prefix of each id. Two sessions with the same id keep all of it. */
export function shortIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const inOrder = [...new Set(ids)].sort();
  const short = new Map<string, string>();
  for (const [i, id] of inOrder.entries()) {
    // In sorted order, an id shares its longest prefix with a neighbor.
    const shared = Math.max(sharedStart(id, inOrder[i - 1] ?? ""), sharedStart(id, inOrder[i + 1] ?? ""));
    short.set(id, id.slice(0, Math.max(LEAST, shared + 1)));
  }
  return short;
}

function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}
