/** /restore: files of another entry, all or some, while the conversation stays. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { EntryId } from "@bough/session/entry/index.js";
import { firstWords } from "@bough/session/text/index.js";
import { isEmptyPlan, pathInRoot, unnamedPaths } from "@bough/workbench/checkpoint/index.js";
import { readArguments, splitWords } from "../arguments.js";
import { cannotMove } from "../availability.js";
import type { Command, CommandContext } from "../command.js";
import { CommandError } from "../command-error.js";
import { fileCompletions, placeCompletions } from "../completions.js";
import { unchanged } from "../outcome.js";
import { SENTENCES } from "../sentences.js";
import { askAboutFiles } from "./decide-files.js";
import { namedState, titleAt } from "./diff-command.js";
import { filesPlace } from "./files-place.js";
import { freeFolder } from "./free-folder.js";
import { restoreHere } from "./restore-here.js";

export const RESTORE_COMMAND: Command = {
  name: "restore",
  group: "files",
  usage: "[id|label|#n] [paths…]",
  summary: "Restore files without moving",
  details:
    "Brings files, or only the paths given, to their state at an entry; without an entry, to the state of your position. Shows what would change and asks. The conversation stays, and current files are saved first.",
  complete: (context, typed) => [
    ...(splitWords(typed).length > 1 || /\S\s$/.test(typed) ? [] : placeCompletions(context, typed)),
    ...fileCompletions(context, typed),
  ],
  unavailable: cannotMove,
  async run(context, args) {
    const { words } = readArguments(args);
    const { to, given } = await readRequest(context, words);
    const { root } = await filesPlace(context);
    const paths = given.map((path) => pathInRoot(path, { root, cwd: context.cwd }));
    const chosen = paths.length === 0 ? {} : { paths };
    let plan = await context.agent.planFiles(to, chosen);
    const target = titleAt(context, to);
    if (isEmptyPlan(plan)) return unchanged(await whyNothing(context, paths, target));
    if (context.front.askFiles === undefined) return restoreHere(context, { to, ...chosen });
    if (context.agent.driverWork !== undefined) {
      if ((await freeFolder(context, { about: "restore" })) === "stay") return unchanged(SENTENCES.stayed);
      plan = await context.agent.planFiles(to, chosen);
      if (isEmptyPlan(plan)) return unchanged(await whyNothing(context, paths, target));
    }
    const decided = await askAboutFiles(context, { target, plan, about: "restore" });
    if (decided.kind !== "files") return unchanged(SENTENCES.stayed);
    const { conflicts, protected: guarded } = decided.files;
    return restoreHere(context, { to, ...chosen, conflicts, protected: guarded });
  },
};

interface RestoreRequest {
  readonly to: EntryId | null;
  /** Paths as they were typed. */
  readonly given: readonly string[];
}

/** The first word is an entry if one matches; otherwise it is a path like the others. */
async function readRequest(context: CommandContext, words: readonly string[]): Promise<RestoreRequest> {
  const [first, ...rest] = words;
  if (first === undefined) return { to: context.agent.session.getLeafId(), given: [] };
  try {
    return { to: namedState(context, first), given: rest };
  } catch (error) {
    const isUnknown = error instanceof CommandError && error.code === "unknown-reference";
    if (!isUnknown) throw error;
    // A name without a dot or slash that matches no file, past or present, is more likely a mistyped ID.
    const looksLikeOne = /[./]/.test(first) || rest.length > 0 || existsSync(resolve(context.cwd, first));
    if (!looksLikeOne && !(await isRecorded(context, first))) throw error;
    return { to: context.agent.session.getLeafId(), given: words };
  }
}

async function isRecorded(context: CommandContext, given: string): Promise<boolean> {
  const { root, store } = await filesPlace(context);
  const path = pathInRoot(given, { root, cwd: context.cwd });
  return (await unnamedPaths(context.agent.session.getSource(), [path], store)).length === 0;
}

async function whyNothing(context: CommandContext, paths: readonly string[], target: string): Promise<string> {
  if (paths.length === 0) return `Nothing to restore: files already match "${target}".`;
  const { store } = await filesPlace(context);
  const unnamed = await unnamedPaths(context.agent.session.getSource(), paths, store);
  if (unnamed.length === 0) return `Nothing to restore: these files already match "${target}".`;
  return `No step in this session changed ${unnamed.map((path) => firstWords(path)).join(", ")}, so no earlier version is recorded.`;
}
