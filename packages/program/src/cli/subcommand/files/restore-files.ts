/** `bough restore-files`: restores files as they were at an entry. The conversation does not move. */

import { readPresence } from "@bough/session/log/index.js";
import { boughHome, SessionManager } from "@bough/session/session/index.js";
import { arrivedEntries } from "@bough/session/session/internal.js";
import { counted, namedPaths, protectionOf, shellWord, shownPath, visibleText } from "@bough/session/text/index.js";
import { filePlanLines, filePlanTotals } from "@bough/session/view/door.js";
import {
  type BlobStore,
  CheckpointError,
  closeSessionFiles,
  type FilePlan,
  FolderScanner,
  hasFileRecords,
  hasInterruptedWork,
  MOST_FILE_BYTES,
  openSessionFiles,
  planRestore,
  type RestoreOutcome,
  SessionFiles,
  type SettleOptions,
  settleRestores,
  unrecordedPaths,
} from "@bough/workbench/checkpoint/index.js";
import { storedContents } from "@bough/workbench/store/door.js";
import { usageError } from "../../cli-error.js";
import { ownSessionArgument } from "../session-argument.js";
import { sessionFacts } from "../session-facts.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { FILE_STATE } from "./file-state.js";
import { chosenPaths, fileEnd, filesPlaceOf } from "./opened-files.js";

export const row: SubcommandRow = {
  name: "restore-files",
  usage: "<session#entry> [path...]",
  summary: "Restore files to what they were at an entry",
  details:
    "Writes and deletes the files that changed between the current position and the entry; the conversation does not move. With paths, only these files and folders. Prints the plan first. If a file was changed outside of the session, nothing is restored unless --conflicts says what to do. Everything that is overwritten is stored first, and the restore is recorded in the session, so it can be undone the same way. Files that decide what runs, such as .bough, .vscode, .mcp.json or git hooks, are listed and left alone without --protected; files of git always are. Exits with 1 if some files could not be restored.",
  flags: {
    "dry-run": { help: "show the plan, without changing anything" },
    conflicts: {
      value: "how",
      choices: ["keep", "take"],
      help: "files changed outside of the session: keep them, or take the ones of the entry",
    },
    protected: { help: "also restore files that decide what runs, such as .vscode or .mcp.json" },
  },
  examples: [
    ["restore-files '#before-rewrite' --dry-run", "show what would change"],
    ["restore-files 4f2a#c0ffee src/lexer.ts", "one file as it was after a step"],
    ["restore-files '#@' . --conflicts take", "undo everything since the last recorded step"],
  ],
  json: `{ "session": { id, path, name, leafId }, "entryId", "root", "plan": { files: [{ path, present, wanted, byPerson }], conflicts: [{ path, why, present, expected, wanted, byPerson }], missing: [{ path, hash }], protected: [{ path, why: "runs" | "git", conflict?, present, expected, wanted, byPerson }], bytes }, "dryRun", "outcome"?: { kind: "done" | "unchanged", written, deleted, kept, missing, protected? }, "recordId"?: entry or null }; present, expected and wanted are ${FILE_STATE}. Paths that another machine recorded have its name in "from".`,
  args: { least: 1, most: Number.POSITIVE_INFINITY },
  completes: "sessions",
};

