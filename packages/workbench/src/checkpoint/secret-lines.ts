/**
 * Lines of a diff that are part of a secret but cannot be recognized there: a hunk may contain neither the first nor
 * the last line of a private key, and the diff's +/- signs separate a name from its value. So the whole contents are
 * searched, before and after.
 */
import type { SecretsIn } from "../export/index.js";

/** Part of a line that belongs to a secret, without the line ending. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Stretches by the index of their line. */
type SecretLines = ReadonlyMap<number, readonly Stretch[]>;

interface Contents {
  readonly before: string;
  readonly after: string;
}

/**
 * The lines of a diff, with those that are part of a secret replaced, unless the diff alone shows all of them to be
 * secret: then they are masked like everything else.
 */
export async function withoutSecretLines(
  lines: readonly string[],
  { before, after }: Contents,
  secretsIn: SecretsIn,
): Promise<readonly string[]> {
  const sides = { before: await secretLines(before, secretsIn), after: await secretLines(after, secretsIn) };
  if (sides.before.size === 0 && sides.after.size === 0) return lines;
  const secret = secretsOfDiff(lines, sides);
  if (secret.size === 0) return lines;
  const seen = await secretLines(lines.join("\n"), secretsIn);
  const isSeen = [...secret].every(([at, stretches]) => stretches.every((one) => isCovered(one, seen.get(at) ?? [])));
  if (isSeen) return lines;
  return lines.map((line, at) => (secret.has(at) ? `${line.charAt(0)}… part of a secret left out` : line));
}

async function secretLines(text: string, secretsIn: SecretsIn): Promise<SecretLines> {
  const found = new Map<number, Stretch[]>();
  if (text === "") return found;
  const matches = await secretsIn(text);
  let [line, from] = [0, 0];
  for (const match of [...matches].sort((a, b) => a.start - b.start)) {
    // Matches do not overlap, but one may begin on the line on which the last one ended.
    for (;;) {
      const newline = text.indexOf("\n", from);
      const to = newline < 0 ? text.length : newline;
      const stretch = { start: Math.max(match.start, from) - from, end: Math.min(match.end, to) - from };
      if (stretch.start < stretch.end) found.set(line, [...(found.get(line) ?? []), stretch]);
      if (newline < 0 || match.end <= newline) break;
      line += 1;
      from = newline + 1;
    }
  }
  return found;
}

const HEAD = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@/;

/** The same by the index of the line in the diff. */
function secretsOfDiff(
  lines: readonly string[],
  { before, after }: Readonly<Record<keyof Contents, SecretLines>>,
): SecretLines {
  const found = new Map<number, readonly Stretch[]>();
  /** Numbers of the next lines, 0-based. */
  let [old, fresh] = [0, 0];
  for (const [at, line] of lines.entries()) {
    const head = HEAD.exec(line);
    if (head !== null) {
      // An empty side is given by the line before it, and is not read.
      old = Number(head[1]) - 1;
      fresh = Number(head[3]) - 1;
      continue;
    }
    const sign = line.charAt(0);
    const stretches = [
      ...(sign === "-" || sign === " " ? (before.get(old) ?? []) : []),
      ...(sign === "+" || sign === " " ? (after.get(fresh) ?? []) : []),
    ];
    if (sign === "-" || sign === " ") old += 1;
    if (sign === "+" || sign === " ") fresh += 1;
    if (stretches.length > 0)
      found.set(
        at,
        stretches.map(({ start, end }) => ({ start: start + 1, end: end + 1 })),
      );
  }
  return found;
}

function isCovered({ start, end }: Stretch, by: readonly Stretch[]): boolean {
  return by.some((one) => one.start <= start && one.end >= end);
}
