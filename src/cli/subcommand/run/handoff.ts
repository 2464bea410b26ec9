/** `bough handoff`: a path as a new transcript of another agent, and the command that resumes it. */
import { randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import {
  endsOnSentence,
  handedOffSentence,
  handoffPlanLines,
  type LastPrompt,
  lastPromptOf,
  resumeLine,
} from "../../../command/index.js";
import { AGENT_TITLES, type EntryId } from "../../../entry/index.js";
import {
  AGENT_NAMES,
  type ForeignWriter,
  InteropError,
  WRITERS,
  type WritePlan,
  writeTranscript,
} from "../../../interop/index.js";
import { isFolder } from "../../../log/index.js";
import { type SessionManager, setSessionMemory } from "../../../session/index.js";
import { closestNames } from "../../../text/index.js";
import { usageError } from "../../cli-error.js";
import { askEnter, canAsk } from "../import/confirm.js";
import { openToLook } from "../open-to-look.js";
import { placeIn, sessionArgument } from "../session-argument.js";
import { type SessionFacts, sessionFacts } from "../session-facts.js";
import type { SubcommandCall } from "../subcommand.js";

/** Bytes of lines that the session holds while its path is written. */
const HELD_BYTES = 4 << 20;

interface PlannedHandoff {
  readonly plan: WritePlan;
  readonly entryId: EntryId | null;
  readonly lastPrompt: LastPrompt | undefined;
  readonly session: SessionFacts;
}

export async function run(call: SubcommandCall): Promise<number> {
  const { args, places, signal, now } = call;
  const writer = writerNamed(args[0] as string);
  const argument = await sessionArgument(args[1], places, { signal });
  // Paths are read from end to end, more than once: what was read is not asked for again before it is long gone.
  setSessionMemory(HELD_BYTES);
  const looked = await openToLook(argument, call, "keep");
  try {
    const { session, foreign } = looked;
    const entryId = argument.place === undefined ? session.getLeafId() : placeIn(session, argument.place);
    const title = session.getSessionName();
    const entries = entryId === null ? [] : session.readBranch(entryId);
    const plan = writer.planWrite({
      entries,
      cwd: resumeFolder(session, call),
      ...(title === undefined ? {} : { title }),
      places: {},
      now,
      newId: randomUUID,
    });
    const lastPrompt = lastPromptOf(entries);
    // The session stays open: its entries are read again while they are written.
    return await writePlanned({ plan, entryId, lastPrompt, session: sessionFacts(session, foreign) }, call);
  } finally {
    looked.close();
  }
}

async function writePlanned(planned: PlannedHandoff, call: SubcommandCall): Promise<number> {
  const { flags, out, signal } = call;
  const { plan, lastPrompt } = planned;
  const isLossy = plan.losses.length > 0;
  if (!out.json && isLossy) {
    for (const line of handoffPlanLines(plan, { entries: flags.isOn("report") ? "all" : "counts" })) out.notice(line);
  }
  const dryRun = flags.isOn("dry-run");
  if (!dryRun) {
    if (isLossy && !flags.isOn("yes") && !(await agreed(call))) {
      out.notice("Nothing was written.");
      return 1;
    }
    signal.throwIfAborted();
    writeTranscript(plan);
  }
  if (out.json) out.value(jsonOf(planned, dryRun ? "planned" : "written"));
  else if (dryRun) {
    out.line(`Would write ${plan.lines.length} records for ${AGENT_TITLES[plan.agent]} to ${plan.path}`);
    out.line(endsOnSentence(lastPrompt));
  } else await out.lines(handedOffSentence(plan, lastPrompt).split("\n"));
  return 0;
}

/** Nothing is overwritten, so if it cannot ask, having said it is enough. */
async function agreed(call: SubcommandCall): Promise<boolean> {
  if (!canAsk() || call.out.json) return true;
  return askEnter({ question: "Everything else is included.", enter: "writes", esc: "leaves it" }, call);
}

function writerNamed(name: string): ForeignWriter {
  const writer = WRITERS.find(({ agent }) => agent === name);
  if (writer !== undefined) return writer;
  const known = AGENT_NAMES;
  // The program is called `claude`, and so is its agent by many.
  const [guess] = closestNames(name.toLowerCase(), [...known, "claude"]);
  const near = guess === "claude" ? "claude-code" : guess;
  throw usageError(
    `Unknown agent ${name}${near === undefined ? "" : `; did you mean ${near}?`}`,
    `Choose one of ${known.join(", ")}: bough handoff ${near ?? known[0]}`,
  );
}

/** Programs find their sessions by the folder they run in, as the system calls it. */
function resumeFolder(session: SessionManager, { flags }: SubcommandCall): string {
  const wanted = flags.text("to");
  const folder = wanted === undefined ? session.getCwd() : resolve(wanted);
  if (isFolder(folder)) return realpathSync(folder);
  if (wanted !== undefined) throw usageError(`Folder not found: ${folder}`, "--to takes a folder that exists.");
  throw new InteropError(
    "cannot-write",
    folder === ""
      ? "The session has no working directory"
      : `The session's working directory no longer exists: ${folder}`,
    {
      data: { folder },
      hint: "Pass the folder to resume in with --to <folder>.",
    },
  );
}

function jsonOf(
  { plan, entryId, lastPrompt, session }: PlannedHandoff,
  state: "planned" | "written",
): Readonly<Record<string, unknown>> {
  const { agent, path, sessionId, lines, losses, resume } = plan;
  return {
    session,
    entryId,
    ...(lastPrompt === undefined ? {} : { lastPrompt }),
    agent,
    file: path,
    written: state === "written",
    sessionId,
    records: lines.length,
    losses,
    resume: { ...resume, shell: resumeLine(plan) },
  };
}