export async function run(call: SubcommandCall): Promise<number> {
  const { args, flags, places, signal, out } = call;
  const [reference, ...given] = args;
  const argument = await ownSessionArgument(reference, places);
  if (argument.place === undefined) {
    throw usageError(
      "Missing entry after #",
      `For example: bough restore-files ${shellWord(`${reference}#entry`)}. bough tree lists the entries; @ is the current position.`,
    );
  }
  const session = SessionManager.open(argument.file, undefined, flags.isOn("dry-run") ? { readOnly: true } : {});
  try {
    const source = session.getSource();
    const isLeft = hasInterruptedWork(boughHome(), session.getSessionId());
    if (!isLeft && !hasFileRecords(source)) throw nothingRecorded(argument.file);
    const place = await filesPlaceOf(session, call, { access: flags.isOn("dry-run") ? "read" : "write" });
    if (isLeft && !flags.isOn("dry-run")) await takeUpLeft(session, call);
    if (!hasFileRecords(source)) throw nothingRecorded(argument.file);
    await sayWhatWasSettled(place, call);
    const to = fileEnd(session, argument);
    const paths = chosenPaths(given, place, call);
    const chosen = paths === undefined ? {} : { paths };
    const plan = await planRestore(source, {
      from: source.leaf,
      to: to.number,
      root: place.root,
      store: place.blobs,
      arrived: arrivedEntries(boughHome(), session.getSessionId()),
      signal,
      ...chosen,
    });
    if (paths !== undefined) sayUnnamed(await unrecordedPaths(source, paths, place.blobs), call);
    const facts = { session: sessionFacts(session), entryId: to.entryId, root: place.root, plan: planJson(plan) };
    if (flags.isOn("dry-run")) {
      if (out.json) out.value({ ...facts, dryRun: true });
      else await writePlan(plan, call);
      return 0;
    }
    const conflicts = conflictChoice(plan, call);
    if (!out.json) await writePlan(plan, call);
    const guarded = flags.isOn("protected") ? "take" : "keep";
    const done = await restored(plan, { session, blobs: place.blobs, conflicts, protected: guarded, signal });
    if (out.json) out.value({ ...facts, dryRun: false, outcome: done.outcome, recordId: done.recordId });
    else sayOutcome(done, call);
    return isComplete(plan, done.outcome, conflicts) ? 0 : 1;
  } finally {
    session.close();
  }
}

/** First record what a tool changed before its process was killed; otherwise it could not be undone. */
async function takeUpLeft(session: SessionManager, { out, places: { cwd } }: SubcommandCall): Promise<void> {
  const files = await openSessionFiles({ session, cwd, home: boughHome(), contents: storedContents(boughHome()) });
  if ("off" in files) return;
  try {
    for (const { calls, running, recorded } of await files.takeUp()) {
      const count = [recorded, ...(recorded?.also ?? [])].reduce((sum, one) => sum + (one?.changes.length ?? 0), 0);
      const tools = calls.map(({ tool }) => tool).join(", ");
      out.notice(`bough: Recorded ${counted(count, "changed file")} of a run that was killed (${tools}).`);
      for (const { group, command = tools } of running) {
        out.notice(`bough: Still running: ${visibleText(command, { newlines: "escape" }).text}`);
        out.notice(`  Stop it with: kill -- -${group}`);
      }
    }
  } finally {
    closeSessionFiles(files);
  }
}

async function sayWhatWasSettled(place: SettleOptions, { out, flags }: SubcommandCall): Promise<void> {
  if (flags.isOn("dry-run")) return;
  for (const { root, now, left } of await settleRestores(place)) {
    const how = now === "before" ? "undone" : "completed";
    out.notice(`bough: An interrupted restore in ${shownPath(root)} was ${how}.`);
    if (left.length > 0) out.notice(`  Left alone, because it changed since: ${namedPaths(left)}`);
  }
}

function sayUnnamed(unnamed: readonly string[], { out }: SubcommandCall): void {
  if (unnamed.length > 0) out.notice(`bough: No step in this session changed ${namedPaths(unnamed)}.`);
}

type Choice = "keep" | "take";

/** Never decided silently: with conflicts and no answer, nothing is touched. */
function conflictChoice(plan: FilePlan, { flags, out }: SubcommandCall): Choice {
  const choice = flags.text("conflicts");
  if (choice === "keep" || choice === "take") return choice;
  if (plan.conflicts.length === 0) return "keep";
  if (!out.json) for (const line of filePlanLines(plan)) out.line(line);
  throw new CheckpointError(
    "files-conflict",
    `${counted(plan.conflicts.length, "file")} changed outside of this session; nothing was restored`,
    {
      data: { conflicts: plan.conflicts.map(({ path, why }) => ({ path, why })) },
      hint: "Pass --conflicts keep to leave them alone, or --conflicts take to overwrite them. What is overwritten is stored first.",
    },
  );
}

