/** Identifies a process beyond its pid, which is soon reused and means nothing outside its container. */
import { readFileSync, readlinkSync } from "node:fs";
import { uptime } from "node:os";
import { attempt, defined } from "../text/index.js";
import { namesIn } from "./names-in.js";

export interface ProcessIdentity {
  readonly pid: number;
  /** Boot and start time of the process. Absent if the system does not provide them, as on macOS and Windows. */
  readonly start?: string;
  /** The namespace of the pid (a Linux pid namespace). Absent if there is only one. */
  readonly space?: string;
}

/** The identity of a process as seen from here (default: this one). A process that does not exist has only its pid. */
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
 * Whether this process can check the other at all. Two containers, or a sandbox and its host, may share a folder and a
 * host name but number their processes separately; there `isAlive` would be a guess.
 */
export function isCheckable(identity: ProcessIdentity): boolean {
  if (fromAnotherBoot(identity)) return true;
  const space = pidSpace();
  return identity.space === undefined || space === undefined || identity.space === space;
}

/**
 * Whether the process is still running. A later process with the same pid does not count, and neither does a zombie
 * that waits for its parent. Without a start identity, the pid alone decides.
 */
export function isAlive(identity: ProcessIdentity): boolean {
  if (fromAnotherBoot(identity)) return false;
  // Look it up before signaling: in this order, a process that ends in between is never mistaken for a hidden one.
  const stat = statOf(identity.pid);
  if (stat === undefined) return answersToSignals(identity.pid);
  if (stat.state === "Z" || stat.state === "X") return false;
  return identity.start === undefined || identity.start.endsWith(`:${stat.startTicks}`);
}

/**
 * Whether anything in a process group is still running, given the identity of its first process when the group was
 * created. That process may have ended; its number is not reused while the group exists.
 */
export function isGroupAlive(first: ProcessIdentity): boolean {
  if (fromAnotherBoot(first)) return false;
  const stat = statOf(first.pid);
  if (stat !== undefined && first.start !== undefined && !first.start.endsWith(`:${stat.startTicks}`)) return false;
  return answersToSignals(-first.pid) && hasRunning(first.pid);
}

/** The groups of running processes that have this variable in their environment, as far as the system reveals it. */
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

/** Zombies answer to signals too. */
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
    // Not being allowed to signal it proves that it exists.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

interface ProcessStat {
  readonly state: string;
  readonly group: number;
  readonly startTicks: string;
}

/** State (field 3), group (5) and start time (22) from `/proc/<pid>/stat`, or undefined if it cannot be read. */
function statOf(pid: number): ProcessStat | undefined {
  const text = readSystemFile(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // Field 2 is the program's name in parentheses, and the name may itself contain spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const state = fields[0];
  const startTicks = fields[19];
  return state === undefined || startTicks === undefined ? undefined : { state, group: Number(fields[2]), startTicks };
}

/**
 * Constant until the system restarts. If the system has no boot ID, the minute it started, which shifts if the clock is
 * changed.
 */
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

/** Other systems, sandboxes and hidden processes all lack these files for their own reasons; each counts as unknown. */
function orAbsent(read: () => string): string | undefined {
  if (process.platform !== "linux") return undefined;
  return attempt(read);
}
