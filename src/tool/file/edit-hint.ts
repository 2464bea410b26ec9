/** Why a text may not have been found: the nearest thing that is there, so that the next try can copy it. */

const MOST_SHOWN_LINES = 20;

/** A sentence. Looks for the same lines with other whitespace or quotes, then for the first line alone. */
export function editHint(text: string, wanted: string): string {
  const lines = text.split("\n");
  const wantedLines = wanted.replace(/^\n+|\n+$/g, "").split("\n");
  const loose = wantedLines.map(looseLine);
  const at = indexOfRun(lines.map(looseLine), loose);
  if (at >= 0) {
    const last = at + loose.length;
    const shown = lines.slice(at, Math.min(last, at + MOST_SHOWN_LINES)).join("\n");
    return `Lines ${at + 1} to ${last} differ from it only in whitespace or quotes; in the file they are:\n${shown}`;
  }
  const first = loose.find((line) => line !== "") ?? "";
  const similar = first === "" ? -1 : lines.findIndex((line) => looseLine(line) === first);
  if (similar >= 0) return `Its first line is at line ${similar + 1}, but what follows differs. Read the file again`;
  return "Read the file again and copy the text exactly";
}

function looseLine(line: string): string {
  return line
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/[\u2018\u2019]/gu, "'")
    .replace(/[\u201c\u201d]/gu, '"')
    .replace(/[\u2013\u2014]/gu, "-");
}

function indexOfRun(lines: readonly string[], run: readonly string[]): number {
  if (run.every((line) => line === "")) return -1;
  for (let start = 0; start + run.length <= lines.length; start++) {
    if (run.every((line, index) => lines[start + index] === line)) return start;
  }
  return -1;
}
