/** Imports another agent's session, or what is new in it, and opens it. The source is not modified. */

import { existsSync } from "node:fs";
import type { SessionPlaces } from "@bough/session/session/internal.js";
import { shortBytes, titleOf } from "@bough/session/text/index.js";
import type { ForeignSession, ImportOutcome } from "@bough/workbench/interop/index.js";
import {
  type CountedImport,
  foreignTitle,
  importNotices,
  importSentence,
  importToOpen,
} from "@bough/workbench/interop/internal.js";
import type { CommandContext, CommandOutcome, LongWorkOutcome } from "../command.js";
import { openSessionFile } from "../fork/fork-session.js";
import { asOutcome, unchanged } from "../outcome.js";
import { SENTENCES } from "../sentences.js";

/** A finished import that is not open yet. */
export interface ImportedForeign {
  readonly source: ForeignSession;
  readonly outcome: CountedImport;
}

/**
 * Imports with visible progress that the user can stop. A stopped first import leaves nothing behind; a stopped later
 * one leaves a session that the next import completes.
 */
export async function importForeign(
  context: CommandContext,
  source: ForeignSession,
): Promise<LongWorkOutcome<ImportedForeign>> {
  const work = async (signal?: AbortSignal): Promise<ImportedForeign> => {
    return { source, outcome: await importToOpen(source, { places: placesFor(context, source), signal }) };
  };
  const { watch } = context.front;
  if (watch === undefined) return { kind: "done", value: await work() };
  const title = () => `Importing "${foreignTitle(source, 30)}", ${shortBytes(source.size)}`;
  return watch({ title, stops: "you stay where you are", work });
}

/** Opens an imported session and reports what was imported. */
export function openImported(context: CommandContext, imported: ImportedForeign): Promise<CommandOutcome> {
  const { outcome, source } = imported;
  const { counts } = outcome;
  return asOutcome(async () => {
    const { session } = context.agent;
    const isHere = session.getSessionFile() === outcome.path;
    if (isHere) session.refresh();
    else {
      const opened = await openSessionFile(context, outcome.path);
      if (opened.kind !== "done") return opened;
    }
    const sentence = importSentence(outcome, counts, { now: context.now() });
    const where = isHere ? SENTENCES.alreadyHere : SENTENCES.opened(foreignTitle(source));
    const { kind, path, added, report } = outcome;
    return {
      kind: "done",
      message: [`${sentence} ${where}`, ...importNotices(outcome), ...folderNotices(context, source)].join("\n"),
      data: { kind, file: path, added, turns: counts.turns, branches: counts.branches, ...sums(report) },
    };
  });
}

/** Both, one after the other. */
export function importAndOpen(context: CommandContext, source: ForeignSession): Promise<CommandOutcome> {
  return asOutcome(async () => {
    const imported = await importForeign(context, source);
    return imported.kind === "stopped" ? unchanged(SENTENCES.importStopped()) : openImported(context, imported.value);
  });
}

/** A session of this folder goes where this folder's sessions are, even if the user chose that folder. */
function placesFor({ cwd, sessionDir }: CommandContext, source: ForeignSession): SessionPlaces {
  return { cwd, dir: source.cwd === cwd || source.cwd === "" ? sessionDir : undefined };
}

function folderNotices({ cwd }: CommandContext, source: ForeignSession): string[] {
  if (source.cwd === "" || source.cwd === cwd) return [];
  const folder = titleOf(source.cwd, 200);
  return [
    existsSync(source.cwd)
      ? `It was recorded in another folder: ${folder}\nTools still run in this one.`
      : `Its folder no longer exists: ${folder}`,
  ];
}

function sums({ records, kept, converted, notes, reported }: ImportOutcome["report"]) {
  return { records, kept, converted, notes, reported };
}
