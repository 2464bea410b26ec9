/** The line numbers of a unified diff. */

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * For each line of a diff its number in the file: that of the old file for a removed line, of the new one for others.
 * Undefined for heads, for lines outside of hunks, and if the heads are not those of a unified diff.
 */
export function diffNumbers(lines: readonly string[]): readonly (number | undefined)[] {
  let [old, oldLeft, fresh, freshLeft] = [0, 0, 0, 0];
  return lines.map((line) => {
    // A removed line may look like a head, but heads only come after the end of a hunk.
    const head = oldLeft + freshLeft > 0 ? null : HUNK.exec(line);
    if (head !== null) {
      [old, oldLeft, fresh, freshLeft] = [head[1], head[2] ?? 1, head[3], head[4] ?? 1].map(Number) as Four;
      return undefined;
    }
    const sign = line.slice(0, 1);
    const isOld = sign === "-" || sign === " " || line === "";
    const isFresh = sign === "+" || sign === " " || line === "";
    if ((!isOld && !isFresh) || (isOld && oldLeft === 0) || (isFresh && freshLeft === 0)) return undefined;
    const number = isFresh ? fresh : old;
    if (isOld) [old, oldLeft] = [old + 1, oldLeft - 1];
    if (isFresh) [fresh, freshLeft] = [fresh + 1, freshLeft - 1];
    return number;
  });
}

type Four = [number, number, number, number];

/** The same as texts of one width with a space at the end; empty for lines without a number. */
export function diffMargins(lines: readonly string[]): readonly string[] {
  const numbers = diffNumbers(lines);
  const width = numbers.reduce<number>((most, number) => Math.max(most, `${number ?? ""}`.length), 0);
  return numbers.map((number) => (number === undefined ? "" : `${`${number}`.padStart(width)} `));
}
