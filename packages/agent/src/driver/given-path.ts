/**
 * What an agent is given of a path: its own entries as they are, and those of others without their providers' thinking
 * and signatures, and with secrets masked as in an export.
 */
import { callsIn, DRIVER_TYPE, type SessionEntry } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import type { AgentName } from "@bough/workbench/interop/index.js";
import { NOTE_TYPE } from "@bough/workbench/interop/internal.js";
import { createRedactor, ownSecrets, scanEntries } from "@bough/workbench/secrets/index.js";
import { FROM_PROTOCOL, type NativeFields } from "./settle-turn.js";

/** Of a session without a name, in the agent's own list. */
export const UNNAMED_TITLE = "Bough: a branch";

/** Who is given a path. */
export interface Receiver {
  /** The name of the driver. */
  readonly driver: string;
  /** Whose transcripts it writes. */
  readonly agent: AgentName | undefined;
}

interface GivenPath {
  readonly entries: readonly SessionEntry[];
  /** The title, masked too. */
  readonly title: string;
  /** How many different values were masked. */
  readonly masked: number;
}

interface GivenTo extends Receiver {
  readonly title: string;
  readonly signal: AbortSignal;
}

/** Throws the signal's reason if aborted. */
export async function givenPath(path: readonly SessionEntry[], to: GivenTo): Promise<GivenPath> {
  const { driver, title, signal } = to;
  const isOwn = ownEntries(path, to);
  const kept = seenBy(path, driver).map((entry) =>
    isOwn(entry) ? { entry, isOwn: true } : { entry: withoutProvider(entry), isOwn: false },
  );
  const others = kept.flatMap(({ entry, isOwn }) => (isOwn ? [] : [entry]));
  // Nothing to look at: what scans for secrets is not loaded.
  if (others.length === 0 && (title === "" || title === UNNAMED_TITLE)) {
    return { entries: kept.map(({ entry }) => entry), title, masked: 0 };
  }
  const named = { type: "session" as const, name: title };
  const scan = await scanEntries([named, ...others], { environment: ownSecrets(), signal });
  const redactor = createRedactor(scan);
  return {
    entries: kept.map(({ entry, isOwn }) => (isOwn || scan.findings.length === 0 ? entry : redactor.record(entry))),
    title: redactor.text(title),
    masked: scan.findings.length,
  };
}

/** Whether prompts or answers on the path were not made with this agent. */
export function hasOthersConversation(path: readonly SessionEntry[], receiver: Receiver): boolean {
  const isOwn = ownEntries(path, receiver);
  return path.some(
    (entry) => entry.type === "message" && ["user", "assistant"].includes(entry.message.role) && !isOwn(entry),
  );
}

/** Entries of turns that the agent did here, or that were imported from its transcripts. */
function ownEntries(path: readonly SessionEntry[], { driver, agent }: Receiver): (entry: SessionEntry) => boolean {
  const natives = new Set<string>();
  for (const entry of path) {
    if (entry.type !== "custom" || entry.customType !== DRIVER_TYPE || !isRecord(entry.data)) continue;
    const { agent: by, nativeId } = entry.data;
    if (by === driver && typeof nativeId === "string") natives.add(nativeId);
  }
  return (entry) => {
    const { native } = entry as NativeFields;
    if (typeof native === "string" && natives.has(native.slice(0, native.lastIndexOf("/")))) return true;
    return agent !== undefined && originAgent(entry) === agent;
  };
}

function originAgent(entry: SessionEntry): unknown {
  const { origin, details, data } = entry as { readonly [Field in "origin" | "details" | "data"]?: unknown };
  if (isRecord(origin)) return origin.agent;
  if (isRecord(details) && isRecord(details.origin)) return details.origin.agent;
  return entry.type === "custom" && entry.customType === NOTE_TYPE && isRecord(data) ? data.agent : undefined;
}

/** Without what only the protocol had of this agent's turns, which its own model never saw: answers and their results. */
function seenBy(path: readonly SessionEntry[], driver: string): readonly SessionEntry[] {
  const unseenCalls = new Set<string>();
  return path.filter((entry) => {
    if ((entry as { readonly [FROM_PROTOCOL]?: unknown })[FROM_PROTOCOL] !== true || entry.type !== "message")
      return true;
    const { message } = entry;
    if (message.role === "toolResult") return !unseenCalls.has(message.toolCallId);
    if (message.role !== "assistant" || message.provider !== driver) return true;
    for (const { id } of callsIn(entry)) unseenCalls.add(id);
    return false;
  });
}

/** Without thinking, signatures and original records. No model sees the data of custom entries, so it is left out. */
function withoutProvider(entry: SessionEntry): SessionEntry {
  const { origin: _origin, ...rest } = entry as SessionEntry & { readonly origin?: unknown };
  if (rest.type === "custom") {
    const { data: _data, ...empty } = rest;
    return empty as SessionEntry;
  }
  const inner = Object.entries(rest).map(([name, value]) => {
    if (name === "message" || name === "replacement") return [name, withoutThinking(value)];
    return [name, name === "details" && isRecord(value) ? without(value, ["origin"]) : value];
  });
  return Object.fromEntries(inner) as SessionEntry;
}

const SIGNATURES = ["textSignature", "thinkingSignature", "thoughtSignature"];

function withoutThinking(holder: unknown): unknown {
  if (!isRecord(holder)) return holder;
  const { content, details } = holder;
  const blocks = Array.isArray(content)
    ? content.flatMap((block: unknown) => {
        if (!isRecord(block)) return [block];
        return block.type === "thinking" ? [] : [without(block, SIGNATURES)];
      })
    : content;
  return {
    ...holder,
    ...("content" in holder ? { content: blocks } : {}),
    ...(isRecord(details) ? { details: without(details, ["origin"]) } : {}),
  };
}

function without(
  value: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}
