/** Resolves the text after the `#` of a reference: an entry ID, the start of one, a label, `@`, `4` or `#4`. */
import { type EntryId, SessionError } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { LEAST_PREFIX, labelHolders } from "@bough/session/session/internal.js";
import { branchIndexOf } from "@bough/session/tree/index.js";

/** Finds the entry that the text after `#` names. Throws `entry-not-found` or `ambiguous-entry`. */
export function findEntry(session: SessionManager, place: string): EntryId {
  const { tree, leaf } = session.getSource();
  const branches = branchIndexOf(tree);
  if (place === "@") {
    // The leaf can be a label or name record, which is not part of the conversation.
    const said = branches.conversationAt(leaf);
    if (said >= 0 || leaf >= 0) return tree.ids.textOf(said >= 0 ? said : leaf);
    throw new SessionError("entry-not-found", "The session is positioned before its first entry", {
      hint: "Name an entry after #: bough tree --json lists them.",
    });
  }
  const number = Number(/^#?(\d{1,9})$/.exec(place)?.[1] ?? Number.NaN);
  if (Number.isNaN(number)) return entryNamed(session, place);
  const end = number < 1 || number > branches.count ? undefined : tree.ids.textOf(branches.tipOf(number));
  // An entry's ID or label can also consist of digits.
  const named = place.startsWith("#") ? undefined : namedExactly(session, place);
  if (end !== undefined && named !== undefined && named !== end) throw ambiguousNumber(place, end, named);
  if (end !== undefined || named !== undefined) return end ?? (named as EntryId);
  if (!place.startsWith("#") && place.length >= LEAST_PREFIX) return entryNamed(session, place);
  throw new SessionError("entry-not-found", `Unknown branch #${number}`, {
    hint: `Branches are numbered from #1 to #${branches.count}.`,
  });
}

/** The entry with exactly this ID or label. */
function namedExactly(session: SessionManager, name: string): EntryId | undefined {
  if (session.getEntry(name) !== undefined) return name;
  return labelHolders(session, name).length > 0 ? session.resolveEntry(name) : undefined;
}

function ambiguousNumber(place: string, end: EntryId, named: EntryId): SessionError {
  return new SessionError("ambiguous-entry", `#${place} is both a branch and an entry`, {
    data: { reference: place, candidates: [end, named] },
    hint: `##${place} is the end of branch ${place} (${end}); the entry is ${named}.`,
  });
}

function entryNamed(session: SessionManager, place: string): EntryId {
  try {
    return session.resolveEntry(place);
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== "entry-not-found") throw error;
    const short = error.hint === undefined ? "" : `${error.hint} `;
    throw new SessionError("entry-not-found", error.message, {
      data: error.data,
      hint:
        short !== ""
          ? `${short}bough tree lists them.`
          : "Give an ID, the start of an ID, a label, @ for the current position, or 4 for branch #4. bough tree lists them.",
      cause: error,
    });
  }
}
