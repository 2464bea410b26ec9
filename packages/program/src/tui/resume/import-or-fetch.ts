/** Imports or fetches a session from the list, which stays below and is shown again if this was stopped or failed. */

import { CodedError } from "@bough/session/entry/index.js";
import { errorText, firstWords } from "@bough/session/text/index.js";
import type { SessionRow } from "@bough/session/view/internal.js";
import type { ForeignSession } from "@bough/workbench/interop/index.js";
import { failureNotice, type ImportedForeign, importForeign } from "../../command/index.js";
import { fetchWatched } from "../../command/internal.js";
import type { ScreenApp } from "../app/screen.js";

/** The file of a session that was only in the store. Undefined if it could not be fetched; the status line says why. */
export async function fetchedFile(
  { host, context }: ScreenApp,
  { id, title }: Pick<SessionRow, "id" | "title">,
): Promise<string | undefined> {
  try {
    const fetched = await fetchWatched(context, id, title);
    if (fetched.kind === "done" && fetched.value.kind === "fetched") return fetched.value.file;
    if (fetched.kind === "stopped") host.status("Fetch cancelled.", "info");
    else host.status(`"${firstWords(title, 60)}" is no longer in the store.`, "warning");
  } catch (error) {
    host.status(error instanceof CodedError ? failureNotice(error) : `Not fetched: ${errorText(error)}`, "error");
  }
  return undefined;
}

/** A session of another agent. Undefined if it was stopped or failed; the status line says which. */
export async function importWatched(
  { host, context }: ScreenApp,
  source: ForeignSession,
): Promise<ImportedForeign | undefined> {
  try {
    const imported = await importForeign(context, source);
    if (imported.kind === "done") return imported.value;
    host.status("Import cancelled.", "info");
  } catch (error) {
    // A missing file, or a reader that failed: the list and everything else stay unchanged.
    host.status(error instanceof CodedError ? failureNotice(error) : `Import failed: ${errorText(error)}`, "error");
  }
  return undefined;
}
