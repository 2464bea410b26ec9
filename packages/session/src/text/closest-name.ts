/** The names closest to a typed one, for "did you mean". */

interface ClosestOptions {
  /** The maximum number of names. Default: 3. */
  readonly limit?: number;
  /** The share of its letters that may be wrong. Default: half. */
  readonly share?: number;
  /** Whether a prefix of a name counts as close to it. Default: yes. */
  readonly starts?: "count" | "ignored";
}

/** Best first; empty if nothing is close. Case-insensitive. */
export function closestNames(typed: string, names: Iterable<string>, options: ClosestOptions = {}): string[] {
  const { limit = 3, share = 1 / 2, starts = "count" } = options;
  const wanted = typed.toLowerCase();
  const close: { readonly name: string; readonly distance: number }[] = [];
  for (const name of new Set(names)) {
    const known = name.toLowerCase();
    const most = Math.max(1, Math.floor(Math.min(wanted.length, known.length) * share));
    const isStart = starts === "count" && wanted !== "" && known.startsWith(wanted);
    const distance = isStart ? 0 : editDistance(wanted, known, most + 1);
    if (distance <= most) close.push({ name, distance });
  }
  return close
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ name }) => name);
}

/** Longer texts are compared by their start. */
const MOST_LETTERS = 64;

/** The number of letters to add, drop, change, or swap with a neighbor; at most `most`. */
export function editDistance(a: string, b: string, most = Number.POSITIVE_INFINITY): number {
  const [from, to] = [[...a].slice(0, MOST_LETTERS), [...b].slice(0, MOST_LETTERS)];
  if (Math.abs(from.length - to.length) >= most) return most;
  let twoAbove: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (above[column - 1] as number) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const least = Math.min(replaced, (above[column] as number) + 1, (current[column - 1] as number) + 1);
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(swapped ? Math.min(least, (twoAbove[column - 2] as number) + 1) : least);
    }
    twoAbove = above;
    above = current;
  }
  return Math.min(most, above[to.length] as number);
}
