/**
 * The part of a path that is handed off: what the model would see, without instructions meant only for another agent.
 */
import {
  AGENT_TITLES,
  type AgentName,
  Kind,
  kindOf,
  SERVERS_TYPE,
  type SessionEntry,
} from "@bough/session/entry/index.js";
import type { EntryPath } from "@bough/session/session/index.js";
import type { ForeignWriter, WriteLoss } from "../contract.js";
import { instructedBy } from "../conversion/instructions.js";
import { withOwnCallIds } from "../conversion/own-call-ids.js";
import { pickedPath } from "../conversion/picked-path.js";
import { isConversationEntry } from "../foreign-entry.js";

interface HandedPath {
  readonly entries: EntryPath;
  readonly losses: readonly WriteLoss[];
  /** Instructions of other agents, which are not part of the conversation. */
  readonly leftOut: readonly WriteLoss[];
}

/** Wraps a writer so that it receives only the part of a path that is handed off. */
export function forHandoff(writer: ForeignWriter): ForeignWriter {
  const { agent } = writer;
  return {
    agent,
    planWrite(request) {
      const { entries, losses, leftOut } = handedPath(request.entries, agent);
      // Claude Code's writer writes its own records unchanged, and makes call IDs unique itself.
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
 * The path without the conversation before its context was last cleared, and without instructions of agents other than
 * `agent`. The same object if it contains neither.
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
    if (entry.type === "custom_message" && entry.customType === SERVERS_TYPE) {
      leftOut.push({ entryId: entry.id, ...serversLoss(agent) });
      continue;
    }
    const by = entry.type === "custom_message" ? instructedBy(entry) : undefined;
    if (by === undefined || by === agent) places.push(place);
    else leftOut.push({ entryId: entry.id, ...instructionLoss(by, agent) });
  }
  return { entries: places.length === path.length ? path : pickedPath(path, places), losses, leftOut };
}

const CLEARED = { what: "a cleared context", effect: "the conversation before it is not written" };

function instructionLoss(by: AgentName, agent: AgentName): Omit<WriteLoss, "entryId"> {
  return { what: `instructions of ${AGENT_TITLES[by]}`, effect: `not written; ${AGENT_TITLES[agent]} has its own` };
}

function serversLoss(agent: AgentName): Omit<WriteLoss, "entryId"> {
  return { what: "instructions of MCP servers", effect: `not written; ${AGENT_TITLES[agent]} asks its own servers` };
}

/** Where the context was last cleared, unless a compaction followed; otherwise -1. */
function clearedAt(path: EntryPath): number {
  let at = -1;
  let place = -1;
  for (const entry of path) {
    place += 1;
    if (kindOf(entry) === Kind.compaction) at = entry.type === "reset_boundary" ? place : -1;
  }
  return at;
}

/** Whether an entry is part of the conversation or refers to it. Model changes, names and the like do not. */
function isOfConversation(entry: SessionEntry): boolean {
  return isConversationEntry(entry) || entry.type === "context_edit" || entry.type === "label";
}
