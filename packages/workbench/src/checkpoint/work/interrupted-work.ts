/** What an earlier process of this session left behind when it was killed: commands whose changes no record has. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type EntryId, Kind, Role } from "@bough/session/entry/index.js";
import { groupsWith, isGroupAlive, itemsIn, type ProcessIdentity } from "@bough/session/log/index.js";
import type { TreeSource } from "@bough/session/tree/index.js";
import type { CallTime } from "./attribute-changes.js";
import type { Announced, JournalCall } from "./calls-in.js";
import { spanOf } from "./left-calls.js";
import { callMark, isUnrecorded, readWorkFolders, type WorkFolder, workFolders } from "./work-folder.js";

export interface WorkOwner {
  /** The ID of the session. */
  readonly session: string;
  readonly file: string | undefined;
  readonly root: string;
}

/** Abandoned work folders of this session. A renamed root counts as the same one, because its store was found. */
export function interruptedWork(store: string, owner: WorkOwner): readonly WorkFolder[] {
  const left = readWorkFolders(store).filter((folder) => {
    const { about, isAtWork } = folder;
    if (isAtWork || !isUnrecorded(folder) || about.session !== owner.session) return false;
    if (about.root !== owner.root && existsSync(about.root)) return false;
    // A copy of a session file has the same ID.
    return about.file === owner.file || (about.file !== undefined && !existsSync(about.file));
  });
  return left.map((folder) => ({ ...folder, calls: folder.calls.map((call) => withGroups(call, folder)) }));
}

/** Finds the processes of a command if Bough was killed between starting it and recording its process group. */
function withGroups(call: JournalCall, { about: { mark } }: WorkFolder): JournalCall {
  const { id, to, groups, kind } = call;
  if (mark === undefined || to !== undefined || groups.length > 0 || kind === "exact") return call;
  return { ...call, groups: groupsWith("BOUGH_CALL", callMark(mark, id)) };
}

/** Whether a session may have left unrecorded work in any store. Cheap enough for startup. */
export function hasInterruptedWork(home: string, session: string): boolean {
  const stores = join(home, "files");
  return itemsIn(stores).some(({ name }) => {
    const store = join(stores, name);
    return itemsIn(workFolders(store)).length > 0 && readWorkFolders(store).some(isLeft);
  });
  function isLeft(folder: WorkFolder): boolean {
    return folder.about.session === session && !folder.isAtWork && isUnrecorded(folder);
  }
}

/** The calls that no record has, with their announcements. */
export function unrecordedCalls(folder: WorkFolder): {
  readonly calls: readonly JournalCall[];
  readonly times: readonly CallTime[];
  readonly announced: readonly Announced[];
} {
  const calls = folder.calls.filter(({ isRecorded }) => !isRecorded);
  const times = calls.filter(({ kind }) => kind === "free").map((call) => ({ id: call.id, ...spanOf(call, folder) }));
  return { calls, times, announced: folder.announced.filter(({ number }) => number >= folder.recordedUntil) };
}

/** A command that is still running although the process that started it was killed. */
export interface RunningCommand {
  /** The ID of the process group: `kill -- -<group>` ends it. */
  readonly group: number;
  readonly tool: string;
  readonly command?: string;
}

/** Includes what distinguishes its process from a later one with the same ID. */
export interface RunningProcess extends RunningCommand {
  readonly process: ProcessIdentity;
}

/** Commands of killed processes that are still running. */
export function runningCommands(folder: WorkFolder): readonly RunningProcess[] {
  return folder.calls.flatMap(({ groups, tool, command }) =>
    groups
      .filter(isGroupAlive)
      .map((process) => ({ group: process.pid, tool, ...(command === undefined ? {} : { command }), process })),
  );
}

/**
 * Whether the conversation is still where a call was interrupted. Results of other calls and notes may have been added
 * since; a prompt or an answer means that it was continued.
 */
export function isStillAt({ tree, leaf }: Pick<TreeSource, "tree" | "leaf">, below: EntryId | null): boolean {
  const from = below === null ? -1 : tree.ids.findText(below);
  if (below !== null && from < 0) return false;
  for (let at = leaf; at !== from; at = tree.parentOf(at)) {
    if (at < 0) return false;
    const role = tree.kindOf(at) === Kind.message ? tree.roleOf(at) : undefined;
    if (role === Role.user || role === Role.assistant) return false;
  }
  return true;
}
