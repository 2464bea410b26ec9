/** What a process that was killed, or that ended too early, left of this session: commands whose changes no record has. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { groupsWith, isGroupAlive, itemsIn, type ProcessIdentity } from "@bough/session/log/index.js";
import type { CallTime } from "./attribute-changes.js";
import type { Announced, JournalCall } from "./calls-in.js";
import { spanOf } from "./left-calls.js";
import { callMark, isUnrecorded, readWorkFolders, type WorkFolder, workFolders } from "./work-folder.js";

export interface WorkOwner {
  /** The id of the session. */
  readonly session: string;
  readonly file: string | undefined;
  readonly root: string;
}

/** Folders of this session that no one is at work in. A root that was renamed is the same root: its store was found. */
export function interruptedWork(store: string, owner: WorkOwner): readonly WorkFolder[] {
  const left = readWorkFolders(store).filter((folder) => {
    const { about, isAtWork } = folder;
    if (isAtWork || !isUnrecorded(folder) || about.session !== owner.session) return false;
    if (about.root !== owner.root && existsSync(about.root)) return false;
    // A copy of a session file has the same id.
    return about.file === owner.file || (about.file !== undefined && !existsSync(about.file));
  });
  return left.map((folder) => ({ ...folder, calls: folder.calls.map((call) => withGroups(call, folder)) }));
}

/** A command may have been started and the process killed before it could say so. */
function withGroups(call: JournalCall, { about: { mark } }: WorkFolder): JournalCall {
  const { id, to, groups, kind } = call;
  if (mark === undefined || to !== undefined || groups.length > 0 || kind === "exact") return call;
  return { ...call, groups: groupsWith("BOUGH_CALL", callMark(mark, id)) };
}

/** Whether a session may have left something, in any store. Cheap, for programs that start. */
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

/** Its calls that no record has, with what they said they would do. */
export function unrecordedCalls(folder: WorkFolder): {
  readonly calls: readonly JournalCall[];
  readonly times: readonly CallTime[];
  readonly announced: readonly Announced[];
} {
  const calls = folder.calls.filter(({ isRecorded }) => !isRecorded);
  const times = calls.filter(({ kind }) => kind === "free").map((call) => ({ id: call.id, ...spanOf(call, folder) }));
  return { calls, times, announced: folder.announced.filter(({ number }) => number >= folder.recordedUntil) };
}

/** A command that still runs although the process that started it was killed. */
export interface RunningCommand {
  /** The number of the process group: `kill -- -<group>` ends it. */
  readonly group: number;
  readonly tool: string;
  readonly command?: string;
}

/** With what tells its process from another one that got the same number. */
export interface RunningProcess extends RunningCommand {
  readonly process: ProcessIdentity;
}

/** Commands of killed processes that still run. */
export function runningCommands(folder: WorkFolder): readonly RunningProcess[] {
  return folder.calls.flatMap(({ groups, tool, command }) =>
    groups
      .filter(isGroupAlive)
      .map((process) => ({ group: process.pid, tool, ...(command === undefined ? {} : { command }), process })),
  );
}
