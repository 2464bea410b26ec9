/** One import, and how much it brought. */

import type { ForeignSession, ImportOutcome } from "../../interop/index.js";
import { SessionManager } from "../../session/index.js";
import { defined } from "../../text/index.js";
import { type ImportCounts, importCounts } from "../import/import-counts.js";
import { loadInterop } from "./load-interop.js";

export interface ImportRequest {
  /** The folder of the session's working directory if it is omitted. */
  readonly dir?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CountedImport extends ImportOutcome {
  readonly counts: ImportCounts;
}

export async function importAndCount(source: ForeignSession, { dir, signal }: ImportRequest): Promise<CountedImport> {
  const { importSession } = await loadInterop();
  const outcome = await importSession(source, {
    ...defined({ dir, signal }),
  });
  const session = SessionManager.open(outcome.path, undefined, { readOnly: true });
  try {
    return { ...outcome, counts: importCounts(session, outcome) };
  } finally {
    session.close();
  }
}
