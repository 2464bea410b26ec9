/** Resolves what a user typed to an entry. */

import type { EntryId } from "@bough/session/entry/index.js";
import { SessionError } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { LEAST_PREFIX } from "@bough/session/session/internal.js";
import { closestNames, counted, type Notice } from "@bough/session/text/index.js";
import type { NamedBranch } from "@bough/session/view/internal.js";
import { currentEntry, endOfBranch, newestBranches, previousPlace, saidOnBranch } from "./branch-facts.js";
import type { CommandContext } from "./command.js";
import { CommandError } from "./command-error.js";
import {
  ambiguousEntryNotice,
  SENTENCES,
  severalBranchesSentence,
  shortEntryNotice,
  unknownBranchNotice,
} from "./sentences.js";
import { labelsOf } from "./session/label-entry.js";

/** This many matches are counted; more are "more than". */
const COUNTED = 1000;
/** Longer prefixes that are offered. */
const OFFERED = 16;

/**
 * An id, a label, a prefix that one id has, `#4` (the end of a branch), `-` (the previous position) or `@` (the leaf).
 * Throws `unknown-reference` and `ambiguous-reference`.
 */
export function resolveReference({ agent: { session }, front }: CommandContext, text: string): EntryId {
  const special = specialPlace(session, text);
  if (special !== undefined) return special;
  try {
    return session.resolveEntry(text);
  } catch (error) {
    if (error instanceof SessionError && error.code === "ambiguous-entry") throw ambiguous(session, text);
    if (error instanceof SessionError && error.code === "entry-not-found")
      throw unknown(
        text.length < LEAST_PREFIX ? shortEntryNotice(text, LEAST_PREFIX) : SENTENCES.unknownEntry(text, front),
      );
    throw error;
  }
}

/** Entries to copy: of `#4`, everything that was said on that branch; of anything else, the one entry it means. */
export function resolveToCopy(context: CommandContext, text: string): readonly EntryId[] {
  const number = branchNumberIn(text);
  const said = number === undefined ? undefined : saidOnBranch(context.agent.session, number);
  return said ?? [resolveReference(context, text)];
}

type BranchMatch =
  /** `entry`: an id, the start of one, or a position was given, which mean exactly that entry. `branch`: everything else. */
  | { readonly kind: "one"; readonly entryId: EntryId; readonly means: "entry" | "branch" }
  | { readonly kind: "several"; readonly sentence: string };

/**
 * The same for branches, which also match by name or part of it. A name wins over the start of an id: `add` is a word
 * people type, and in a long session some id starts with it. Several matches are a valid answer: a list can be shown.
 */
export function matchBranch(context: CommandContext, text: string): BranchMatch {
  const { session } = context.agent;
  const special = specialPlace(session, text);
  if (special !== undefined) return { kind: "one", entryId: special, means: text.startsWith("#") ? "branch" : "entry" };
  if (session.getEntry(text) !== undefined) return { kind: "one", entryId: text as EntryId, means: "entry" };
  if (labelsOf(session).some(({ label }) => label === text)) {
    return { kind: "one", entryId: resolveReference(context, text), means: "branch" };
  }
  const wanted = text.toLowerCase();
  const branches = newestBranches(session).reverse();
  const exact = branches.filter(({ name }) => name.toLowerCase() === wanted);
  const found = exact.length > 0 ? exact : branches.filter(({ name }) => name.toLowerCase().includes(wanted));
  const [only] = found;
  // What the first branch was called before branches were named by their first words.
  if (only === undefined && wanted === "main") return matchBranch(context, "#1");
  if (only === undefined) return { kind: "one", entryId: byPrefix(context, text, branches), means: "entry" };
  if (found.length === 1) return { kind: "one", entryId: only.tipId, means: "branch" };
  return { kind: "several", sentence: severalBranchesSentence(text, found) };
}

function byPrefix(context: CommandContext, text: string, branches: readonly NamedBranch[]): EntryId {
  try {
    return resolveReference(context, text);
  } catch (error) {
    if (!(error instanceof CommandError) || error.code !== "unknown-reference") throw error;
  }
  const names = branches.map(({ name }) => name);
  const [near] = closestNames(text, names, { limit: 1 });
  const branch = branches.find(({ name }) => name === near);
  throw unknown(unknownBranchNotice(text, branch));
}

function specialPlace(session: SessionManager, text: string): EntryId | undefined {
  if (text === "-") {
    const place = previousPlace(session);
    if (place === undefined) throw unknown(SENTENCES.noPreviousBranch);
    return place;
  }
  if (text === "@") {
    const here = currentEntry(session);
    if (here === undefined) throw unknown(SENTENCES.nothingHere);
    return here;
  }
  const number = branchNumberIn(text);
  if (number === undefined) return undefined;
  const end = endOfBranch(session, number);
  if (end === undefined) throw unknown(unknownBranchNotice(text));
  return end;
}

function branchNumberIn(text: string): number | undefined {
  const number = /^##?(\d{1,9})$/.exec(text)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** "3f matches 4 entries. One more character: 3f2 3fa 3fb 3fe" */
function ambiguous(session: SessionManager, text: string): CommandError {
  const { ids } = session.getSource().tree;
  const matches = ids.withPrefix(text, COUNTED + 1);
  const longer = new Set<string>();
  for (const n of matches) longer.add(ids.textOf(n).slice(0, text.length + 1));
  const count =
    matches.length > COUNTED
      ? `more than ${counted(COUNTED, "entry", "entries")}`
      : counted(matches.length, "entry", "entries");
  // A label on several entries: no prefix would tell them apart.
  if (matches.length === 0) {
    return new CommandError("ambiguous-reference", `"${text}" labels several entries.`, {
      hint: "Use an ID instead.",
    });
  }
  const next = [...longer].sort().slice(0, OFFERED);
  const { message, hint } = ambiguousEntryNotice(text, count, next);
  return new CommandError("ambiguous-reference", message, { hint, data: { next } });
}

function unknown({ message, hint }: Notice): CommandError {
  return new CommandError("unknown-reference", message, { hint });
}
