/**
 * Pins: entries whose text survives every compaction.
 *
 * A pin is a `custom` entry `bough.pin` with `{ targetId, pinned }`, so it belongs to the branch it is on, is copied
 * into forks, and can be undone. It changes nothing in the context: an entry that is still shown needs no copy. When a
 * compaction summarizes a pinned entry away, its text is repeated in the summary, verbatim.
 */
import { type EntryId, entryText, Kind, type SessionEntry } from "@bough/session/entry/index.js";
import { entryNotFound } from "@bough/session/entry/internal.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { isRecord } from "@bough/session/text/index.js";
import { pathTo } from "@bough/session/tree/index.js";
import { AgentError } from "../agent-error.js";
import type { AgentParts } from "../agent-parts.js";

export const PIN_TYPE = "bough.pin";

export interface PinRequest {
  readonly entryId: EntryId;
}

export type PinPlan =
  | { readonly kind: "pin"; readonly entryId: EntryId; readonly pinned: boolean }
  | { readonly kind: "unchanged" };

/** Ids of the entries that are pinned on a path, in the order they were pinned. */
export function pinsOn(path: readonly SessionEntry[]): Set<EntryId> {
  const pins = new Set<EntryId>();
  for (const entry of path) {
    if (entry.type !== "custom" || entry.customType !== PIN_TYPE || !isRecord(entry.data)) continue;
    const { targetId, pinned } = entry.data;
    if (typeof targetId !== "string") continue;
    if (pinned === false) pins.delete(targetId);
    else pins.add(targetId);
  }
  return pins;
}

/** What pinning would write. Throws `Entry <id> not found`, `not-on-this-path`, and `no-content` for an entry without text. */
export function planPin(session: Pick<SessionManager, "getBranch" | "getEntry">, request: PinRequest): PinPlan {
  const { entryId } = request;
  const entry = session.getEntry(entryId);
  if (entry === undefined) throw entryNotFound(entryId);
  const path = session.getBranch();
  if (!path.some(({ id }) => id === entryId)) {
    throw new AgentError("not-on-this-path", `Not on this path, so it cannot be pinned: ${entryId}`, {
      data: { entryId },
      hint: "Move to a point below the entry first.",
    });
  }
  if (entryText(entry).trim() === "") {
    throw new AgentError("no-content", `This entry has no text to keep: ${entryId}`, { data: { entryId } });
  }
  return pinsOn(path).has(entryId) ? { kind: "unchanged" } : { kind: "pin", entryId, pinned: true };
}

/** What unpinning would write: nothing if the entry is not pinned here. */
export function planUnpin(session: Pick<SessionManager, "getBranch">, request: PinRequest): PinPlan {
  const { entryId } = request;
  return pinsOn(session.getBranch()).has(entryId) ? { kind: "pin", entryId, pinned: false } : { kind: "unchanged" };
}

function applyPin(parts: Pick<AgentParts, "session">, plan: PinPlan): EntryId | undefined {
  if (plan.kind === "unchanged") return undefined;
  return parts.session.appendCustomEntry(PIN_TYPE, { targetId: plan.entryId, pinned: plan.pinned });
}

/** Pins an entry of this path. Returns the id of the record; undefined if it was pinned already. */
export function pinEntry(parts: Pick<AgentParts, "session">, request: PinRequest): EntryId | undefined {
  return applyPin(parts, planPin(parts.session, request));
}

export function unpinEntry(parts: Pick<AgentParts, "session">, request: PinRequest): EntryId | undefined {
  return applyPin(parts, planUnpin(parts.session, request));
}

/** An entry that stays in the context when a conversation is compacted. */
export interface Pin {
  readonly id: EntryId;
  /** What is kept. */
  readonly text: string;
}

/** What is pinned at the leaf, with its text, oldest entry first. Reads only the pins and the entries they name. */
export function listPins(session: Pick<SessionManager, "getSource">): Pin[] {
  const { tree, leaf, entryAt } = session.getSource();
  const path = leaf < 0 ? [] : pathTo(tree, leaf);
  const pins = pinsOn(
    Array.from(
      path.filter((n) => tree.kindOf(n) === Kind.custom),
      entryAt,
    ),
  );
  if (pins.size === 0) return [];
  const pinned = Array.from(path).filter((n) => pins.has(tree.ids.textOf(n)));
  return pinned.map(entryAt).map((entry) => ({ id: entry.id, text: entryText(entry) }));
}
