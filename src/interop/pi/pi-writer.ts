/** Writes a path as a session of pi. The format is Bough's own, so entries stay as they are. */
import { join } from "node:path";
import { CURRENT_SESSION_VERSION, Kind, kindOf, type SessionEntry } from "../../entry/index.js";
import type { ForeignWriter, WriteLoss, WritePlan, WriteRequest } from "../contract.js";
import { isConversationEntry } from "../foreign-entry.js";
import { isObject } from "../foreign-lines.js";
import { InteropError } from "../interop-error.js";
import { piFolderName, piRoots } from "./pi-places.js";

export const piWriter: ForeignWriter = { agent: "pi", planWrite: planPiWrite };

function planPiWrite(request: WriteRequest): WritePlan {
  const { entries, cwd, title, places, now, newId } = request;
  if (!entries.some(isConversationEntry)) {
    throw new InteropError("nothing-to-write", "There is no conversation on this path", {
      hint: "Choose an entry with something said above it.",
    });
  }
  const sessionId = newId();
  const timestamp = now().toISOString();
  const header = { type: "session", version: CURRENT_SESSION_VERSION, id: sessionId, timestamp, cwd };
  const lines = [JSON.stringify(header)];
  const losses: WriteLoss[] = [];
  let parentId: string | null = null;
  for (const entry of entries) {
    const kind = kindOf(entry);
    if (kind === Kind.position) continue;
    if (kind === Kind.unreadable) {
      losses.push({ entryId: entry.id, what: "an entry that cannot be read", effect: "left out" });
      continue;
    }
    for (const effect of ignoredBy(kind, entry)) losses.push({ entryId: entry.id, what: entry.type, effect });
    lines.push(JSON.stringify(soundFor(entry, parentId)));
    parentId = entry.id;
  }
  // The last line is where pi goes on, so a name stands before the path's last entry is named again: as its child.
  if (title !== undefined) {
    const name = { type: "session_info", id: newId().slice(0, 8), parentId, timestamp, name: title };
    lines.push(JSON.stringify(name));
  }
  const path = join(piRoots(places)[0], piFolderName(cwd), `${timestamp.replace(/[:.]/g, "-")}_${sessionId}.jsonl`);
  return { agent: "pi", path, sessionId, lines, losses, resume: { command: ["pi", "--session", path], cwd } };
}

/** pi starts only where every answer has a total of tokens; a parent that is left out would cut the path. */
function soundFor(entry: SessionEntry, parentId: string | null): SessionEntry {
  const linked = inPiWords(entry.parentId === parentId ? entry : { ...entry, parentId });
  if (linked.type !== "message" || linked.message.role !== "assistant") return linked;
  const { message } = linked;
  const usage: Partial<typeof message.usage> = isObject(message.usage) ? message.usage : {};
  if (typeof usage.totalTokens === "number") return linked;
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = usage;
  const totalTokens = input + output + cacheRead + cacheWrite;
  const cost = usage.cost ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  return { ...linked, message: { ...message, usage: { input, output, cacheRead, cacheWrite, totalTokens, cost } } };
}

/** The sibling program names a model in one word and has one for each role; pi knows one model, in two words. */
function inPiWords(entry: SessionEntry): SessionEntry {
  if (entry.type === "thinking_level_change" && entry.thinkingLevel === null) return { ...entry, thinkingLevel: "off" };
  if (entry.type !== "model_change" || typeof entry.model !== "string" || entry.provider !== undefined) return entry;
  const { id, parentId, timestamp, model, role } = entry;
  if (role !== undefined && role !== "default") {
    return { type: "custom", id, parentId, timestamp, customType: "model_change", data: { model, role } };
  }
  const slash = model.indexOf("/");
  return { ...entry, provider: model.slice(0, Math.max(0, slash)), modelId: model.slice(slash + 1) };
}

/** Entries that pi keeps in their place and does nothing with. */
function ignoredBy(kind: Kind, entry: SessionEntry): string[] {
  if (kind === Kind.contextEdit) return ["pi ignores it: the model is shown the text as it was"];
  if (kind === Kind.modeChange || kind === Kind.ruleInjection) return ["pi ignores it"];
  if (kind === Kind.usage) return ["pi does not count it"];
  if (kind === Kind.other) return [`pi may not know the type ${entry.type}, and then ignores it`];
  return [];
}
