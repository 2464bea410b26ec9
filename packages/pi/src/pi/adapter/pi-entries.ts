/** Converts entries and messages of a session to what pi's types promise. */
import type { AgentMessage, SessionEntry } from "@bough/session/entry/index.js";
import { isPiEdit, replacementOf } from "@bough/session/entry/internal.js";
import { withWholeUsage } from "../ai/told-events.js";
import { buildContextEntries, buildSessionProjection } from "../coding-agent/session-parts.js";

const messages = new WeakMap<AgentMessage, AgentMessage>();
const entries = new WeakMap<SessionEntry, SessionEntry>();

/**
 * Gives an assistant message a cost and a total, even if zero, because extensions add them up. Others are unchanged.
 */
export function piMessage<Message extends AgentMessage>(message: Message): Message {
  if (message?.role !== "assistant") return message;
  const known = messages.get(message) ?? withWholeUsage(message);
  messages.set(message, known);
  return known as Message;
}

/** Returns the same object for the same entry. */
export function piEntry<Entry extends SessionEntry | undefined>(entry: Entry): Entry {
  if (entry === undefined) return entry;
  const known = entries.get(entry) ?? translated(entry);
  entries.set(entry, known);
  return known as Entry;
}

function translated(entry: SessionEntry): SessionEntry {
  if (entry.type === "message") {
    const message = piMessage(entry.message);
    return message === entry.message ? entry : { ...entry, message };
  }
  if (entry.type === "context_edit") {
    const content = replacementOf(entry);
    return content === null || content === undefined || isPiEdit(entry)
      ? entry
      : { ...entry, replacement: { content } };
  }
  return entry;
}

interface TreeNode {
  readonly entry: SessionEntry;
  readonly children: readonly TreeNode[];
}

/** Avoids recursion, because a chain of 100,000 nodes is normal. */
function piTree(roots: readonly TreeNode[]): TreeNode[] {
  const made: TreeNode[] = [];
  const waiting = roots.map((node) => ({ node, into: made }));
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const children: TreeNode[] = [];
    next.into.push({ ...next.node, entry: piEntry(next.node.entry), children });
    for (const child of next.node.children) waiting.push({ node: child, into: children });
  }
  return made;
}

type Method = (...values: readonly unknown[]) => unknown;

/** The session that handlers read. Its lists are copies, which an extension may sort or change. */
export function piSession(session: object): object {
  const native = session as Readonly<Record<string, Method>>;
  const list =
    (name: string): Method =>
    (...values) =>
      Array.from((native[name] as Method)(...values) as readonly SessionEntry[], piEntry);
  const one =
    (name: string): Method =>
    (...values) =>
      piEntry((native[name] as Method)(...values) as SessionEntry);
  const path = list("getBranch");
  const leaf = () => (native.getLeafId as Method)() as string | null;
  return {
    ...native,
    getEntries: list("getEntries"),
    getBranch: path,
    getChildren: list("getChildren"),
    getEntry: one("getEntry"),
    getLeafEntry: one("getLeafEntry"),
    getTree: () => piTree((native.getTree as Method)() as readonly TreeNode[]),
    buildContextEntries: () => buildContextEntries(path() as SessionEntry[], leaf()),
    buildSessionProjection: () => buildSessionProjection(path() as SessionEntry[], leaf()),
    buildSessionContext: () => {
      const context = (native.buildSessionContext as Method)() as { readonly messages: readonly AgentMessage[] };
      return { ...context, messages: context.messages.map(piMessage) };
    },
  };
}
