/**
 * A mark in the names of temporary files that identifies their owner, so that files of a killed process can be
 * recognized.
 */
import { createHash } from "node:crypto";
import { isAlive, processIdentity } from "./process-identity.js";

/** `<pid>-<start>-<space>`, for this process. */
export function ownerMark(): string {
  return markOf(process.pid);
}

/** Matches a mark, for use in regular expressions. */
export const OWNER_MARK = "\\d+-[0-9a-f]{8}-[0-9a-f]{8}";

/**
 * Whether the process with this mark has ended. False if that cannot be determined: processes of other containers may
 * share the folder.
 */
export function isLeftBehind(mark: string): boolean {
  if (!isOwnerCheckable(mark)) return false;
  const [pid = "", start] = mark.split("-");
  const [, startNow] = markOf(Number(pid)).split("-");
  return start !== startNow || !isAlive(processIdentity(Number(pid)));
}

/** Whether the process with this mark can be checked from here. */
export function isOwnerCheckable(mark: string): boolean {
  return mark.split("-")[2] === ownerMark().split("-")[2];
}

function markOf(pid: number): string {
  const { start, space } = processIdentity(pid);
  return [pid, short(start), short(space)].join("-");
}

function short(text = ""): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
