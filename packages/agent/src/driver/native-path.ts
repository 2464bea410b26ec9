/** Gives an agent the conversation of a branch: writes it as a session of its own, which it can then load. */
import { randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import type { EntryId, SessionEntry } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import type { AgentName, AgentPlaces, WriteLoss, WritePlan } from "@bough/workbench/interop/index.js";
import { runProcess } from "../tool/internal.js";
import { ageTranscript } from "./age-transcript.js";
import { DriverError } from "./driver-error.js";
import { givenPath, UNNAMED_TITLE } from "./given-path.js";

export interface WriteNative {
  readonly session: SessionManager;
  readonly entryId: EntryId;
  /** The name of the driver. */
  readonly driver: string;
  readonly agent: AgentName;
  readonly title: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly places: AgentPlaces;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

export interface WrittenNative {
  readonly id: string;
  /** The file that was written; opencode copies it to its database. */
  readonly path: string;
  readonly losses: readonly WriteLoss[];
  /** The path as it was written. */
  readonly entries: readonly SessionEntry[];
  /** How many values that look like a secret were masked. */
  readonly masked: number;
}

/** Gemini CLI names its files by the minute, and writes a second file if it is resumed in the same one. */
const EARLIER_MS = 2 * 60_000;

/** Undefined if the path has no conversation. Throws `agent-history` if the agent cannot take it in. */
export async function writeNative(request: WriteNative): Promise<WrittenNative | undefined> {
  const { writerFor, writeTranscript, InteropError } = await import("@bough/workbench/interop/index.js");
  const { session, entryId, driver, agent, places, title, signal } = request;
  // The agent finds sessions by the real folder.
  const cwd = realpathSync(request.cwd);
  const path = [...session.readBranch(entryId)];
  const given = await givenPath(path, { driver, agent, title: titleOf(session), signal });
  let plan: WritePlan;
  try {
    plan = writerFor(agent).planWrite({
      ...{ entries: given.entries, title: given.title, cwd, places, newId: randomUUID },
      now: () => new Date(request.now().getTime() - EARLIER_MS),
    });
    // It can be written again.
    writeTranscript(plan, { durable: false });
    ageTranscript(plan.path);
  } catch (error) {
    if (error instanceof InteropError && error.code === "nothing-to-write") return undefined;
    throw new DriverError(
      "agent-history",
      `Could not write the conversation for ${title}: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
  if (plan.resume.before !== undefined) await takeIn(plan.resume.before, { ...request, cwd });
  return { id: plan.sessionId, path: plan.path, losses: plan.losses, entries: given.entries, masked: given.masked };
}

/** So that the agent's own list shows where it comes from. */
function titleOf(session: SessionManager): string {
  const name = session.getSessionName();
  return name === undefined ? UNNAMED_TITLE : `Bough: ${name}`;
}

const MOST_MS = 120_000;

async function takeIn(command: readonly string[], { title, cwd, env, signal }: WriteNative): Promise<void> {
  const [program = "", ...args] = command;
  let output = "";
  const end = await runProcess({
    ...{ program, args, cwd, env, signal, timeoutMs: MOST_MS, killGraceMs: 2000 },
    onData: (chunk) => {
      output = (output + chunk.toString("utf8")).slice(-2000);
    },
  });
  signal.throwIfAborted();
  if (end.kind === "exited" && end.exitCode === 0) return;
  const why =
    end.kind === "timeout" ? `it took more than ${MOST_MS / 1000} s` : (output.trim().split("\n").at(-1) ?? "");
  throw new DriverError("agent-history", `${title} could not take in the conversation: ${why}`, {
    hint: `It was given with: ${command.join(" ")}`,
  });
}
