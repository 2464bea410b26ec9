/** Describes what came from other machines: how much, from which, and on which branches. */
import { type EntryId, kindOf, LeafEffect, leafEffect, roleIn } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { counted, withoutControls } from "@bough/session/text/index.js";
import { type NamedBranch, namedBranchAt } from "@bough/session/view/internal.js";
import type { Replica } from "../store.js";

/** The part of an `Arrival` that is described. */
interface Came {
  readonly replica: Replica;
  readonly entries: number;
  readonly turns: number;
  readonly tips: readonly EntryId[];
}

/** The branches that grew, without duplicates. */
function branchesOf(session: SessionManager, { tips }: Pick<Came, "tips">): readonly NamedBranch[] {
  const known = tips.filter((id) => session.getEntry(id) !== undefined);
  const branches = new Map(
    known.map((id) => namedBranchAt(session.getSource(), id)).map((branch) => [branch.number, branch]),
  );
  return [...branches.values()].sort((a, b) => a.number - b.number);
}

/**
 * "2 turns from office laptop on #3 fix the lexer", one line per machine. Reads the file, as an open session may lag
 * behind.
 */
export function cameLines(file: string, arrivals: readonly Came[]): readonly string[] {
  return withBranches(file, arrivals).map(({ branches, ...came }) => {
    const names = branches.map(({ number, name }) => `#${number} ${name}`);
    const on = names.length === 0 ? "" : ` on ${shortList(names)}`;
    return `${amountOf(came)} from ${withoutControls(came.replica.name)}${on}`;
  });
}

/** For programs: arrivals with their branches. */
export function withBranches<One extends Came>(
  file: string,
  arrivals: readonly One[],
): readonly (One & { readonly branches: readonly NamedBranch[] })[] {
  if (arrivals.length === 0) return [];
  const session = SessionManager.open(file, undefined, { readOnly: true });
  try {
    return arrivals.map((came) => ({ ...came, branches: branchesOf(session, came) }));
  } finally {
    session.close();
  }
}

/** "office laptop added 2 turns on #3." */
export function addedSentence(session: SessionManager, came: Came): string {
  const branches = branchesOf(session, came).map(({ number }) => `#${number}`);
  const on = branches.length === 0 ? "" : ` on ${shortList(branches)}`;
  return `${withoutControls(came.replica.name)} added ${amountOf(came)}${on}.`;
}

/** "Another window added 1 turn on #2." */
export function addedHereSentence(session: SessionManager, came: Omit<Came, "replica">): string {
  return addedSentence(session, { ...came, replica: { id: "", name: "Another window" } });
}

interface ArrivedEntries {
  readonly came: readonly Came[];
  /** What another process on this machine added; undefined if it added nothing. */
  readonly here: Omit<Came, "replica"> | undefined;
}

/** Groups new entries by the machine they came from. */
export function cameFrom(
  session: SessionManager,
  ids: readonly EntryId[],
  origins: ReadonlyMap<EntryId, Replica>,
): ArrivedEntries {
  const of = new Map<string, GrowingCame & { readonly replica: Replica }>();
  const here: GrowingCame = { entries: 0, turns: 0, tips: new Set() };
  for (const id of ids) {
    const replica = origins.get(id);
    const entry = session.getEntry(id);
    const effect = entry === undefined ? LeafEffect.none : leafEffect(kindOf(entry));
    // Skip position records that a sync wrote for this copy.
    if (replica === undefined && effect === LeafEffect.points) continue;
    let one = here;
    if (replica !== undefined && entry !== undefined) {
      const known = of.get(replica.id) ?? { replica, entries: 0, turns: 0, tips: new Set() };
      of.set(replica.id, known);
      one = known;
    }
    one.entries++;
    if (entry === undefined) continue;
    if (roleIn(entry) === "user") one.turns++;
    if (entry.parentId !== null) one.tips.delete(entry.parentId);
    if (effect === LeafEffect.sets) one.tips.add(id);
  }
  const came = [...of.values()].map(({ tips, ...one }) => ({ ...one, tips: [...tips] }));
  return { came, here: here.entries === 0 ? undefined : { ...here, tips: [...here.tips] } };
}

interface GrowingCame {
  entries: number;
  turns: number;
  readonly tips: Set<EntryId>;
}

function amountOf({ entries, turns }: Pick<Came, "entries" | "turns">): string {
  return turns > 0 ? counted(turns, "turn") : counted(entries, "entry", "entries");
}

const MOST = 4;

function shortList(names: readonly string[]): string {
  const shown = names.slice(0, MOST);
  return names.length > MOST ? `${shown.join(", ")} and ${names.length - MOST} more` : shown.join(", ");
}
