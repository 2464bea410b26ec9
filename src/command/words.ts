/** Untrusted text and numbers as words of a sentence. */
import { withoutControls } from "../entry/index.js";

/** Longer titles are cut, so that a sentence with two of them still fits a wide status line. */
const TITLE = 48;

/** The beginning of a text on one line. Cheap, however long the text is. */
export function titleOf(text: string, most = TITLE): string {
  const words = withoutControls(text.slice(0, most * 8))
    .replace(/\s+/g, " ")
    .trim();
  const letters = [...words];
  return letters.length <= most
    ? words
    : `${letters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}

/** "1 entry", "7 entries". */
export function counted(count: number, thing: string, things = `${thing}s`): string {
  return `${String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ",")} ${count === 1 ? thing : things}`;
}

/** "940", "4.1k", "88k", "1.2M". */
export function shortCount(count: number): string {
  if (count < 1000) return String(Math.round(count));
  const [value, unit] = count < 999_500 ? [count / 1000, "k"] : [count / 1_000_000, "M"];
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)}${unit}`;
}

/** "812 B", "41 KB", "2.4 MB". */
export function shortSize(bytes: number): string {
  const units = ["B", "KB", "MB", "GB"];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** step;
  return `${step === 0 || value >= 9.95 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
}

/** The names that come nearest to what was typed, best first; none where nothing is near. */
export function closest(typed: string, names: Iterable<string>, most = 3): string[] {
  const wanted = typed.toLowerCase();
  const scored: { readonly name: string; readonly distance: number }[] = [];
  for (const name of new Set(names)) {
    const known = name.toLowerCase();
    const begins = wanted !== "" && known.startsWith(wanted);
    const distance = begins ? 0 : editDistance(wanted, known);
    if (distance <= Math.max(1, Math.floor(Math.min(wanted.length, known.length) / 2))) scored.push({ name, distance });
  }
  scored.sort((a, b) => a.distance - b.distance);
  return scored.slice(0, most).map(({ name }) => name);
}

/** Letters to add, drop, change, or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  const [left, right] = [a.slice(0, 64), b.slice(0, 64)];
  let before: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, i) => i);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1];
      const swapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      const best = Math.min(
        (next[j - 1] as number) + 1,
        (row[j] as number) + 1,
        (row[j - 1] as number) + (same ? 0 : 1),
      );
      next.push(swapped ? Math.min(best, (before[j - 2] as number) + 1) : best);
    }
    before = row;
    row = next;
  }
  return row[right.length] as number;
}
