/** A branch by what somebody typed: its number, its name, or nearly its name. */
import { firstWords } from "../text/plain-words.js";

export interface NamedBranch {
  readonly number: number;
  readonly name: string;
  readonly label?: string | undefined;
}

/** Branches that are meant, the best kind of match only: "#4" or "4", the whole name, its start, all words in it. */
export function findBranches<Row extends NamedBranch>(rows: readonly Row[], text: string): Row[] {
  const typed = text.trim().toLowerCase();
  if (typed === "") return [];
  const number = /^#?(\d+)$/.exec(typed)?.[1];
  const words = typed.split(/\s+/);
  const kinds: readonly ((row: Row) => boolean)[] = [
    (row) => number !== undefined && row.number === Number(number),
    (row) => namesOf(row).includes(typed),
    (row) => namesOf(row).some((name) => name.startsWith(typed)),
    (row) => namesOf(row).some((name) => words.every((word) => name.includes(word))),
  ];
  for (const matches of kinds) {
    const found = rows.filter(matches);
    if (found.length > 0) return found;
  }
  return [];
}

/** The branch whose name is most like the text; undefined where none is at all like it. */
export function closestBranch<Row extends NamedBranch>(rows: readonly Row[], text: string): Row | undefined {
  const typed = text.trim().toLowerCase();
  let closest: Row | undefined;
  let least = Math.max(1, Math.ceil(typed.length / 2));
  for (const row of rows) {
    for (const name of namesOf(row)) {
      const words = name.split(/\s+/);
      for (const candidate of words.length > 1 ? [name, ...words] : [name]) {
        const distance = editDistance(typed, candidate, least);
        if (distance < least) {
          least = distance;
          closest = row;
        }
      }
    }
  }
  return closest;
}

/** `No branch matches "lexr". Closest: lexer (#4).` */
export function noBranchText(text: string, closest: NamedBranch | undefined): string {
  const start = `No branch matches "${firstWords(text, 60)}".`;
  return closest === undefined
    ? `${start} /branches lists them.`
    : `${start} Closest: ${closest.name} (#${closest.number}).`;
}

/** How many letters have to be put in, taken out or changed; `most` where it is more than that. */
export function editDistance(a: string, b: string, most = Number.POSITIVE_INFINITY): number {
  const [from, to] = [[...a], [...b]];
  if (Math.abs(from.length - to.length) >= most) return most;
  let above = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, letter] of from.entries()) {
    const current = [row + 1];
    for (const [column, other] of to.entries()) {
      const replaced = (above[column] as number) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (above[column + 1] as number) + 1, (current[column] as number) + 1));
    }
    if (Math.min(...current) >= most) return most;
    above = current;
  }
  return Math.min(most, above[to.length] as number);
}

function namesOf({ name, label }: NamedBranch): string[] {
  const names = label === undefined || label === name ? [name] : [label, name];
  return names.map((text) => text.slice(0, 100).toLowerCase());
}
