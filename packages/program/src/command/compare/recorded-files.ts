/** What the recorded file changes of a session say about two branches. */

import type { EntryId } from "@bough/session/entry/index.js";
import { differenceList, differenceTotals, type FileDifference } from "@bough/session/view/door.js";
import { lineText } from "@bough/session/view/index.js";
import {
  BlobStore,
  CheckpointError,
  type ComparedFiles,
  compareFiles,
  sessionRoot,
} from "@bough/workbench/checkpoint/index.js";
import type { CommandContext } from "../command.js";

export interface RecordedDifferences {
  readonly changed: {
    readonly onlyA: readonly string[];
    readonly both: readonly string[];
    readonly onlyB: readonly string[];
  };
  /** From a to b, without hunks. */
  readonly differences: readonly FileDifference[];
}

type Where = Pick<CommandContext, "agent" | "cwd" | "home">;

interface Tips {
  readonly a: EntryId;
  readonly b: EntryId;
}

/** Undefined if no file changes were recorded, or none can be read here. */
export function recordedFiles(where: Where, tips: Tips): Promise<RecordedDifferences | undefined> {
  return recorded(where, tips, async (found) => {
    const differences: FileDifference[] = [];
    for await (const { hunks: _hunks, ...facts } of found.differences) differences.push(facts);
    return { changed: found.changed, differences };
  });
}

/** The same without reading any content. */
export function recordedChanges(where: Where, tips: Tips): Promise<RecordedDifferences["changed"] | undefined> {
  return recorded(where, tips, async ({ changed }) => changed);
}

async function recorded<Result>(
  { agent: { session, contents }, cwd, home }: Where,
  tips: Tips,
  read: (found: ComparedFiles) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    const { store } = await sessionRoot({ sessionCwd: session.getCwd(), cwd, home });
    const found = await compareFiles(session.getSource(), tips, { store: new BlobStore(store, { contents }) });
    return found === undefined ? undefined : await read(found);
  } catch (error) {
    if (error instanceof CheckpointError) return undefined;
    throw error;
  }
}

/** Further ones are counted but not listed. */
const LISTED = 40;

/** "M src/a.ts  +3 -1", and the totals. */
export function differenceSentences(differences: readonly FileDifference[]): readonly string[] {
  if (differences.length === 0) return ["The files are the same at both ends."];
  const more = differences.length - LISTED;
  return [
    ...differenceList(differences.slice(0, LISTED)).map((line) => `  ${lineText(line)}`.trimEnd()),
    ...(more > 0 ? [`  and ${more} more`] : []),
    differenceTotals(differences),
  ];
}
