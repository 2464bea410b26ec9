/** Attempts as lines of text. */
import type { Attempt, KeepOutcome } from "@bough/agent/agent/index.js";
import { defined } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import { attemptCells, attemptStep, keptSentences } from "@bough/session/view/internal.js";

/** One line when it has ended, or for a list. */
export function attemptLine(attempt: Attempt): Line {
  const { name, driver, state, check, changes, cost, time } = attemptCells(attempt);
  const bad = attempt.check?.passed === false || ["failed", "interrupted", "limit"].includes(attempt.state);
  const good = attempt.check?.passed === true;
  const parts = [driver, changes, cost, time].filter((part) => part !== "");
  return [
    span(name.padEnd(12), "strong"),
    span(check === "" ? state : check, good ? "good" : bad ? "bad" : undefined),
    span(`  ${parts.join(" · ")}`, "muted"),
    ...(attempt.reason === undefined ? [] : [span(`  ${attempt.reason}`, "muted")]),
  ];
}

export function stepWords(attempt: Attempt): string {
  return `${attempt.name}: ${attemptStep(attempt)}`;
}

/** For JSON. */
export function attemptRow({ tryId: _, ...attempt }: Attempt): Readonly<Record<string, unknown>> {
  return attempt;
}

export function nextLines({
  best,
  judged,
  kept,
  session,
}: {
  readonly best: Attempt | undefined;
  readonly judged: { readonly best: string; readonly reason: string } | undefined;
  readonly kept: KeepOutcome | undefined;
  readonly session: string;
}): readonly (Line | string)[] {
  const lines: (Line | string)[] = [];
  if (judged !== undefined) lines.push([span(`The model prefers ${judged.best}: `, "strong"), span(judged.reason)]);
  if (kept !== undefined) return lines;
  if (best === undefined) lines.push("None can be recommended.");
  else lines.push([span("Best: ", "muted"), span(best.name, "strong")]);
  const one = best?.name ?? "attempt-1";
  lines.push([
    span(`Keep it: bough attempts keep ${one}    Look at it: bough -r ${session.slice(0, 8)}#${one}`, "muted"),
  ]);
  return lines;
}

export function keptLines(kept: KeepOutcome): readonly string[] {
  if (kept.kind === "done")
    return keptSentences({ name: kept.attempt.name, ...defined({ files: kept.files }), installs: kept.installs });
  if (kept.kind === "cancelled") return ["An extension stopped it. Nothing was changed."];
  return [
    `Nothing was kept: ${kept.conflicts.length === 1 ? "1 file needs" : `${kept.conflicts.length} files need`} an answer`,
    ...kept.conflicts.map(({ path }) => `  ${path}`),
    "Answer for all with: bough attempts keep <attempt> --conflicts keep, take or markers",
  ];
}
