/** Lines put into a window: filled up to its height, with the pictures that are in it whole. */
import type { DrawnLine } from "./drawn-line.js";

export function windowLines(shown: readonly DrawnLine[], height: number): string[] {
  const lines = shown.map(({ text }) => text);
  for (const [row, { image }] of shown.entries()) {
    if (image === undefined || row + image.rows > height || row + image.rows > shown.length) continue;
    const last = row + image.rows - 1;
    if (image.first !== "") lines[row] = image.first;
    if (image.last !== "") {
      lines[row] = "";
      lines[last] = image.last;
    }
  }
  while (lines.length < height) lines.push("");
  return lines;
}
