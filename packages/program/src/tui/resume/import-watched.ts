/** Imports from the list: the list stays below, and is back if the import was stopped or failed. */

import { CodedError } from "@bough/session/entry/index.js";
import { errorText } from "@bough/session/text/index.js";
import type { ForeignSession } from "@bough/workbench/interop/index.js";
import { failureNotice, type ImportedForeign, importForeign } from "../../command/index.js";
import type { ScreenApp } from "../app/screen.js";

/** Undefined if it was stopped or failed, which the status line says. */
export async function importWatched(
  { host, context }: ScreenApp,
  source: ForeignSession,
): Promise<ImportedForeign | undefined> {
  try {
    const imported = await importForeign(context, source);
    if (imported.kind === "done") return imported.value;
    host.status("Import cancelled.", "info");
  } catch (error) {
    // A file that went away, or a reader that could not: the list and everything else are as they were.
    host.status(error instanceof CodedError ? failureNotice(error) : `Import failed: ${errorText(error)}`, "error");
  }
  return undefined;
}
