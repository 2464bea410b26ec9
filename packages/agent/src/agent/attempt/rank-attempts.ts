/** Which attempt is the best, without asking a model. Pure. */
import type { Attempt } from "./attempt.js";

/**
 * Best first: the check passed; it came to its end and changed something; more tests passed; fewer failed; a smaller
 * change; less cost; less time. What is unknown comes last.
 */
export function rankAttempts(attempts: readonly Attempt[]): readonly Attempt[] {
  return [...attempts].sort((a, b) => {
    const [one, other] = [keysOf(a), keysOf(b)];
    const at = one.findIndex((key, n) => key !== other[n]);
    return at < 0 ? 0 : (one[at] as number) - (other[at] as number);
  });
}

/** Smaller is better. */
function keysOf({ state, check, files, dollars, unpriced, durationMs }: Attempt): readonly number[] {
  const changed = (files?.files ?? 0) > 0;
  return [
    check === undefined ? 1 : check.passed ? 0 : 2,
    state === "done" ? 0 : 1,
    // Doing nothing is the smallest change, and passes every check that passed before.
    changed ? 0 : 1,
    check?.tests === undefined ? 0 : -check.tests.passed,
    check?.tests?.failed ?? 0,
    files === undefined ? Number.POSITIVE_INFINITY : files.added + files.removed,
    unpriced > 0 ? Number.POSITIVE_INFINITY : dollars,
    durationMs,
  ];
}

/** The best one that may be kept: with a check, it must have passed. Undefined if there is none. */
export function bestAttempt(attempts: readonly Attempt[]): Attempt | undefined {
  const [best] = rankAttempts(attempts);
  if (best === undefined || best.state !== "done") return undefined;
  return best.check === undefined || best.check.passed ? best : undefined;
}
