/** Runs a program in its own process group, and ends the whole group when it is stopped. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { setImmediate as nextRound, setTimeout as pause } from "node:timers/promises";
import { startFailure, startProgram } from "@bough/session/log/index.js";
import { systemCode, ToolFailure } from "../tool-failure.js";

export interface RunProcessOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Time between SIGTERM and SIGKILL for the process group. */
  readonly killGraceMs: number;
  /** Called with standard output and standard error, in order of arrival. */
  readonly onData: (chunk: Buffer) => void;
  /** Called with the process group once it runs. */
  readonly onGroup?: ((group: number) => void) | undefined;
  /** Starts the process in another way: in a group of its own, with pipes for its outputs. */
  readonly start?: (() => ChildProcess) | undefined;
}

export interface ProcessEnd {
  readonly kind: "exited" | "timeout" | "aborted";
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Process group that the program left running in the background. */
  readonly leftRunning?: number;
}

/**
 * Resolves when the program exits, not when its output is closed: a background child may keep that open for hours. Such
 * a child keeps running and its later output is discarded. On timeout and abort the group gets SIGTERM, then SIGKILL if
 * it is still alive; a process that started its own session is out of reach. Standard input is empty.
 */
export async function runProcess(options: RunProcessOptions): Promise<ProcessEnd> {
  const { child, group, outputs } = await startProcess(options);
  options.onGroup?.(group);
  let stopped: "timeout" | "aborted" | undefined;
  let hardKill: NodeJS.Timeout | undefined;
  const stop = (reason: "timeout" | "aborted") => {
    if (stopped !== undefined) return;
    stopped = reason;
    signalGroup(group, "SIGTERM");
    hardKill = setTimeout(() => signalGroup(group, "SIGKILL"), options.killGraceMs);
  };
  let received = 0;
  let failure: { readonly error: unknown } | undefined;
  const receive = (chunk: Buffer) => {
    received += chunk.length;
    try {
      options.onData(chunk);
    } catch (error) {
      // Throwing here would crash this process and leave the command running.
      failure ??= { error };
      stop("aborted");
    }
  };
  for (const output of outputs) output.on("data", receive);
  const onAbort = () => stop("aborted");
  const limit = setTimeout(() => stop("timeout"), options.timeoutMs);
  options.signal.addEventListener("abort", onAbort, { once: true });
  if (options.signal.aborted) onAbort();
  try {
    const [exitCode, signal] = await exitOf(child);
    await drainOutput(outputs, () => received);
    if (stopped === undefined) {
      return { kind: "exited", exitCode, signal, leftRunning: groupIsAlive(group) ? group : undefined };
    }
    if (!(await groupIsGone(group, options.killGraceMs))) {
      signalGroup(group, "SIGKILL");
      await groupIsGone(group, options.killGraceMs);
    }
    if (failure !== undefined) throw failure.error;
    return { kind: stopped, exitCode, signal };
  } finally {
    clearTimeout(limit);
    clearTimeout(hardKill);
    options.signal.removeEventListener("abort", onAbort);
    for (const output of outputs) detachOutput({ output, receive, close: stopped !== undefined });
  }
}

interface Started {
  readonly child: ChildProcess;
  /** ID of the process group, which is the PID of its first process. */
  readonly group: number;
  readonly outputs: readonly Socket[];
}

async function startProcess({ program, args, cwd, env, start }: RunProcessOptions): Promise<Started> {
  const usual = () =>
    startProgram({ program, cwd, env }, (found) =>
      spawn(found, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] }),
    );
  const child = (start ?? usual)();
  if (child.pid === undefined) {
    const [error] = await once(child, "error");
    throw new ToolFailure(`Could not start ${program} in ${cwd}: ${startFailure(error, { program, cwd, env })}`);
  }
  return { child, group: child.pid, outputs: [child.stdout as Socket, child.stderr as Socket] };
}

async function exitOf(child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> {
  if (child.exitCode !== null || child.signalCode !== null) return [child.exitCode, child.signalCode];
  const [code, signal] = await once(child, "exit");
  return [code as number | null, signal as NodeJS.Signals | null];
}

/** Keeps reading without a listener, so that a background child does not die of a closed pipe; unref lets us exit. */
function detachOutput(parts: {
  readonly output: Socket;
  readonly receive: (chunk: Buffer) => void;
  readonly close: boolean;
}): void {
  parts.output.off("data", parts.receive);
  if (parts.close) {
    parts.output.destroy();
    return;
  }
  parts.output.on("error", () => undefined);
  parts.output.resume();
  parts.output.unref();
}

const QUIET_ROUNDS = 3;
const MOST_ROUNDS = 1000;

/**
 * Everything the program wrote is already in the system's buffers, so every round of the event loop delivers some of
 * it: a few rounds without data mean that it is complete. This needs no clock. A background child that never stops
 * writing is cut off after a fixed number of rounds.
 */
async function drainOutput(outputs: readonly Readable[], received: () => number): Promise<void> {
  let quiet = 0;
  for (let round = 0; round < MOST_ROUNDS && quiet < QUIET_ROUNDS; round++) {
    if (outputs.every((output) => output.readableEnded || output.destroyed)) return;
    const before = received();
    await nextRound();
    quiet = received() === before ? quiet + 1 : 0;
  }
}

const POLL_MS = 10;

/** Does nothing if the group is already gone. */
function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    const code = systemCode(error);
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

/** Ends a process group: SIGTERM, then SIGKILL if it is still alive. */
export async function stopGroup(group: number, killGraceMs = 2000): Promise<void> {
  signalGroup(group, "SIGTERM");
  if (await groupIsGone(group, killGraceMs)) return;
  signalGroup(group, "SIGKILL");
  await groupIsGone(group, killGraceMs);
}

/** Also true while the group has zombies that their parent has not waited for. */
export function groupIsAlive(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch (error) {
    // macOS reports EPERM for a group whose processes have ended.
    return systemCode(error) === "EPERM" && process.platform !== "darwin";
  }
}

/** Waits until the group is gone, up to a limit; false if it is still alive. */
async function groupIsGone(group: number, atMostMs: number): Promise<boolean> {
  for (let waited = 0; groupIsAlive(group); waited += POLL_MS) {
    if (waited >= atMostMs) return false;
    await pause(POLL_MS);
  }
  return true;
}
