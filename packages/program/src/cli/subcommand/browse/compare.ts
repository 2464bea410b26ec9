/** `bough compare`: where two branches split, what each did, how each ended. */

import { compareBranches } from "@bough/agent/agent/internal.js";
import { type EntryId, entryText } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { shellWord } from "@bough/session/text/index.js";
import { branchIndexOf, isPromptAt } from "@bough/session/tree/index.js";
import { type Line, lineText, span } from "@bough/session/view/index.js";
import { branchName, type CompareModel, compareModel, layoutCompare } from "@bough/session/view/internal.js";
import {
  CheckpointError,
  type ComparedFiles,
  compareFiles,
  hasFileRecords,
} from "@bough/workbench/checkpoint/index.js";
import { findEntry } from "@bough/workbench/find/index.js";
import { usageError } from "../../cli-error.js";
import { differenceJson, patchLines, sayWhatIsMissing, writeList } from "../files/diff.js";
import { filesPlaceOf } from "../files/opened-files.js";
import { openToLook } from "../open-to-look.js";
import { mapped } from "../output.js";
import { type SessionArgument, sessionArgument } from "../session-argument.js";
import { sessionFacts } from "../session-facts.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { DRAWING_FLAGS } from "../subcommand-flag.js";

export const row: SubcommandRow = {
  name: "compare",
  usage: "<a> [b]",
  summary: "Compare two branches of a session",
  details:
    "Shows where they split, what each did, and how each ended. Name a branch as session#4 or session#entry, or as #4 or #entry for the last session in this folder. If b is omitted, compares with the current position. Lists how files differ between the two, if the session recorded them. Quote arguments that start with #.",
  flags: {
    patch: { help: "print the diff of the files, not only names and counts" },
    ...DRAWING_FLAGS,
  },
  examples: [
    ["compare '#1' '#4'", "branches 1 and 4 of the last session here"],
    ["compare 4f2a#lexer", "a labeled entry and the current position"],
  ],
  json: '{ "session": { id, path, name, leafId, agent? }, "sharedId", "a": { tipId, label, branch, steps, totals, files, end }, "b": {...}, "changed": { onlyA, both, onlyB }, "unread", "skipped", "differences": [...] }; differences are the files of bough diff --json, with a patch if --patch is given.',
  args: { least: 1, most: 2 },
  completes: "sessions",
};

export async function run(call: SubcommandCall): Promise<number> {
  const { args, places, out } = call;
  const { signal } = call;
  const a = await sessionArgument(args[0], places, { signal });
  const b =
    args[1] === undefined ? { ...a, place: "@" } : await sessionArgument(args[1], places, { signal, nearby: a });
  checkPair(a, b, args[0] ?? "session");
  const { session, foreign, close } = await openToLook(a, call);
  try {
    const tips = { a: findEntry(session, a.place ?? "@"), b: findEntry(session, b.place ?? "@") };
    const told = compareBranches(session, tips);
    const files = await filesOf(session, tips, call);
    // Use recorded changes too: a shell command changes files that no call names.
    const comparison = files === undefined ? told : { ...told, changed: files.changed };
    if (out.json) {
      const side = (name: "a" | "b") => ({ branch: branchAt(session, tips[name]).number, ...comparison[name] });
      const { sharedId, changed } = comparison;
      const head = { session: sessionFacts(session, foreign), sharedId, a: side("a"), b: side("b"), changed };
      const { unread = [], skipped = [], differences = [] } = files ?? {};
      const short = call.flags.isOn("patch") ? "patch" : "facts";
      await out.values({ ...head, unread, skipped }, "differences", mapped(differences, differenceJson(short)));
      return 0;
    }
    const model = compareModel({
      comparison,
      a: branchAt(session, tips.a),
      b: branchAt(session, tips.b),
      shared: sharedPlace(session, comparison.sharedId),
    });
    await out.lines(compareLines(model, call));
    if (files !== undefined) await writeFiles(files, { model, call });
    return 0;
  } finally {
    close();
  }
}

/** Undefined if no changes of files were recorded, or none can be read here. */
async function filesOf(
  session: SessionManager,
  tips: { readonly a: EntryId; readonly b: EntryId },
  call: SubcommandCall,
): Promise<ComparedFiles | undefined> {
  if (!hasFileRecords(session.getSource())) return undefined;
  const place = await filesPlaceOf(session, call).catch((error: unknown) => {
    if (!(error instanceof CheckpointError)) throw error;
    call.out.notice(`bough: Files are not compared. ${error.message}`);
    return undefined;
  });
  if (place === undefined) return undefined;
  return compareFiles(session.getSource(), tips, { store: place.blobs, signal: call.signal });
}

async function writeFiles(
  { differences, unread, skipped }: ComparedFiles,
  { model, call }: { readonly model: CompareModel; readonly call: SubcommandCall },
): Promise<void> {
  const { out, flags } = call;
  sayWhatIsMissing({ unread, skipped }, call);
  const title = `Files from #${model.a.number} to #${model.b.number}`;
  out.line();
  out.line([span(title, "strong")]);
  if (flags.isOn("patch")) await out.lines(patchLines(differences));
  else await writeList(differences, call);
}

function checkPair(a: SessionArgument, b: SessionArgument, name: string): void {
  if (a.file !== b.file || a.foreign?.foreign.id !== b.foreign?.foreign.id) {
    throw usageError(
      "Cannot compare branches of two different sessions",
      "Name two entries of one session: bough compare session#1 session#4",
    );
  }
  if (a.place === undefined && b.place === "@") {
    throw usageError(
      "Both arguments name the current position",
      `Name an entry after #: bough compare ${shellWord(`${name}#1`)}. bough tree ${shellWord(name)} shows the branches.`,
    );
  }
}

function branchAt(session: SessionManager, id: EntryId): { readonly number: number; readonly name: string } {
  const source = session.getSource();
  const number = branchIndexOf(source.tree).branchOf(source.tree.ids.findText(id));
  return { number, name: branchName(source, number) };
}

/** The prompt of the last turn they share. */
function sharedPlace(session: SessionManager, sharedId: EntryId | null): { text: string; time: number } | null {
  const { tree, entryAt } = session.getSource();
  if (sharedId === null) return null;
  for (let n = tree.ids.findText(sharedId); n >= 0; n = tree.parentOf(n)) {
    if (!isPromptAt(tree, n)) continue;
    const entry = entryAt(n);
    return { text: entryText(entry), time: Date.parse(entry.timestamp) };
  }
  return null;
}

/** Two lines for a turn on each side, plus the surroundings. */
const LINES_A_TURN = 8;
const AROUND = 40;

function compareLines(model: CompareModel, { flags, out, now }: SubcommandCall): Line[] {
  const { lines } = layoutCompare(
    model,
    { side: "a", row: -1, top: 0, picked: new Set(), words: false, message: [] },
    {
      width: flags.count("width") ?? out.width,
      height: AROUND + LINES_A_TURN * (model.a.turns.length + model.b.turns.length),
      glyphs: out.glyphs({ ascii: flags.isOn("ascii") }),
      now: now().getTime(),
      hint: () => "",
    },
  );
  const shown = [...lines];
  while (shown.length > 0 && lineText(shown.at(-1) as Line).trim() === "") shown.pop();
  return shown;
}
