/** Runs one import and counts what it added. */

import { SessionManager } from "@bough/session/session/index.js";
import type { ForeignSession } from "../contract.js";
import { type ImportCounts, importCounts } from "../import/import-counts.js";
import type { ImportOutcome } from "../import/import-session.js";

export interface ImportRequest {
  /** Default: the folder of the session's working directory. */
  readonly dir?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CountedImport extends ImportOutcome {
  readonly counts: ImportCounts;
}

export async function importAndCount(source: ForeignSession, { dir, signal }: ImportRequest): Promise<CountedImport> {
  const { importSession } = await import("../import/import-session.js");
  const outcome = await importSession(source, { dir, signal });
  const session = SessionManager.open(outcome.path, undefined, { readOnly: true });
  try {
    return { ...outcome, counts: importCounts(session, outcome) };
  } finally {
    session.close();
  }
}
