/** Reading the tree, a page at a time. */

import { compareBranchesInSlices } from "@bough/agent/agent/internal.js";
import type { EntryId, SessionEntry } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { defined } from "@bough/session/text/index.js";
import { childrenOf, pathTo, tipsOf } from "@bough/session/tree/index.js";
import { z } from "zod";
import { CliError } from "../../cli-error.js";
import { CUT_TO, partOf, shortened } from "../line-limit.js";
import { entryRef, page, paged, part, textPart } from "../shape/common-shapes.js";
import { entry, entryId } from "../shape/entry-shapes.js";
import { message } from "../shape/message-shapes.js";
import { comparison } from "../shape/session-shapes.js";
import { answerPage, PAGE_LIMIT } from "./answer-page.js";
import { builtContext } from "./built-context.js";
import { method } from "./rpc-method.js";

const node = z
  .object({ entry, label: z.string().optional(), childCount: z.int() })
  .meta({ id: "TreeNode", description: "An entry with its label and the number of its children." });
const entries = z.object({ ...paged, entries: z.array(entry) });

/** Reads only what is on the page: an entry may have a hundred thousand children. */
function nodeAt(session: SessionManager, id: EntryId) {
  const label = defined({ label: session.getLabel(id) });
  return { entry: sent(session.getEntry(id)), ...label, childCount: session.countChildren(id) };
}

/** An entry too long for one line is shortened itself, not what surrounds it. */
function sent(one: SessionEntry | undefined) {
  return shortened(one, { most: PAGE_LIMIT - 1000, to: CUT_TO });
}

export const TREE_METHODS = {
  "tree.children": method({
    summary: "A page of the children of an entry, oldest first; the roots if the parent is null.",
    params: z.strictObject({ parentId: entryRef.nullable(), ...page }),
    result: z.object({ ...paged, nodes: z.array(node) }),
    async run({ started }, { parentId, ...request }) {
      const { session } = started.agent;
      const { tree } = session.getSource();
      const numbers = childrenOf(tree, parentId === null ? -1 : tree.ids.findText(session.resolveEntry(parentId)));
      const { items, ...place } = await answerPage(numbers, (n) => nodeAt(session, tree.ids.textOf(n)), request);
      return { ...place, nodes: items };
    },
  }),
  "tree.path": method({
    summary: "A page of the entries from the root to an entry, or to the leaf.",
    params: z.strictObject({ entryId: entryRef.optional(), ...page }),
    result: entries,
    async run({ started }, { entryId: reference, ...request }) {
      const { session } = started.agent;
      const { tree, entryAt, leaf } = session.getSource();
      const end = reference === undefined ? leaf : tree.ids.findText(session.resolveEntry(reference));
      // Works on numbers instead of ids, so that a path of a hundred thousand entries costs no more than its page.
      const { items, ...place } = await answerPage(end < 0 ? [] : pathTo(tree, end), entryAt, request);
      return { ...place, entries: items };
    },
  }),
  "tree.entries": method({
    summary: "A page of all entries of all branches, in the order of the file.",
    params: z.strictObject(page),
    result: entries,
    async run({ started }, request) {
      const { tree, entryAt } = started.agent.session.getSource();
      const { items, ...place } = await answerPage({ length: tree.count }, (_, n) => entryAt(n), request);
      return { ...place, entries: items };
    },
  }),
  "tree.tips": method({
    summary: "A page of the tips of all branches, oldest first.",
    params: z.strictObject(page),
    result: z.object({
      ...paged,
      leafId: entryId.nullable(),
      tips: z.array(z.object({ entry, label: z.string().optional() })),
    }),
    async run({ started }, request) {
      const { session } = started.agent;
      const { tree, entryAt } = session.getSource();
      const leafId = session.getLeafId();
      const tipAt = (n: number) => ({
        entry: sent(entryAt(n)),
        ...defined({ label: session.getLabel(tree.ids.textOf(n)) }),
      });
      const { items, ...place } = await answerPage(tipsOf(tree), tipAt, request);
      return { ...place, leafId, tips: items };
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
  "tree.entryPart": method({
    summary: "A part of the JSON of one entry, for entries that are too long for one line.",
    params: z.strictObject({ entryId: entryRef, ...part }),
    result: textPart,
    run({ started }, { entryId: reference, offset }) {
      const { session } = started.agent;
      return partOf(session.getEntry(session.resolveEntry(reference)), offset);
    },
  }),
  compare: method({
    summary: "Two branches side by side: where they split, what each did, how each ended. Uses no model.",
    params: z.strictObject({ a: entryRef, b: entryRef }),
    result: comparison,
    run({ started }, { a, b }) {
      const { session } = started.agent;
      return compareBranchesInSlices(session, { a: session.resolveEntry(a), b: session.resolveEntry(b) });
    },
  }),
  getContext: method({
    summary: "A page of what the model sees at the leaf, before provider-specific data is removed.",
    params: z.strictObject(page),
    result: z.object({
      ...paged,
      messages: z.array(message),
      thinkingLevel: z.string(),
      model: z.object({ provider: z.string(), modelId: z.string() }).nullable(),
      mode: z.string(),
      modeData: z.unknown().optional().describe("Depends on the mode."),
      injectedRules: z.array(z.string()),
    }),
    async run({ started }, request) {
      const { messages, ...state } = await builtContext(started.agent.session);
      const { items, ...place } = await answerPage(messages, (one) => one, request);
      return { ...state, ...place, messages: items };
    },
  }),
  getContextPart: method({
    summary: "A part of the JSON of one message of the context, for messages that are too long for one line.",
    params: z.strictObject({ index: z.int().min(0).describe("Index of the message in the context."), ...part }),
    result: textPart,
    async run({ started }, { index, offset }) {
      const { messages } = await builtContext(started.agent.session);
      const one = messages[index];
      if (one === undefined) {
        throw new CliError("bad-params", `The context has no message ${index}: it has ${messages.length}`, {
          data: { index, total: messages.length },
          hint: "getContext lists them.",
        });
      }
      return partOf(one, offset);
    },
  }),
};
