/** Resolves what a user typed to an entry: its ID, its label, or a unique ID prefix. */
import { type EntryId, SessionError } from "../entry/index.js";
import { entryNotFound } from "../entry/internal.js";
import type { SessionStore } from "./session-store.js";

const MOST_CANDIDATES = 10;
/** Shorter ones are more often a mistake: in a longer session, one character is the start of some ID. */
export const LEAST_PREFIX = 4;

/**
 * Throws `entry-not-found`, or `ambiguous-entry` with the candidates. An exact ID takes precedence over a label, and a
 * label over a prefix; a prefix has at least four characters.
 */
export function resolveEntry(store: SessionStore, reference: string): EntryId {
  if (reference !== "" && store.tree.ids.findText(reference) >= 0) return reference;
  const labelled: EntryId[] = [];
  for (const [id, { label }] of store.labels()) if (label === reference) labelled.push(id);
  if (labelled.length > 0) return onlyCandidate(reference, labelled);
  if (reference.length < LEAST_PREFIX) throw tooShort(reference);
  const prefixed = store.tree.ids.withPrefix(reference, MOST_CANDIDATES + 1);
  if (prefixed.length === 0) throw entryNotFound(reference);
  return onlyCandidate(
    reference,
    prefixed.map((n) => store.tree.ids.textOf(n)),
  );
}

function tooShort(reference: string): SessionError {
  return new SessionError("entry-not-found", `Entry ${reference} not found`, {
    data: { id: reference },
    hint: `Give at least ${LEAST_PREFIX} characters of the ID.`,
  });
}

function onlyCandidate(reference: string, candidates: readonly EntryId[]): EntryId {
  const unique = [...new Set(candidates)];
  if (unique.length === 1) return unique[0] as EntryId;
  throw new SessionError("ambiguous-entry", `Several entries match ${reference}`, {
    data: { reference, candidates: unique.slice(0, MOST_CANDIDATES) },
    hint: `Give more of the ID: ${unique.slice(0, MOST_CANDIDATES).join(", ")}`,
  });
}
