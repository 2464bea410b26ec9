/** Tells a compressed history from one that was only cut or changed. */
import type { EntryId } from "@bough/session/entry/index.js";
import { bringsOnlyResults, type ChatMessage, gistOf, textOf } from "./chat-message.js";
import type { MessageNode } from "./message-tree.js";

interface Compression {
  readonly summary: string;
  /** The first entry that stays verbatim; undefined if none does. */
  readonly firstKept: EntryId | undefined;
  /** How many of the new messages represent the summary and for what was kept. */
  readonly covered: number;
}

/**
 * A new list is a compression where old messages are gone and a new one of the user is in front of the others: the
 * summary, the model's short answer to it, and then the end of the old list under new ids.
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
  // Without its mark a summary looks like any prompt; then the end of the old list has to be there.
  if (!summary.includes("<state_snapshot>") && kept.nodes.length === 0) return undefined;
  return { summary, firstKept: kept.nodes[0]?.first ?? undefined, covered: head + kept.messages };
}

/** The longest end of the old messages that the new ones begin with. */
function keptOf(
  messages: readonly ChatMessage[],
  gone: readonly MessageNode[],
): { readonly nodes: readonly MessageNode[]; readonly messages: number } {
  const talking = messages.flatMap((message, at) =>
    bringsOnlyResults(message) ? [] : [{ gist: gistOf(message), at }],
  );
  for (let length = Math.min(talking.length, gone.length); length > 0; length--) {
    const nodes = gone.slice(-length);
    if (!nodes.every((node, at) => node.gist === talking[at]?.gist)) continue;
    return { nodes, messages: (talking[length - 1]?.at ?? 0) + 1 };
  }
  return { nodes: [], messages: 0 };
}
