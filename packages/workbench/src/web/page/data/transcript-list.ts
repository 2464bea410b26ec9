/** What the transcript shows, as a list of items created on demand: a path, or what the model saw. */
import { buildContext, treePathSource } from "@bough/session/context/index.js";
import { type AgentMessage, Kind, Role, type SessionEntry } from "@bough/session/entry/index.js";
import { branchIndexOf, isPromptAt, pathTo } from "@bough/session/tree/index.js";
import { entryBlocks, type TranscriptBlock } from "@bough/session/view/index.js";
import { finderAt } from "@bough/session/view/internal.js";
import { blocksAt } from "../../html/entry-html.js";
import type { PageSource } from "./page-source.js";

export interface TranscriptList {
  readonly count: number;
  /** Identifies the item: the ID of its entry. */
  keyAt(index: number): string;
  /** Number of the entry, or -1 if the item is not an entry. */
  entryNumberAt(index: number): number;
  blocksAt(index: number): readonly TranscriptBlock[];
  /** Number of the prompt, starting at 1; 0 for anything else. */
  turnAt(index: number): number;
  /** Approximate length of its text. */
  lengthAt(index: number): number;
  /** The item that shows an entry; -1 if it is not in the list. */
  indexOf(n: number): number;
}

/** Kinds that are never shown. */
const SILENT: ReadonlySet<Kind> = new Set([Kind.label, Kind.position, Kind.sessionInfo, Kind.usage, Kind.other]);

export function pathList(source: PageSource, end: number): TranscriptList {
  const { tree } = source;
  const path = pathTo(tree, end);
  const branches = branchIndexOf(tree);
  const places = Int32Array.from(placesDrawn(source, path));
  const entryNumberAt = (index: number) => path[places[index] as number] as number;
  return {
    count: places.length,
    keyAt: (index) => tree.ids.textOf(entryNumberAt(index)),
    entryNumberAt,
    blocksAt: (index) => blocksAt(source, path, places[index] as number),
    turnAt: (index) => (isPromptAt(tree, entryNumberAt(index)) ? branches.turnsAt(entryNumberAt(index)) : 0),
    lengthAt: (index) => tree.lengthOf(entryNumberAt(index)),
    indexOf: (n) => {
      const place = path.indexOf(n);
      if (place < 0) return -1;
      // A result is shown with its call, and bookkeeping is not shown: use the nearest item above.
      let index = places.length - 1;
      while (index > 0 && (places[index] as number) > place) index -= 1;
      return index;
    },
  };
}

function* placesDrawn({ tree }: PageSource, path: Int32Array): Generator<number> {
  for (const [at, n] of path.entries()) {
    if (SILENT.has(tree.kindOf(n))) continue;
    // A result is shown with the call above it; only a result without one is an item of its own.
    const above = at === 0 ? -1 : (path[at - 1] as number);
    const follows = above >= 0 && (tree.roleOf(above) === Role.assistant || tree.roleOf(above) === Role.toolResult);
    if (tree.roleOf(n) === Role.toolResult && tree.kindOf(n) === Kind.message && follows) continue;
    yield at;
  }
}

/** The messages sent to the model at the end of a path, after compactions, summaries and edits. */
export function contextList(source: PageSource, end: number): TranscriptList {
  const { tree } = source;
  const context = buildContext(treePathSource(tree, end, (n) => source.entryAt(n)));
  const entries = context.messages.map(asEntry);
  const numbers = Int32Array.from(entries.keys());
  const items = { entryAt: (n: number) => entries[n] as SessionEntry };
  const prompts = new Map<number, number>();
  for (const [index, { role }] of context.messages.entries()) if (role === "user") prompts.set(index, prompts.size + 1);
  return {
    count: entries.length,
    keyAt: (index) => `context-${index}`,
    entryNumberAt: () => -1,
    blocksAt: (index) => entryBlocks(items.entryAt(index), finderAt(items, numbers, index)),
    turnAt: (index) => prompts.get(index) ?? 0,
    lengthAt: () => 500,
    indexOf: () => -1,
  };
}

function asEntry(message: AgentMessage, index: number): SessionEntry {
  const time = Number.isFinite(message.timestamp) ? message.timestamp : 0;
  const timestamp = Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : "";
  return { type: "message", id: `context-${index}`, parentId: null, timestamp, message };
}
