/**
 * A much-used session: people go back and try again, leave summaries, label entries, change models, compact.
 *
 *     p─a─p─a─p─a          from the end of any turn the conversation may
 *         └─s─p─a─p─a      jump back to the end of an earlier one (s: a
 *               └─p─a      summary of what was left)
 */

import { say, summaryText, write } from "./draft.mjs";
import { entryId } from "./random.mjs";

const COMPACT_AFTER = 300;
const KEEP = 20;
const RECENT = 8;

/** @returns {import("./shapes.mjs").Step} */
export function bushy() {
  /** Parent of every entry so far, and how many entries of its path follow the latest compaction. @type {number[]} */
  const parents = [];
  /** @type {number[]} */
  const sinceCompaction = [];
  /** @type {Set<number>} */
  const prompts = new Set();
  /** @type {number[]} */
  const turnEnds = [];
  let betweenTurns = true;

  /** @type {import("./shapes.mjs").Step} */
  const step = (draft) => {
    const { random, seed, leaf } = draft;
    if (draft.place === 0) return write(draft, "model_change", '"provider":"anthropic","modelId":"claude-sonnet-4-5"');
    if (draft.place === 1) return write(draft, "session_info", '"name":"Generated: bushy"');
    if (!betweenTurns) return talk(draft);
    if ((sinceCompaction[leaf] ?? 0) > COMPACT_AFTER) {
      const kept = entryId(seed, promptAbove(leaf));
      return write(
        draft,
        "compaction",
        `"summary":"${summaryText(random)}","firstKeptEntryId":"${kept}","tokensBefore":${random.between(90_000, 190_000)}`,
      );
    }
    const dice = random.next();
    if (dice < 0.14 && turnEnds.length > 2) return jump(draft);
    if (dice < 0.17) return write(draft, "label", `"targetId":"${entryId(seed, leaf)}","label":"place-${draft.place}"`);
    if (dice < 0.18) return write(draft, "model_change", `"provider":"openai","modelId":"model-${random.below(5)}"`);
    if (dice < 0.19)
      return write(draft, "thinking_level_change", `"thinkingLevel":"${random.pick(["off", "low", "high"])}"`);
    if (dice < 0.2) return write(draft, "custom", `"customType":"note","data":{"count":${random.below(1000)}}`);
    return talk(draft);
  };

  const talk = (/** @type {import("./draft.mjs").Draft} */ draft) => {
    const { line, endsTurn } = say(draft);
    betweenTurns = endsTurn;
    if (endsTurn) turnEnds.push(draft.leaf);
    if (draft.lastRole === "user") prompts.add(draft.leaf);
    return line;
  };

  const jump = (/** @type {import("./draft.mjs").Draft} */ draft) => {
    const { random, seed } = draft;
    const from = random.chance(0.995) ? Math.max(0, turnEnds.length - RECENT) : 0;
    const left = entryId(seed, draft.leaf);
    draft.leaf = turnEnds[random.between(from, turnEnds.length - 1)] ?? 0;
    draft.talk.restart();
    if (random.chance(0.6)) return talk(draft);
    const details = '"details":{"readFiles":["src/part-1/file-2.ts"],"modifiedFiles":[]}';
    return write(
      draft,
      "branch_summary",
      `"fromId":"${left}","summary":"${summaryText(random)}","abandonedLeafId":"${left}",${details}`,
    );
  };

  /** The nearest prompt at least KEEP entries above. @type {(leaf: number) => number} */
  const promptAbove = (leaf) => {
    let place = leaf;
    for (let steps = 0; steps < COMPACT_AFTER; steps++) {
      if (steps >= KEEP && prompts.has(place)) return place;
      const parent = parents[place] ?? -1;
      if (parent < 0) return place;
      place = parent;
    }
    return place;
  };

  return (draft) => {
    const line = step(draft);
    parents.push(draft.parent);
    const above = draft.parent < 0 ? 0 : (sinceCompaction[draft.parent] ?? 0);
    sinceCompaction.push(draft.lastType === "compaction" ? 0 : above + 1);
    return line;
  };
}