async function writePlan(plan: FilePlan, { out }: SubcommandCall): Promise<void> {
  await out.lines(filePlanLines(plan));
  out.line(`${filePlanTotals(plan)} in ${shownPath(plan.root)}`);
}

interface Restored {
  readonly outcome: RestoreOutcome;
  readonly recordId: string | null;
  /** Why it is not in the session. */
  readonly unrecorded?: string;
}

async function restored(
  plan: FilePlan,
  request: {
    readonly session: SessionManager;
    readonly blobs: BlobStore;
    readonly conflicts: Choice;
    readonly protected: Choice;
    readonly signal: AbortSignal;
  },
): Promise<Restored> {
  const { session, blobs: store, signal } = request;
  const { root } = plan;
  // Nothing will be compared here, so do not scan.
  const scanner = new FolderScanner({ root, store, largest: MOST_FILE_BYTES });
  const files = new SessionFiles({ session, root, store, scanner });
  const unrecorded = whyUnrecorded(session);
  const choices = { conflicts: request.conflicts, protected: request.protected, signal };
  if (unrecorded !== undefined) return { outcome: await files.restore(plan, choices), recordId: null, unrecorded };
  const { recorded, ...outcome } = await files.restoreHere(plan, choices);
  return { outcome, recordId: recorded?.entryId ?? null };
}

/** Another process writes its own branch, and will notice the changes as if a person had made them. */
function whyUnrecorded(session: SessionManager): string | undefined {
  const reason = session.getReadOnlyReason();
  if (reason !== undefined) return reason.message;
  const file = session.getSessionFile();
  const others = file === undefined ? [] : readPresence(file, { now: () => new Date() }).present;
  return others.some(({ self }) => !self) ? "Open in another process, which will notice the changes." : undefined;
}

function sayOutcome({ outcome, recordId, unrecorded }: Restored, { out }: SubcommandCall): void {
  const { written, deleted, kept, missing, protected: guarded = [] } = outcome;
  if (outcome.kind === "done")
    out.line(`Restored: ${counted(written.length, "file")} written, ${deleted.length} deleted`);
  else out.line("No file was changed.");
  if (kept.length > 0) out.line(`Left alone: ${namedPaths(kept)}`);
  if (missing.length > 0) {
    out.notice(`bough: Not restored, because the content is not on this machine: ${namedPaths(missing)}`);
  }
  if (guarded.length > 0) {
    out.notice(`bough: Left alone, because it decides what runs: ${namedPaths(guarded)}`);
    if (guarded.some((path) => protectionOf(path) !== "git")) out.notice("  Pass --protected to restore it too.");
  }
  if (unrecorded !== undefined && outcome.kind === "done")
    out.notice(`bough: Not recorded in the session. ${unrecorded}`);
  if (recordId !== null) out.line(`Recorded as ${recordId}`);
}

/** The files are as requested: none is missing, and none that should be gone still exists. */
function isComplete({ conflicts }: FilePlan, outcome: RestoreOutcome, choice: Choice): boolean {
  const { missing, kept, protected: guarded = [] } = outcome;
  return (
    missing.length === 0 && guarded.length === 0 && (choice === "keep" || conflicts.length === 0 || kept.length === 0)
  );
}

function nothingRecorded(file: string): CheckpointError {
  return new CheckpointError("no-file-history", "No file changes are recorded in this session", {
    data: { file },
    hint: "Changes are recorded while the agent works. Earlier sessions and other agents' sessions have none.",
  });
}

function planJson({ files, conflicts, missing, protected: guarded = [], bytes }: FilePlan): object {
  return { files, conflicts, missing, protected: guarded, bytes };
}
