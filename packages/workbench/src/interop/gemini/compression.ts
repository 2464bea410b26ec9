/** Distinguishes a compressed history from one that was only shortened or changed. */
import type { EntryId } from "@bough/session/entry/index.js";
import { type ChatMessage, gistOf, hasOnlyResults, textOf } from "./chat-message.js";
import type { MessageNode } from "./message-tree.js";

interface Compression {
  readonly summary: string;
  /** The first entry kept verbatim; undefined if none is. */
  readonly firstKept: EntryId | undefined;
  /** Number of new messages that are the summary, its acknowledgment, and kept messages. */
  readonly covered: number;
}

/**
 * A new list is a compression if old messages are gone and the list continues with a new user message: the summary,
 * then the model's short answer, then the end of the old list under new IDs.
 *
 *     old   context a b c d         new   context summary "Got it" c' d' e
 *                                         covered: summary, "Got it", c', d'
 */
export function compressionIn(
  rest: readonly ChatMessage[],
  common: MessageNode,
  before: MessageNode,
): Compression | undefined {
  const [first] = rest;
  if (first === undefined || first.type !== "user" || common === before) return undefined;
  const old = before.path();
  const gone = old.slice(old.indexOf(common) + 1);
  const summary = textOf(first);
  if (gone.length === 0 || summary === "") return undefined;
  const head = rest[1]?.type === "gemini" ? 2 : 1;
  const kept = keptOf(rest.slice(head), gone);
  // Without its tag, a summary looks like any prompt, so require that the end of the old list follows.
  if (!summary.includes("<state_snapshot>") && kept.nodes.length === 0) return undefined;
  return { summary, firstKept: kept.nodes[0]?.first ?? undefined, covered: head + kept.messages };
}

/** The longest end of the old messages with which the new ones start. */
function keptOf(
  messages: readonly ChatMessage[],
  gone: readonly MessageNode[],
): { readonly nodes: readonly MessageNode[]; readonly messages: number } {
  const talking = messages.flatMap((message, at) => (hasOnlyResults(message) ? [] : [{ gist: gistOf(message), at }]));
  for (let length = Math.min(talking.length, gone.length); length > 0; length--) {
    const nodes = gone.slice(-length);
    if (!nodes.every((node, at) => node.gist === talking[at]?.gist)) continue;
    return { nodes, messages: (talking[length - 1]?.at ?? 0) + 1 };
  }
  return { nodes: [], messages: 0 };
}
