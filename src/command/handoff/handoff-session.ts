/** Writing a path as a transcript that another agent continues with. Its own files are never overwritten. */
import { randomUUID } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import type { EntryId } from "../../entry/index.js";
import type { AgentName, WritePlan } from "../../interop/index.js";
import { setSessionMemory } from "../../session/index.js";
import type { CommandContext, CommandOutcome } from "../command.js";
import { loadInterop } from "../foreign/load-interop.js";
import { asOutcome, unchanged } from "../outcome.js";
import { SENTENCES } from "../sentences.js";
import { handedOffSentence, handoffPlanLines, lastPromptOf, resumeLine } from "./handoff-sentences.js";

interface HandoffRequest {
  readonly agent: AgentName;
  /** The end of the path (default: the leaf). */
  readonly entryId?: EntryId | undefined;
  /** The directory the other agent is resumed in; the session's own if it is omitted and there. */
  readonly folder?: string | undefined;
}

/** What would be written. Reads only. Throws `no-writer` and `nothing-to-write`. */
export async function planHandoff(context: CommandContext, request: HandoffRequest): Promise<WritePlan> {
  const { writerFor } = await loadInterop();
  const { session } = context.agent;
  const title = session.getSessionName();
  return holdingLittle(() =>
    writerFor(request.agent).planWrite({
      entries: session.readBranch(request.entryId),
      cwd: request.folder ?? folderOf(context),
      ...(title === undefined ? {} : { title }),
      places: context.agentPlaces ?? {},
      now: context.now,
      newId: randomUUID,
    }),
  );
}

/**
 * Writes. Where the other agent cannot hold something, that is listed and asked about first; if it cannot ask, it
 * needs `agreed`.
 */
export function handOff(
  context: CommandContext,
  { agreed = false, ...request }: HandoffRequest & { readonly agreed?: boolean },
): Promise<CommandOutcome> {
  return asOutcome(async () => {
    const plan = await planHandoff(context, request);
    if (!agreed && plan.losses.length > 0) {
      const [title = "", ...lines] = handoffPlanLines(plan);
      const { confirm } = context.front;
      if (confirm === undefined) {
        return unchanged([title, ...lines, SENTENCES.handoffNeedsYes].join("\n"), "needs-agreement");
      }
      const wanted = await confirm({ title, lines, yes: "write it", no: "leave it" });
      if (!wanted) return unchanged(SENTENCES.stayed);
    }
    await writeHandoff(plan);
    const lastPrompt = lastPromptOf(context.agent.session.readBranch(request.entryId));
    return { kind: "done", message: handedOffSentence(plan, lastPrompt), data: handoffFacts(plan) };
  });
}

/** Throws `target-exists` and `cannot-write`; then nothing was written. */
export async function writeHandoff(plan: WritePlan): Promise<void> {
  const { writeTranscript } = await loadInterop();
  holdingLittle(() => writeTranscript(plan));
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

/** A plan as data. */
export function handoffFacts(plan: WritePlan): Readonly<Record<string, unknown>> {
  const { agent, path, sessionId, lines, losses, resume } = plan;
  return { agent, file: path, sessionId, records: lines.length, losses, resume: { ...resume, line: resumeLine(plan) } };
}

/** As the other program will call it: they go by where a folder really is. */
function folderOf({ agent: { session }, cwd }: CommandContext): string {
  const own = session.getCwd();
  return realpathSync(own !== "" && existsSync(own) ? own : cwd);
}
