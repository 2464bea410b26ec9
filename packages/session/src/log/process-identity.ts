/** Which process a number means: a pid alone is soon given to another process, or means nothing outside its container. */
import { readFileSync, readlinkSync } from "node:fs";
import { uptime } from "node:os";
import { attempt, defined } from "../text/index.js";
import { namesIn } from "./names-in.js";

export interface ProcessIdentity {
  readonly pid: number;
  /** Boot and start time of the process. Absent if the system does not tell, as on macOS and Windows. */
  readonly start?: string;
  /** The set of processes the pid counts in (a Linux pid namespace). Absent if there is only one. */
  readonly space?: string;
}

/** The identity of a process seen from here, this one by default. A process that does not exist has only its pid. */
export function processIdentity(pid: number = process.pid): ProcessIdentity {
  const boot = bootId();
  const ticks = statOf(pid)?.startTicks;
  const space = pidSpace();
  return {
    pid,
    ...(boot === undefined || ticks === undefined ? {} : { start: `${boot}:${ticks}` }),
    ...defined({ space }),
  };
}

/**
 * Whether this process can judge that one at all. Two containers, or a sandbox and its host, may share a folder and a
 * host name and still count their pids apart; there `isAlive` would be a guess.
 */
export function isWithinSight(identity: ProcessIdentity): boolean {
  if (fromAnotherBoot(identity)) return true;
  const space = pidSpace();
  return identity.space === undefined || space === undefined || identity.space === space;
}

/**
 * Whether the process still runs. A later process with the same pid does not count, and neither does one that was
 * killed and only waits for its parent to take notice. Without a start identity the pid alone decides.
 */
export function isAlive(identity: ProcessIdentity): boolean {
  if (fromAnotherBoot(identity)) return false;
  // First look it up, then signal: in this order a process that ends between the two is never taken for a hidden one.
  const stat = statOf(identity.pid);
  if (stat === undefined) return answersToSignals(identity.pid);
  if (stat.state === "Z" || stat.state === "X") return false;
  return identity.start === undefined || identity.start.endsWith(`:${stat.startTicks}`);
}

/**
 * Whether anything of a process group still runs, given what its first process was when the group was made. That process
 * may have ended. Its number is not given to another process as long as the group has one.
 */
export function isGroupAlive(first: ProcessIdentity): boolean {
  if (fromAnotherBoot(first)) return false;
  const stat = statOf(first.pid);
  if (stat !== undefined && first.start !== undefined && !first.start.endsWith(`:${stat.startTicks}`)) return false;
  return answersToSignals(-first.pid) && hasRunning(first.pid);
}

/** The groups of running processes that have this in their environment, as far as the system tells. */
export function groupsWith(name: string, value: string): readonly ProcessIdentity[] {
  const wanted = `\0${name}=${value}\0`;
  const groups = new Set<number>();
  for (const pid of namesIn("/proc")) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue;
    const text = readSystemFile(`/proc/${pid}/environ`);
    const stat = text?.endsWith("\0") && `\0${text}`.includes(wanted) ? statOf(Number(pid)) : undefined;
    if (stat !== undefined && stat.group > 1) groups.add(stat.group);
  }
  return [...groups].map((group) => processIdentity(group));
}

/** Ended processes that no one has taken notice of answer to signals too. */
function hasRunning(group: number): boolean {
  const pids = namesIn("/proc").filter((name) => /^\d+$/.test(name));
  if (pids.length === 0) return true;
  return pids.some((pid) => {
    const stat = statOf(Number(pid));
    return stat?.group === group && stat.state !== "Z" && stat.state !== "X";
  });
}

function fromAnotherBoot({ start }: ProcessIdentity): boolean {
  const boot = bootId();
  return start !== undefined && boot !== undefined && !start.startsWith(`${boot}:`);
}

function answersToSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Not being allowed to signal it proves that it is there.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

interface ProcessStat {
  readonly state: string;
  readonly group: number;
  readonly startTicks: string;
}

/** State (field 3), group (5) and start time (22) of `/proc/<pid>/stat`, or undefined if there is nothing to read. */
function statOf(pid: number): ProcessStat | undefined {
  const text = readSystemFile(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // Field 2 is the program's name in brackets, and the name may hold spaces and brackets itself.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const state = fields[0];
  const startTicks = fields[19];
  return state === undefined || startTicks === undefined ? undefined : { state, group: Number(fields[2]), startTicks };
}

/** The same for as long as the system runs. Where it has no name for that, the minute of its start; a changed clock moves it. */
export function thisBoot(): string {
  knownBoot ??= bootId() ?? `minute-${Math.round((Date.now() / 1000 - uptime()) / 60)}`;
  return knownBoot;
}

let knownBoot: string | undefined;

function bootId(): string | undefined {
  return readSystemFile("/proc/sys/kernel/random/boot_id")?.trim();
}

function pidSpace(): string | undefined {
  return orAbsent(() => readlinkSync("/proc/self/ns/pid"));
}

function readSystemFile(path: string): string | undefined {
  return orAbsent(() => readFileSync(path, "latin1"));
}

/** Other systems, sandboxes and hidden processes all lack these files for their own reasons; each means "not told". */
function orAbsent(read: () => string): string | undefined {
  if (process.platform !== "linux") return undefined;
  return attempt(read);
}
