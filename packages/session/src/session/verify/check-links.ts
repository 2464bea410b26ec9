/** Checks references between entries, with one pass over the tree for all checks. */
import type { EntryId } from "../../entry/index.js";
import type { Steps } from "../../text/index.js";
import type { TreeIndex } from "../../tree/index.js";
import type { EntryFacts } from "./entry-facts.js";
import type { Place } from "./findings.js";
import type { Survey } from "./survey.js";

/** Clocks of two machines differ slightly: only larger differences are worth reporting. */
const CLOCK_TOLERANCE = 5_000;

export function* checkLinks(survey: Survey, facts: EntryFacts): Steps<void> {
  yield* checkTargets(survey, facts);
  yield* checkClock(survey, facts);
  const { tree } = survey;
  const entered = new Int32Array(tree.count);
  const left = new Int32Array(tree.count);
  const pairs = new CallPairs(facts);
  let step = 0;
  yield* walkTree(tree, {
    enter(n) {
      entered[n] = step++;
      pairs.enter(n);
    },
    leave(n) {
      left[n] = step;
      pairs.leave(n);
    },
  });
  const isAbove = (upper: number, n: number) =>
    (entered[upper] as number) <= (entered[n] as number) && (left[n] as number) <= (left[upper] as number);
  checkAnchors(survey, facts, isAbove);
  yield* reportPairs(survey, facts, pairs);
}

function* checkTargets(survey: Survey, facts: EntryFacts): Steps<void> {
  for (const { n, target } of facts.targets) {
    yield;
    if (survey.tree.ids.findText(target as EntryId) >= 0) continue;
    survey.findings.add("missing-target", survey.places[n] as Place, {
      cause: `the target ${target} is not in the file`,
      effect: "the entry changes nothing",
      entryId: survey.idOf(n),
    });
  }
}

function* checkClock(survey: Survey, facts: EntryFacts): Steps<void> {
  const { tree } = survey;
  for (let n = 0; n < tree.count; n++) {
    yield;
    const parent = tree.parentOf(n);
    if (parent < 0) continue;
    const behind = (facts.times[parent] ?? Number.NaN) - (facts.times[n] ?? Number.NaN);
    if (!(behind > CLOCK_TOLERANCE)) continue;
    survey.findings.add("clock-backwards", survey.places[n] as Place, {
      cause: `the entry is ${Math.round(behind / 1000)} seconds older than its parent`,
      effect: "the tree follows parents, so only the displayed time is doubtful",
      entryId: survey.idOf(n),
    });
  }
}

function checkAnchors(survey: Survey, facts: EntryFacts, isAbove: (upper: number, n: number) => boolean): void {
  for (const { n, target } of facts.anchors) {
    const anchor = target === undefined ? -1 : survey.tree.ids.findText(target);
    if (anchor >= 0 && isAbove(anchor, n)) continue;
    const where = anchor < 0 ? "not in the file" : "not on the path to it";
    const cause = target === undefined ? "it names no first kept entry" : `its first kept entry ${target} is ${where}`;
    survey.findings.add("bad-anchor", survey.places[n] as Place, {
      cause,
      effect: "the model sees only the summary of everything above it",
      entryId: survey.idOf(n),
    });
  }
}

/**
 * Pairs calls and results along the paths: a result answers the nearest call with its ID above it.
 *
 * The calls above the current entry are kept by ID, nearest last, so that IDs reused on every turn need no search.
 */
class CallPairs {
  readonly #facts: EntryFacts;
  readonly #open = new Map<string, number[]>();
  readonly answered = new Map<number, Set<string>>();
  readonly strayResults: number[] = [];

  constructor(facts: EntryFacts) {
    this.#facts = facts;
  }

  enter(n: number): void {
    for (const call of this.#facts.calls.get(n) ?? []) {
      const above = this.#open.get(call);
      if (above === undefined) this.#open.set(call, [n]);
      else above.push(n);
    }
    const call = this.#facts.results.get(n);
    if (call === undefined) return;
    const caller = this.#open.get(call)?.at(-1);
    if (caller === undefined) this.strayResults.push(n);
    else if (!this.answered.get(caller)?.add(call)) this.answered.set(caller, new Set([call]));
  }

  leave(n: number): void {
    for (const call of this.#facts.calls.get(n) ?? []) {
      const above = this.#open.get(call) as number[];
      above.pop();
      if (above.length === 0) this.#open.delete(call);
    }
  }
}

function* reportPairs(survey: Survey, facts: EntryFacts, pairs: CallPairs): Steps<void> {
  for (const n of pairs.strayResults) {
    yield;
    survey.findings.add("unpaired-result", survey.places[n] as Place, {
      cause: `the call ${facts.results.get(n)} it answers is not above it`,
      effect: "shown in the tree, but not to the model",
      entryId: survey.idOf(n),
    });
  }
  for (const [n, calls] of facts.calls) {
    yield;
    const answered = pairs.answered.get(n);
    const open = [...new Set(calls)].filter((call) => !answered?.has(call));
    if (open.length === 0) continue;
    const isTip = survey.tree.firstChildOf(n) < 0;
    survey.findings.add("unpaired-call", survey.places[n] as Place, {
      cause: `${isTip ? "the branch ends" : "the conversation continues"} without a result for ${open.join(", ")}`,
      effect: "the model is told that the call was interrupted",
      entryId: survey.idOf(n),
    });
  }
}

interface TreeVisitor {
  /** Every entry below `n` comes between these two. */
  enter(n: number): void;
  leave(n: number): void;
}

function* walkTree(tree: TreeIndex, visitor: TreeVisitor): Steps<void> {
  for (let n = tree.firstChildOf(-1); n >= 0; ) {
    yield;
    visitor.enter(n);
    let next = tree.firstChildOf(n);
    while (next < 0) {
      yield;
      visitor.leave(n);
      next = tree.nextSiblingOf(n);
      if (next >= 0) break;
      n = tree.parentOf(n);
      if (n < 0) return;
    }
    n = next;
  }
}
