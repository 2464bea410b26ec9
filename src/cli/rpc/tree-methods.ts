/** Reading the tree, a page at a time. */
import { z } from "zod";
import type { EntryId } from "../../entry/index.js";
import type { SessionManager } from "../../session/index.js";
import { pathTo } from "../../tree/index.js";
import { answerPage } from "./answer-page.js";
import { method } from "./rpc-method.js";
import { entry, entryId, entryRef, page } from "./rpc-shapes.js";

const node = z.object({ entry, label: z.string().optional(), childCount: z.int() });
const nodes = z.object({ total: z.int(), offset: z.int(), nodes: z.array(node) });

/** Only what is on a page is read: a session may have a hundred thousand children of one entry. */
function nodeAt(session: SessionManager, id: EntryId) {
  return { entry: session.getEntry(id), label: session.getLabel(id), childCount: session.countChildren(id) };
}

export const TREE_METHODS = {
  "tree.children": method({
    summary: "A page of the children of an entry, oldest first; the roots if the parent is null.",
    params: z.strictObject({ parentId: entryRef.nullable(), ...page }),
    result: nodes,
    run({ started }, { parentId, offset, limit }) {
      const { session } = started.agent;
      const ids = session.getChildIds(parentId === null ? null : session.resolveEntry(parentId));
      const { items, total } = answerPage(ids, (id) => nodeAt(session, id), { offset, limit });
      return { total, offset, nodes: items };
    },
  }),
  "tree.path": method({
    summary: "A page of the entries from the root to an entry, or to the leaf.",
    params: z.strictObject({ entryId: entryRef.optional(), ...page }),
    result: z.object({ total: z.int(), offset: z.int(), entries: z.array(entry) }),
    run({ started }, { entryId: reference, offset, limit }) {
      const { session } = started.agent;
      const { tree, entryAt, leaf } = session.getSource();
      const end = reference === undefined ? leaf : tree.ids.findText(session.resolveEntry(reference));
      // Numbers, not ids: a path of a hundred thousand entries costs as much as its page.
      const { items, total } = answerPage(end < 0 ? [] : pathTo(tree, end), entryAt, { offset, limit });
      return { total, offset, entries: items };
    },
  }),
  "tree.tips": method({
    summary: "A page of the tips of all branches, oldest first.",
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
      const tipAt = (id: EntryId) => ({ entry: session.getEntry(id), label: session.getLabel(id) });
      const { items, total } = answerPage(ids, tipAt, { offset, limit });
      return { total, offset, leafId: session.getLeafId(), tips: items };
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
    summary: "Two branches side by side: where they split, what each did, how each ended. Uses no model.",
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
    summary: "A page of what the model sees at the leaf, before provider-specific data is removed.",
    params: z.strictObject(page),
    result: z.looseObject({
      total: z.int(),
      offset: z.int(),
      messages: z.array(z.looseObject({ role: z.string() })),
      thinkingLevel: z.string(),
    }),
    run({ started }, { offset, limit }) {
      const { messages, ...state } = started.agent.session.buildSessionContext();
      const { items, total } = answerPage(messages, (message) => message, { offset, limit });
      return { ...state, total, offset, messages: items };
    },
  }),
};
