import type { Problem, SessionHeader } from "../entry/index.js";
import { type FindingLevel, findingLevel } from "./verify/findings.js";
import { SessionLines } from "./verify/session-lines.js";
import { type SurveyedFile, surveyFile } from "./verify/survey-file.js";
import type { WalkOptions } from "./verify/walk-lines.js";

export type { WalkOptions as VerifyOptions } from "./verify/walk-lines.js";

export interface VerifyReport {
  readonly path: string;
  /** As in the file; undefined if no header can be read. */
  readonly header: SessionHeader | undefined;
  /** From the header; 1 if it names none, undefined without a header. */
  readonly version: unknown;
  readonly lines: number;
  /** Entries with a position in the tree, and how many of them have readable content. */
  readonly entries: number;
  readonly readable: number;
  /** In line order; `findingLevel` tells how severe each is. */
  readonly findings: readonly Problem[];
  readonly counts: Readonly<Record<FindingLevel, number>>;
  /** Nothing is damaged. There may still be oddities and notes. */
  readonly ok: boolean;
}

/**
 * Reads every byte of a session file, parses every line, and reports damage: where, why, and the effect for the reader.
 * Never writes. Old versions are read as upgraded; lines and offsets are those of the file as it is.
 *
 * Throws a SessionError only if there is no file to read (`session-not-found`, `is-directory`, `read-failed`), or
 * `aborted`.
 */
export async function verifySession(path: string, options: WalkOptions = {}): Promise<VerifyReport> {
  const lines = new SessionLines(path);
  try {
    return verifyReport(path, await surveyFile(lines, options));
  } finally {
    lines.close();
  }
}

export function verifyReport(path: string, { survey, header, lines }: SurveyedFile): VerifyReport {
  const findings = survey.findings.sorted();
  const counts: Record<FindingLevel, number> = { damage: 0, odd: 0, note: 0 };
  for (const { code } of findings) counts[findingLevel(code)] += 1;
  const entries = survey.tree.count;
  return {
    path,
    header,
    version: header === undefined ? undefined : (header.version ?? 1),
    lines,
    entries,
    readable: entries - survey.unreadable.size,
    findings,
    counts,
    ok: counts.damage === 0,
  };
}
