/** Ranks paths by how well they match what was typed after `@`. */

/** A name that starts with the words ranks above one that contains them, which ranks above scattered letters. */
export function rankFiles(paths: readonly string[], typed: string, most: number): readonly string[] {
  const wanted = typed.toLowerCase();
  if (wanted === "") return paths.filter((path) => !path.slice(0, -1).includes("/")).slice(0, most);
  const ranked: { path: string; rank: number }[] = [];
  for (const path of paths) {
    const rank = rankOf(path.toLowerCase(), wanted);
    if (rank !== undefined) ranked.push({ path, rank });
  }
  return ranked
    .sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .slice(0, most)
    .map(({ path }) => path);
}

function rankOf(path: string, wanted: string): number | undefined {
  const name = path.slice(path.lastIndexOf("/", path.length - 2) + 1);
  if (path.startsWith(wanted)) return 0;
  if (name.startsWith(wanted)) return 1;
  if (name.includes(wanted)) return 2;
  if (path.includes(wanted)) return 3;
  let at = -1;
  for (const letter of wanted) {
    at = path.indexOf(letter, at + 1);
    if (at < 0) return undefined;
  }
  return 4;
}
