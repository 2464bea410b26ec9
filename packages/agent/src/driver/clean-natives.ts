/**
 * Deletes the agents' own sessions that Bough made. Bough's sessions lose nothing: the next prompt to the agent writes
 * the path again.
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isFolder } from "@bough/session/log/index.js";
import { attempt, errorText } from "@bough/session/text/index.js";
import { readGrown } from "@bough/workbench/interop/internal.js";
import { runProcess } from "../tool/internal.js";
import { acpDriver } from "./acp-driver.js";
import { isInstalled } from "./agent-status.js";
import type { OpenDriver } from "./driver.js";
import { KNOWN_AGENTS, type KnownAgent } from "./known-agents.js";
import { type NativeSession, NativeSessions } from "./native-sessions.js";
import { NativeTranscripts } from "./native-transcript.js";

/** Why one stays. */
export type KeptReason = "continued" | "in-use" | "not-installed" | "unknown-agent" | "unreadable";

export interface NativeToClean {
  readonly native: NativeSession;
  readonly table: NativeSessions;
  /** Undefined: it can be deleted. */
  readonly kept?: KeptReason;
  /** The agent has deleted it itself. */
  readonly isGone: boolean;
  /** Its transcript, if that is a file of its own. */
  readonly path?: string;
}

interface PlanOptions {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** Only those of this session. */
  readonly sessionId?: string | undefined;
}

/** Only reads. A session that the user continued in the agent's own program stays. */
export async function planCleanNatives({ home, env, sessionId }: PlanOptions): Promise<readonly NativeToClean[]> {
  const tables =
    sessionId === undefined ? allTables(home) : [new NativeSessions(home, { id: sessionId, isPersisted: true })];
  const transcripts = new NativeTranscripts(env);
  const found: NativeToClean[] = [];
  for (const table of tables) {
    for (const native of table.list()) found.push({ native, table, ...(await stateOf(native, { transcripts, env })) });
  }
  return found;
}

type State = Pick<NativeToClean, "kept" | "isGone" | "path">;

async function stateOf(
  native: NativeSession,
  { transcripts, env }: { readonly transcripts: NativeTranscripts; readonly env: NodeJS.ProcessEnv },
): Promise<State> {
  const agent = KNOWN_AGENTS.find(({ name }) => name === native.driver);
  if (agent?.transcripts === undefined) return { kept: "unknown-agent", isGone: false };
  const source = await transcripts.find(agent.transcripts, native.id);
  if (source === undefined) return { isGone: true };
  const grown = await readGrown(source, { since: native.mark }).catch(() => undefined);
  if (grown === undefined) return { kept: "unreadable", isGone: false };
  const isContinued = grown.isRewritten || grown.entries.some(({ type }) => type === "message");
  if (isContinued) return { kept: "continued", isGone: false };
  if (!isInstalled(agent, env)) return { kept: "not-installed", isGone: false };
  return { isGone: false, path: source.path };
}

function allTables(home: string): NativeSessions[] {
  const folder = join(home, "drivers");
  const names = attempt(() => readdirSync(folder)) ?? [];
  return names.filter((name) => name.endsWith(".json")).map((name) => NativeSessions.at(folder, name));
}

interface CleanOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  readonly signal: AbortSignal;
}

export type CleanedNative = NativeToClean & { readonly failure?: string };

/** Deletes what the plan does not keep, one agent after the other. What fails is reported and stays. */
export async function applyCleanNatives(
  plan: readonly NativeToClean[],
  { env, version, signal }: CleanOptions,
): Promise<readonly CleanedNative[]> {
  const cleaned: CleanedNative[] = [];
  const drivers = new Map<string, Promise<OpenDriver>>();
  const opened = (agent: KnownAgent, cwd: string) => {
    const key = `${agent.name} ${cwd}`;
    const known = drivers.get(key) ?? acpDriver({ ...agent, version }).open({ cwd, env, signal, onNotice: () => {} });
    drivers.set(key, known);
    return known;
  };
  try {
    for (const one of plan.filter(({ kept }) => kept === undefined)) {
      signal.throwIfAborted();
      const agent = KNOWN_AGENTS.find(({ name }) => name === one.native.driver) as KnownAgent;
      cleaned.push(await clean(one, { agent, env, signal, opened }));
    }
  } finally {
    for (const driver of drivers.values()) await driver.then((open) => open.close()).catch(() => undefined);
  }
  return cleaned;
}

interface Cleaning {
  readonly agent: KnownAgent;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly opened: (agent: KnownAgent, cwd: string) => Promise<OpenDriver>;
}

async function clean(one: NativeToClean, { agent, env, signal, opened }: Cleaning): Promise<CleanedNative> {
  const { native, table, isGone, path } = one;
  const release = await table.hold(native);
  if (release === undefined) return { ...one, kept: "in-use" };
  try {
    if (!isGone) {
      // Agents look for sessions by the folder, which may be gone.
      const cwd = isFolder(native.cwd) ? native.cwd : "/";
      if (agent.remove !== undefined) await removeBy(agent.remove(native.id), { cwd, env, signal });
      else if (!(await (await opened(agent, cwd)).remove(native.id, { signal })) && path !== undefined) rmSync(path);
    }
    table.forget(native);
    return one;
  } catch (error) {
    signal.throwIfAborted();
    return { ...one, failure: errorText(error) };
  } finally {
    release();
  }
}

const MOST_MS = 60_000;

async function removeBy(
  [program = "", ...args]: readonly string[],
  place: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<void> {
  let output = "";
  const end = await runProcess({
    ...{ program, args, ...place, timeoutMs: MOST_MS, killGraceMs: 2000 },
    onData: (chunk) => {
      output = (output + chunk.toString("utf8")).slice(-2000);
    },
  });
  if (end.kind === "exited" && end.exitCode === 0) return;
  throw new Error(`${[program, ...args].join(" ")}: ${output.trim().split("\n").at(-1) || end.kind}`);
}
