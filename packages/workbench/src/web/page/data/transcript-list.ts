/** What the transcript shows, as a list of items that are made when they are drawn: a path, or what the model saw. */
import { buildContext, treePathSource } from "@bough/session/context/index.js";
import { type AgentMessage, Kind, Role, type SessionEntry } from "@bough/session/entry/index.js";
import { branchIndexOf, isPromptAt, pathTo } from "@bough/session/tree/index.js";
import { entryBlocks, type TranscriptBlock } from "@bough/session/view/index.js";
import { finderAt } from "@bough/session/view/internal.js";
import { blocksAt } from "../../html/entry-html.js";
import type { PageSource } from "./page-source.js";

export interface TranscriptList {
  readonly count: number;
  /** Names the item; the id of its entry. */
  keyAt(index: number): string;
  /** Number of the entry, or -1 where the item is none. */
  entryNumberAt(index: number): number;
  blocksAt(index: number): readonly TranscriptBlock[];
  /** Which prompt it is, counting from 1; 0 for anything else. */
  turnAt(index: number): number;
  /** About how long its text is. */
  lengthAt(index: number): number;
  /** Where an entry is drawn; -1 if it is not here. */
  indexOf(n: number): number;
}

/** Kinds that draw nothing, whatever they hold. */
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
      // A result is drawn with its call, and bookkeeping nowhere: the nearest item above has it.
      let index = places.length - 1;
      while (index > 0 && (places[index] as number) > place) index -= 1;
      return index;
    },
  };
}

function* placesDrawn({ tree }: PageSource, path: Int32Array): Generator<number> {
  for (const [at, n] of path.entries()) {
    if (SILENT.has(tree.kindOf(n))) continue;
    // Results come with the call before them; only one that has none above it represents itself.
    const above = at === 0 ? -1 : (path[at - 1] as number);
    const follows = above >= 0 && (tree.roleOf(above) === Role.assistant || tree.roleOf(above) === Role.toolResult);
    if (tree.roleOf(n) === Role.toolResult && tree.kindOf(n) === Kind.message && follows) continue;
    yield at;
  }
}

/** The messages that went to the model at the end of a path: compactions, summaries and edits applied. */
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
