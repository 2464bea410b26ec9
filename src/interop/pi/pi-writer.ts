/** Writes a path as a session of pi. The format is Bough's own, so entries stay as they are where pi can go on with them. */
import { join } from "node:path";
import { CURRENT_SESSION_VERSION, type EntryId, Kind, kindOf, type SessionEntry } from "../../entry/index.js";
import type { ForeignWriter, WriteLoss, WritePlan, WriteRequest } from "../contract.js";
import { type PathStep, pairedSteps } from "../conversion/paired-steps.js";
import { checkResumeFolder } from "../conversion/resume-folder.js";
import { isConversationEntry } from "../foreign-entry.js";
import { InteropError } from "../interop-error.js";
import { carriedOut } from "./pi-edits.js";
import { piEntry } from "./pi-entry.js";
import { piFolderName, piRoots } from "./pi-places.js";

export const piWriter: ForeignWriter = { agent: "pi", planWrite: planPiWrite };

function planPiWrite(request: WriteRequest): WritePlan {
  const { cwd, title, places, now, newId } = request;
  checkResumeFolder("pi", cwd, { mustExist: true });
  if (!request.entries.some(isConversationEntry)) {
    throw new InteropError("nothing-to-write", "There is no conversation on this path", {
      hint: "Choose an entry with something said above it.",
    });
  }
  const sessionId = newId();
  const timestamp = now().toISOString();
  const header = { type: "session", version: CURRENT_SESSION_VERSION, id: sessionId, timestamp, cwd };
  const { entries, losses } = writtenEntries(request.entries);
  const lines = [header, ...entries].map((record) => JSON.stringify(record));
  // The last line is where pi goes on, so a name stands before the path's last entry is named again: as its child.
  if (title !== undefined) {
    const parentId = entries.at(-1)?.id ?? null;
    const name = { type: "session_info", id: newId().slice(0, 8), parentId, timestamp, name: title };
    lines.push(JSON.stringify(name));
  }
  const path = join(piRoots(places)[0], piFolderName(cwd), `${timestamp.replace(/[:.]/g, "-")}_${sessionId}.jsonl`);
  return { agent: "pi", path, sessionId, lines, losses, resume: { command: ["pi", "--session", path], cwd } };
}

interface Written {
  readonly entries: readonly SessionEntry[];
  readonly losses: readonly WriteLoss[];
}

function writtenEntries(path: readonly SessionEntry[]): Written {
  const { entries: shown, edits } = carriedOut(path);
  const steps = pairedSteps(shown).filter(({ kind }) => kind !== "made");
  const answered = new Set(steps.flatMap(callAnsweredBy));
  const entries: SessionEntry[] = [];
  const losses: WriteLoss[] = [];
  let parentId: EntryId | null = null;
  for (const { entry: given, kind: step } of steps) {
    const lose = (effect: string): void => void losses.push({ entryId: given.id, what: nameOf(given), effect });
    const kind = kindOf(given);
    if (edits.has(given)) {
      lose("carried out in what is written");
      continue;
    }
    // Bough's own records mean nothing to pi, and mark a file as Bough's.
    if (given.type === "custom" && given.customType.startsWith("bough.")) continue;
    if (kind === Kind.unreadable || step !== "given") {
      lose(REASONS[step]);
      continue;
    }
    const { entry, effects } = piEntry(given, (id) => answered.has(id));
    for (const effect of [...effects, ...ignoredBy(kind, given)]) lose(effect);
    if (entry === undefined) continue;
    // A parent that is left out would cut the path.
    entries.push(entry.parentId === parentId ? entry : { ...entry, parentId });
    parentId = entry.id;
  }
  return { entries: anchored(entries, path), losses };
}

/** Compactions keep from an entry that is written: the next one where theirs is not, else from themselves on. */
function anchored(entries: readonly SessionEntry[], path: readonly SessionEntry[]): SessionEntry[] {
  const written = new Set(entries.map(({ id }) => id));
  const places = new Map(path.map(({ id }, at) => [id, at]));
  return entries.map((entry) => {
    if (entry.type !== "compaction" || written.has(entry.firstKeptEntryId ?? "")) return entry;
    const from = places.get(entry.firstKeptEntryId ?? "");
    const to = places.get(entry.id);
    const kept = from === undefined ? [] : path.slice(from, to);
    return { ...entry, firstKeptEntryId: kept.find(({ id }) => written.has(id))?.id ?? entry.id };
  });
}

/** Why an entry is not written. */
const REASONS = {
  given: "left out: it cannot be read",
  made: "left out",
  repeated: "left out: its call has a result",
  alone: "left out: its call is not on the path, and a provider refuses it",
} as const;

function callAnsweredBy({ entry, kind }: PathStep): string[] {
  if (kind !== "given") return [];
  return entry.type === "message" && entry.message.role === "toolResult" ? [entry.message.toolCallId] : [];
}

function nameOf(entry: SessionEntry): string {
  return entry.type === "message" ? `a message (${entry.message.role})` : entry.type;
}

/** Entries that pi keeps in their place and does nothing with. */
function ignoredBy(kind: Kind, entry: SessionEntry): string[] {
  if (kind === Kind.modeChange || kind === Kind.ruleInjection) return ["pi ignores it"];
  if (kind === Kind.usage) return ["pi does not count it"];
  if (kind === Kind.other) return [`pi may not know the type ${entry.type}, and then ignores it`];
  return [];
}
