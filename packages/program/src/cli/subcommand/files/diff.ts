/** `bough diff`: how files differ between two entries of a session, or between an entry and the disk. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { SessionError } from "@bough/session/entry/index.js";
import { counted, shellWord, shortBytes } from "@bough/session/text/index.js";
import {
  differenceLines,
  differenceList,
  differenceTotals,
  type FileDifference,
  patchOf,
} from "@bough/session/view/door.js";
import type { Line } from "@bough/session/view/index.js";
import {
  type ChangedFiles,
  diffFiles,
  filesBetween,
  filesToDisk,
  hasFileRecords,
} from "@bough/workbench/checkpoint/index.js";
import { usageError } from "../../cli-error.js";
import { openToLook } from "../open-to-look.js";
import { mapped } from "../output.js";
import { type SessionArgument, sessionArgument } from "../session-argument.js";
import { sessionFacts } from "../session-facts.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { FILE_STATE } from "./file-state.js";
import { chosenPaths, fileEnd, filesPlaceOf } from "./opened-files.js";

export const row: SubcommandRow = {
  name: "diff",
  usage: "[session[#entry]] [#entry] [path...]",
  summary: "Show how files differ between two entries, or from an entry to the disk",
  details:
    "Compares the files at an entry (default: the current position) with a second entry of the same session, or with what is on disk now. The second argument is an entry if it contains a #; everything after it is a path. In a pipe the output is a patch that git apply accepts. Only files that the session recorded are compared. Quote arguments that start with #.",
  flags: { stat: { help: "list file names and line counts instead of a patch" } },
  examples: [
    ["diff", "what changed on disk since the current position of the last session here"],
    ["diff '#before-rewrite' --stat", "names and counts, from a label to the disk"],
    ["diff 4f2a#1 '#4' src", "branches 1 and 4, only below src"],
    ["diff 4f2a#c0ffee > undo.patch", "a patch"],
  ],
  json: `{ "session": { id, path, name, leafId, agent? }, "root", "from": entry or null, "to": entry or "disk", "skipped": [{ path, why, size? }], "unread": [entry], "files": [{ path, change: "added" | "deleted" | "changed" | "renamed" | "mode", from?, before, after, added?, removed?, noDiff?, patch }] }; before and after are ${FILE_STATE}. Without patch if --stat is given.`,
  args: { least: 0, most: Number.POSITIVE_INFINITY },
  completes: "sessions",
};

export async function run(call: SubcommandCall): Promise<number> {
  const { out, flags, signal } = call;
  const { a, b, given } = await ends(call);
  const { session, foreign, close } = await openToLook(a, call);
  try {
    const place = await filesPlaceOf(session, call);
    const paths = chosenPaths(given, place, call);
    const options = { store: place.blobs, signal, paths };
    const source = session.getSource();
    const from = fileEnd(session, a);
    const to = b === undefined ? undefined : fileEnd(session, b);
    const found =
      to === undefined
        ? await filesToDisk(source, from.number, { ...options, root: place.root })
        : await filesBetween(source, { from: from.number, to: to.number }, options);
    const disk = to === undefined ? { disk: place.root } : {};
    const differences = diffFiles(found, { store: place.blobs, signal, ...disk });
    if (out.json) {
      const head = {
        session: sessionFacts(session, foreign),
        root: place.root,
        from: from.entryId,
        to: to === undefined ? "disk" : to.entryId,
        skipped: found.skipped,
        unread: found.unread,
      };
      await out.values(head, "files", mapped(differences, differenceJson(flags.isOn("stat") ? "facts" : "patch")));
      return 0;
    }
    sayWhatIsMissing(found, call);
    if (!hasFileRecords(source)) out.notice("bough: No file changes are recorded in this session.");
    if (flags.isOn("stat")) await writeList(differences, call);
    else if (out.isTerminal) await out.lines(patchLines(differences));
    // Exact, so that it can be applied as a patch.
    else await out.raw(mapped(differences, patchOf));
    return 0;
  } finally {
    close();
  }
}

interface Ends {
  readonly a: SessionArgument;
  /** Undefined: the disk. */
  readonly b: SessionArgument | undefined;
  readonly given: readonly string[];
}

async function ends({ args, places, signal }: SubcommandCall): Promise<Ends> {
  const [first, second, ...rest] = args;
  // What exists as a file here is not looked up in the store.
  const where = first !== undefined && existsSync(resolve(places.cwd, first)) ? { where: "here" as const } : {};
  const a = await sessionArgument(first, places, { signal, ...where }).catch((error: unknown) => {
    if (!(error instanceof SessionError) || error.code !== "session-not-found" || first === undefined) throw error;
    if (!existsSync(resolve(places.cwd, first))) throw error;
    throw usageError(`${first} is a file; name a session first`, `For example: bough diff '#@' ${shellWord(first)}`);
  });
  if (second === undefined) return { a, b: undefined, given: [] };
  const isEntry = second.startsWith("#") || (second.includes("#") && !existsSync(resolve(places.cwd, second)));
  if (!isEntry) return { a, b: undefined, given: [second, ...rest] };
  const b = await sessionArgument(second, places, { signal, nearby: a });
  if (a.file !== b.file || a.foreign?.foreign.id !== b.foreign?.foreign.id) {
    throw usageError(
      "Cannot compare files of two different sessions",
      "Name two entries of one session: bough diff session#1 '#4'",
    );
  }
  return { a, b, given: rest };
}

/** With the patch, or only a one-line summary. */
export function differenceJson(what: "facts" | "patch"): (difference: FileDifference) => object {
  return (difference) => {
    const { hunks: _hunks, ...facts } = difference;
    return what === "facts" ? facts : { ...facts, patch: patchOf(difference) };
  };
}

export async function writeList(differences: AsyncIterable<FileDifference>, { out }: SubcommandCall): Promise<void> {
  const all: FileDifference[] = [];
  // Hunks are not needed, and there may be many.
  for await (const { hunks: _hunks, ...facts } of differences) all.push(facts);
  await out.lines(differenceList(all));
  out.line(differenceTotals(all));
}

export async function* patchLines(differences: AsyncIterable<FileDifference>): AsyncGenerator<Line> {
  for await (const difference of differences) yield* differenceLines(difference);
}

const SKIPPED_WORDS = {
  "too-large": "too large",
  "not-stored": "what it was before is not stored",
  unreadable: "not readable",
  special: "not a regular file",
  repository: "another repository",
  name: "its name cannot be stored",
} as const;

/** At most this many are listed. */
const SHOWN = 10;

export function sayWhatIsMissing(
  { unread, skipped }: Pick<ChangedFiles, "unread" | "skipped">,
  { out }: SubcommandCall,
): void {
  for (const entryId of unread) {
    out.notice(`bough: The changed files of entry ${entryId} cannot be read on this machine; they are left out.`);
  }
  for (const { path, why, size } of skipped.slice(0, SHOWN)) {
    const amount = size === undefined ? "" : `, ${shortBytes(size)}`;
    out.notice(`bough: Not recorded: ${path} (${SKIPPED_WORDS[why]}${amount})`);
  }
  if (skipped.length > SHOWN) out.notice(`bough: ${counted(skipped.length - SHOWN, "more file")} not recorded`);
}
