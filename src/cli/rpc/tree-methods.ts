/** Reading the tree, a page at a time. */
import { z } from "zod";
import type { EntryId } from "../../entry/index.js";
import type { SessionManager } from "../../session/index.js";
import { method } from "./rpc-method.js";
import { entry, entryId, entryRef, none, page } from "./rpc-shapes.js";

const node = z.object({ entry, label: z.string().optional(), childCount: z.int() });
const nodes = z.object({ total: z.int(), offset: z.int(), nodes: z.array(node) });

/** Only what is on a page is read: a session may have a hundred thousand children of one entry. */
function nodeAt(session: SessionManager, id: EntryId) {
  return { entry: session.getEntry(id), label: session.getLabel(id), childCount: session.countChildren(id) };
}

export const TREE_METHODS = {
  "tree.children": method({
    summary: "A page of the children of an entry, oldest first; the roots where the parent is null.",
    params: z.strictObject({ parentId: entryRef.nullable(), ...page }),
    result: nodes,
    run({ started }, { parentId, offset, limit }) {
      const { session } = started.agent;
      const ids = session.getChildIds(parentId === null ? null : session.resolveEntry(parentId));
      return { total: ids.length, offset, nodes: ids.slice(offset, offset + limit).map((id) => nodeAt(session, id)) };
    },
  }),
  "tree.path": method({
    summary: "A page of the entries from the root to an entry, or to the leaf.",
    params: z.strictObject({ entryId: entryRef.optional(), ...page }),
    result: z.object({ total: z.int(), offset: z.int(), entries: z.array(entry) }),
    run({ started }, { entryId: reference, offset, limit }) {
      const { session } = started.agent;
      const ids = session.getBranchIds(reference === undefined ? undefined : session.resolveEntry(reference));
      const entries = ids.slice(offset, offset + limit).map((id) => session.getEntry(id));
      return { total: ids.length, offset, entries };
    },
  }),
  "tree.tips": method({
    summary: "A page of the ends of all branches, oldest first.",
    params: z.strictObject(page),
    result: z.object({
      total: z.int(),
      offset: z.int(),
      leafId: entryId.nullable(),
      tips: z.array(z.object({ entry, label: z.string().optional() })),
    }),
    run({ started }, { offset, limit }) {
      const { session } = started.agent;
      const ids = session.getTipIds();
      const tips = ids.slice(offset, offset + limit).map((id) => ({
        entry: session.getEntry(id),
        label: session.getLabel(id),
      }));
      return { total: ids.length, offset, leafId: session.getLeafId(), tips };
    },
  }),
  "tree.entry": method({
    summary: "One entry, with its label and the number of its children.",
    params: z.strictObject({ entryId: entryRef }),
    result: node,
    run({ started }, { entryId: reference }) {
      const { session } = started.agent;
      return nodeAt(session, session.resolveEntry(reference));
    },
  }),
  compare: method({
    summary: "Two branches side by side: where they parted, what each did, what each ended with. Asks no model.",
    params: z.strictObject({ a: entryRef, b: entryRef }),
    result: z.looseObject({
      sharedId: entryId.nullable(),
      a: z.looseObject({ tipId: entryId }),
      b: z.looseObject({ tipId: entryId }),
      changed: z.looseObject({
        onlyA: z.array(z.string()),
        both: z.array(z.string()),
        onlyB: z.array(z.string()),
      }),
    }),
    run({ started }, { a, b }) {
      const { session } = started.agent;
      return started.agent.compare(session.resolveEntry(a), session.resolveEntry(b));
    },
  }),
  getContext: method({
    summary: "What the model is shown at the leaf, before what belongs to one provider alone is taken out.",
    params: none,
    result: z.looseObject({ messages: z.array(z.looseObject({ role: z.string() })), thinkingLevel: z.string() }),
    run: ({ started }) => started.agent.session.buildSessionContext(),
  }),
};
