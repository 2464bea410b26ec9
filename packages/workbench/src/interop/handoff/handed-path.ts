/** What of a path is handed to an agent: what its model would be shown, and nothing that only the first agent's was told. */
import { AGENT_TITLES, type AgentName, Kind, kindOf, type SessionEntry } from "@bough/session/entry/index.js";
import type { EntryPath } from "@bough/session/session/index.js";
import type { ForeignWriter, WriteLoss } from "../contract.js";
import { instructedBy } from "../conversion/instructions.js";
import { withOwnCallIds } from "../conversion/own-call-ids.js";
import { pickedPath } from "../conversion/picked-path.js";
import { isConversationEntry } from "../foreign-entry.js";

interface HandedPath {
  readonly entries: EntryPath;
  readonly losses: readonly WriteLoss[];
  /** Instructions of another agent. Nothing of the conversation is missing without them. */
  readonly leftOut: readonly WriteLoss[];
}

/** A writer that is given only what is handed over. */
export function handing(writer: ForeignWriter): ForeignWriter {
  const { agent } = writer;
  return {
    agent,
    planWrite(request) {
      const { entries, losses, leftOut } = handedPath(request.entries, agent);
      // Records of Claude Code are written as they were; it makes ids of its own where they are written.
      const called = agent === "claude-code" ? entries : withOwnCallIds(entries);
      const plan = writer.planWrite({ ...request, entries: called });
      return {
        ...plan,
        losses: losses.length === 0 ? plan.losses : [...losses, ...plan.losses],
        ...(leftOut.length === 0 ? {} : { leftOut }),
      };
    },
  };
}

/**
 * The path without what was said before it was last cleared, and without the instructions of agents other than `agent`.
 * The same object if it holds neither.
 */
export function handedPath(path: EntryPath, agent: AgentName): HandedPath {
  const cleared = clearedAt(path);
  const losses: WriteLoss[] = [];
  const leftOut: WriteLoss[] = [];
  const places: number[] = [];
  let place = -1;
  for (const entry of path) {
    place += 1;
    if (place === cleared) losses.push({ entryId: entry.id, ...CLEARED });
    if (place === cleared || entry.type === "reset_boundary" || (place < cleared && isOfConversation(entry))) continue;
    const by = entry.type === "custom_message" ? instructedBy(entry) : undefined;
    if (by === undefined || by === agent) places.push(place);
    else leftOut.push({ entryId: entry.id, ...instructionLoss(by, agent) });
  }
  return { entries: places.length === path.length ? path : pickedPath(path, places), losses, leftOut };
}

const CLEARED = { what: "a cleared context", effect: "what was said before it is not written" };

function instructionLoss(by: AgentName, agent: AgentName): Omit<WriteLoss, "entryId"> {
  return { what: `instructions of ${AGENT_TITLES[by]}`, effect: `not written; ${AGENT_TITLES[agent]} has its own` };
}

/** Where the context was last cleared, if no compaction came after that; -1 if it was not. */
function clearedAt(path: EntryPath): number {
  let at = -1;
  let place = -1;
  for (const entry of path) {
    place += 1;
    if (kindOf(entry) === Kind.compaction) at = entry.type === "reset_boundary" ? place : -1;
  }
  return at;
}

/** Said, or about what was said. The model, the name and the like stay. */
function isOfConversation(entry: SessionEntry): boolean {
  return isConversationEntry(entry) || entry.type === "context_edit" || entry.type === "label";
}
