/**
 * Writes a path as a transcript that another agent can resume. Used by the shell, the slash command and RPC, which only
 * parse arguments, ask and print. Never overwrites the other agent's files.
 */
import { randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import { AGENT_TITLES, type EntryId } from "@bough/session/entry/index.js";
import { isFolder } from "@bough/session/log/index.js";
import { type SessionManager, setSessionMemory } from "@bough/session/session/index.js";
import { counted } from "@bough/session/text/index.js";
import type { AgentName, AgentPlaces, WritePlan } from "../contract.js";
import { InteropError } from "../interop-error.js";
import { type LastPrompt, lastPromptOf, resumeLine } from "./handoff-sentences.js";

export interface HandoffRequest {
  readonly session: SessionManager;
  readonly agent: AgentName;
  /** The last entry of the path (default: the leaf); null for an empty path. */
  readonly entryId?: EntryId | null | undefined;
  /** The directory in which the other agent is resumed. Default: the session's own, which must exist. */
  readonly folder?: string | undefined;
  readonly places?: AgentPlaces | undefined;
  readonly now: () => Date;
}

export interface PlannedHandoff {
  readonly plan: WritePlan;
  readonly session: SessionManager;
  readonly entryId: EntryId | null;
  /** The last prompt of the path. */
  readonly lastPrompt: LastPrompt | undefined;
}

/** Plans a handoff. Only reads. Throws `no-writer`, `nothing-to-write`, and `cannot-write` if the folder is missing. */
export async function planHandoff(request: HandoffRequest): Promise<PlannedHandoff> {
  const { writerFor } = await import("../agents.js");
  const { session, agent, places = {}, now } = request;
  const entryId = request.entryId === undefined ? session.getLeafId() : request.entryId;
  const title = session.getSessionName();
  const entries = entryId === null ? [] : session.readBranch(entryId);
  const cwd = resumeFolder(request);
  const named = title === undefined ? {} : { title };
  const plan = withSmallCache(() =>
    writerFor(agent).planWrite({ entries, cwd, ...named, places, now, newId: randomUUID }),
  );
  return { plan, session, entryId, lastPrompt: lastPromptOf(entries) };
}

/** Hint if it is not possible to ask. */
export const NEEDS_YES = "Nothing was written. Pass --yes to write it without these.";

interface Agreement {
  /** Whether the user already agreed to lose what the other agent cannot store. */
  readonly agreed: boolean;
  /** Asks the user; absent if that is not possible. */
  readonly ask?: (() => Promise<boolean>) | undefined;
}

/**
 * Writes the plan. If the other agent cannot store everything, the user must have agreed or is asked; without either,
 * throws `needs-agreement`. Also throws `target-exists` and `cannot-write`. After an error, nothing was written.
 */
export async function performHandoff(
  planned: PlannedHandoff,
  { agreed, ask }: Agreement,
): Promise<"written" | "declined"> {
  const { plan } = planned;
  if (plan.losses.length > 0 && !agreed) {
    if (ask === undefined) throw needsAgreement(planned);
    if (!(await ask())) return "declined";
  }
  const { writeTranscript } = await import("./handoff-transcript.js");
  withSmallCache(() => writeTranscript(plan));
  return "written";
}

function needsAgreement(planned: PlannedHandoff): InteropError {
  const { agent, losses } = planned.plan;
  const count = new Set(losses.map(({ entryId }) => entryId)).size;
  const what = `${AGENT_TITLES[agent]} cannot store ${counted(count, "entry", "entries")} as ${count === 1 ? "it is" : "they are"}`;
  return new InteropError("needs-agreement", what, {
    data: handoffFacts(planned, "planned"),
    hint: NEEDS_YES,
  });
}

/** A planned or written handoff as data, the same in all JSON output. */
export function handoffFacts(planned: PlannedHandoff, state: "planned" | "written"): Readonly<Record<string, unknown>> {
  const { plan, session, entryId, lastPrompt } = planned;
  const { agent, path, sessionId, lines, losses, leftOut = [], resume } = plan;
  const shell = resumeLine(plan);
  return {
    session: {
      id: session.getSessionId(),
      path: session.getSessionFile() ?? null,
      name: session.getSessionName() ?? null,
      leafId: session.getLeafId(),
    },
    entryId,
    ...(lastPrompt === undefined ? {} : { lastPrompt }),
    agent,
    file: path,
    written: state === "written",
    sessionId,
    records: lines.length,
    losses,
    leftOut,
    // The shell and RPC have published different names for this field, so both are set.
    resume: { ...resume, shell, line: shell },
  };
}

/** Reading a whole path would fill the entry cache with entries that are not needed again. */
function withSmallCache<Result>(work: () => Result): Result {
  const before = setSessionMemory(CACHE_BYTES);
  try {
    return work();
  } finally {
    setSessionMemory(before);
  }
}

/** Size of the entry cache while a path is written. */
const CACHE_BYTES = 4 << 20;

/**
 * The real path of the folder, by which other programs find sessions. A missing folder is an error and never replaced
 * by another one, because the other agent would work there.
 */
function resumeFolder({ session, folder: wanted }: HandoffRequest): string {
  const folder = wanted ?? session.getCwd();
  if (folder !== "" && isFolder(folder)) return realpathSync(folder);
  const message =
    wanted !== undefined
      ? `Folder not found: ${folder}`
      : folder === ""
        ? "The session has no working directory"
        : `The session's working directory no longer exists: ${folder}`;
  const hint = "Pass the folder to resume in with --to <folder>.";
  throw new InteropError("cannot-write", message, { data: { folder }, hint });
}
