/**
 * Writing a path as a transcript that another agent continues with: the one way for a shell, the slash command and RPC,
 * which only read what is wanted, ask, and tell. The other agent's own files are never overwritten.
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
  /** The end of the path (default: the leaf); null is the start. */
  readonly entryId?: EntryId | null | undefined;
  /** The directory the other agent is resumed in (default: the session's own, which has to be there). */
  readonly folder?: string | undefined;
  readonly places?: AgentPlaces | undefined;
  readonly now: () => Date;
}

export interface PlannedHandoff {
  readonly plan: WritePlan;
  readonly session: SessionManager;
  readonly entryId: EntryId | null;
  /** The prompt that the path ends on. */
  readonly lastPrompt: LastPrompt | undefined;
}

/** What would be written. Reads only. Throws `no-writer`, `nothing-to-write`, and `cannot-write` if the folder is missing. */
export async function planHandoff(request: HandoffRequest): Promise<PlannedHandoff> {
  const { writerFor } = await import("../agents.js");
  const { session, agent, places = {}, now } = request;
  const entryId = request.entryId === undefined ? session.getLeafId() : request.entryId;
  const title = session.getSessionName();
  const entries = entryId === null ? [] : session.readBranch(entryId);
  const cwd = resumeFolder(request);
  const named = title === undefined ? {} : { title };
  const plan = holdingLittle(() =>
    writerFor(agent).planWrite({ entries, cwd, ...named, places, now, newId: randomUUID }),
  );
  return { plan, session, entryId, lastPrompt: lastPromptOf(entries) };
}

/** What to do where no one can be asked. */
export const NEEDS_YES = "Nothing was written. Pass --yes to write it without these.";

interface Agreement {
  /** Agreed beforehand to what the other agent cannot store. */
  readonly agreed: boolean;
  /** Asks about it; absent if it cannot ask. */
  readonly ask?: (() => Promise<boolean>) | undefined;
}

/**
 * Writes the plan. If the other agent cannot store something, that needs an agreement, which is given or asked for; else
 * throws `needs-agreement`. Throws `target-exists` and `cannot-write` too; then nothing was written.
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
  holdingLittle(() => writeTranscript(plan));
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

/** The same data everywhere: of a plan, or of what was written. */
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
    // Both names are in use: programs of either front end find theirs.
    resume: { ...resume, shell, line: shell },
  };
}

/** A path is read from end to end. What was read is not needed again, and would stay in memory for the rest of the session. */
function holdingLittle<Result>(work: () => Result): Result {
  const before = setSessionMemory(HELD_BYTES);
  try {
    return work();
  } finally {
    setSessionMemory(before);
  }
}

/** Bytes of lines that sessions hold while a path is written. */
const HELD_BYTES = 4 << 20;

/**
 * The folder as the other program will call it: they find sessions by where a folder really is. One that is missing is
 * never replaced by another, because the program would work there.
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
