/** Places for tests of the sandbox: a real one, outside of temporary folders, because commands may write in those. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { isInside } from "@bough/session/log/index.js";
import { afterTest } from "../../../../../test/support/after-test.js";
import { commandShell } from "../process/command-shell.js";
import { openSandbox } from "./open-sandbox.js";
import type { Blocked, OpenSandboxOptions, Sandbox } from "./sandbox.js";

const TEMPORARY = [realpathSync(tmpdir()), realpathSync("/tmp")];

/** A folder that commands in a sandbox elsewhere cannot write; undefined if everything here is temporary. */
export const closedPlace: string | undefined = [join(process.cwd(), "node_modules"), homedir()].find(
  (place) => !TEMPORARY.some((folder) => isInside(folder, realpathSync(place))),
);

/** Real path of a new folder there, removed after the test. */
export function closedFolder(name = ".bough-sandbox-test-"): string {
  const folder = realpathSync(mkdtempSync(join(closedPlace ?? tmpdir(), name)));
  afterTest(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Why the tests of this file cannot run here, or an empty text. */
export async function whyNot(): Promise<string> {
  if (closedPlace === undefined) return " (cannot run here: every folder is temporary)";
  const sandbox = openSandbox({ cwd: realpathSync(closedPlace), home: tmpdir(), allowHost: async () => false });
  const state = await sandbox.ready();
  await sandbox.close();
  return state.kind === "on" ? "" : ` (cannot run here: ${state.reason}. ${state.fix})`;
}

export function testSandbox(options: OpenSandboxOptions): Sandbox {
  const sandbox = openSandbox(options);
  afterTest(() => sandbox.close());
  return sandbox;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly sandbox?: Sandbox | undefined;
  readonly callId?: string;
  readonly onStart?: (child: ChildProcess) => void;
  /** In a sandbox that was prepared, if there is one. */
  readonly prepared?: true;
}

export interface Ran {
  readonly code: number | null;
  readonly output: string;
  readonly blocked: readonly Blocked[];
  readonly wasPrepared: boolean;
}

/** Runs a line as the tool does, inside or outside: again if sockets of other tests disappeared while it was set up. */
export async function runLine(command: string, options: RunOptions): Promise<Ran> {
  for (let tries = 1; ; tries++) {
    const { hasRun, ...ran } = await tryLine(command, options);
    if (hasRun || ran.code === 125 || tries === 20) return ran;
  }
}

async function tryLine(
  command: string,
  { cwd, env = process.env, sandbox, callId = "call", onStart, prepared }: RunOptions,
): Promise<Ran & { readonly hasRun: boolean }> {
  const line = `exec 2>&1; ${command}`;
  const own = { ...env, PWD: cwd };
  const { signal } = new AbortController();
  const inside = await sandbox?.wrap(line, { callId, signal, ...(prepared ? { env: own } : {}) });
  const anew = () =>
    spawn(commandShell().program, ["-c", inside?.line ?? line], {
      cwd,
      env: own,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
  const child = (inside?.start ?? anew)();
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
  onStart?.(child);
  const code = await new Promise<number | null>((resolve) => child.on("close", (ended) => resolve(ended)));
  const output = Buffer.concat(chunks).toString();
  const blocked = (await inside?.finish(output)) ?? [];
  return { code, output, blocked, wasPrepared: inside?.start !== undefined, hasRun: inside?.hasRun() ?? true };
}
