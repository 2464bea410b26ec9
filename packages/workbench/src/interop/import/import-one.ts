/** Imports one session, or tries to, and returns everything there is to report about it. */
import { copyFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { SessionError } from "@bough/session/entry/index.js";
import { temporaryFolder } from "@bough/session/log/index.js";
import type { SessionPlaces } from "@bough/session/session/internal.js";
import type { ForeignSession } from "../contract.js";
import { foreignSessionId } from "../foreign-entry.js";
import type { CountedImport } from "../worker/import-and-count.js";
import { importOffThread } from "../worker/import-off-thread.js";
import { ImportedFiles, type SourceFolder, sourceFolder, targetFolder } from "./import-target.js";

export interface ImportedSession {
  readonly source: ForeignSession;
  readonly outcome: CountedImport;
  /** The ID of the imported session. */
  readonly id: string;
  readonly folder: SourceFolder;
  /** `nothing-said`: the source has no conversation, so no session was created. */
  readonly content: "conversation" | "nothing-said";
}

export interface ImportCall {
  readonly places: SessionPlaces;
  readonly signal?: AbortSignal | undefined;
}

export async function importOne(source: ForeignSession, { places, signal }: ImportCall): Promise<ImportedSession> {
  const outcome = await importOffThread(source, { dir: targetFolder(source, places), signal });
  const imported = described(source, outcome);
  // Remove the file that this import has just created: a session without a conversation is useless.
  if (imported.content === "nothing-said") rmSync(outcome.path);
  return imported;
}

/**
 * Like `importOne`, for callers that open the session afterwards. Throws `not-a-session`, naming `reference`, if it has
 * no conversation.
 */
export async function importToOpen(
  source: ForeignSession,
  { reference = source.path, ...call }: ImportCall & { readonly reference?: string },
): Promise<CountedImport> {
  const { outcome, content } = await importOne(source, call);
  if (content === "conversation") return outcome;
  throw new SessionError("not-a-session", `${reference} is empty: nothing to import`);
}

/** A dry run of `importOne`: imports to a temporary folder, with a copy of the session from an earlier import. */
export async function tryImport(source: ForeignSession, { places, signal }: ImportCall): Promise<ImportedSession> {
  const { path: dir, remove } = temporaryFolder("import");
  try {
    const existing = new ImportedFiles(places).find(source);
    if (existing !== undefined) copyFileSync(existing, join(dir, basename(existing)));
    return described(source, await importOffThread(source, { dir, signal }));
  } finally {
    remove();
  }
}

function described(source: ForeignSession, outcome: CountedImport): ImportedSession {
  const isEmpty = outcome.kind === "imported" && outcome.counts.branches === 0;
  return {
    source,
    outcome,
    id: foreignSessionId(source.agent, source.id),
    folder: sourceFolder(source),
    content: isEmpty ? "nothing-said" : "conversation",
  };
}
