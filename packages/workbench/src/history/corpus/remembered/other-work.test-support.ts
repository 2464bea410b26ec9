/** Sessions about other work that use the same words: what an answer must be picked from. Generated from a grammar. */
import type { RememberedAttempt, RememberedSession } from "./remembered-attempts.test-support.js";

const VERBS = "add fix move rename test document simplify review log cache split validate retry render import".split(
  " ",
);
const THINGS =
  "payment webhook session token clock image upload browser worker queue database schema query page button report invoice export search index type build bundle image cookie request key test suite product name editor layer document email message topic backup replica cluster calendar month date string plural customer order".split(
    " ",
  );
const PLACES = ["in the settings page", "for the admin", "on mobile", "in the CLI", "before the release", "in staging"];
const FATES = ["tree", "failed-left", "undo", "tree-summary"] as const;
const AGENTS = ["bough", "claude-code", "codex", "pi"] as const;

/** The same sessions on every run. */
export function otherWork(count: number): readonly RememberedSession[] {
  let state = 7;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
  const one = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  return Array.from({ length: count }, (_, n) => {
    const attempts = Array.from({ length: 4 }, (_, at): RememberedAttempt => {
      const [verb, first, second] = [one(VERBS), one(THINGS), one(THINGS)];
      const prompt = `${verb[0]?.toUpperCase()}${verb.slice(1)} the ${first} of the ${second} ${one(PLACES)}, item ${n}-${at}.`;
      return {
        key: `other ${n}-${at}`,
        prompt,
        file: `src/${first}/${second}-${n}.ts`,
        fate: at === 3 ? "kept" : one(FATES),
        said: `AssertionError: expected the ${one(THINGS)} to match the ${one(THINGS)}`,
        summary: `The ${one(THINGS)} did not fit the ${one(THINGS)} of the ${one(THINGS)}.`,
        answer: `I looked at the ${one(THINGS)} and the ${one(THINGS)}; the ${one(THINGS)} is unchanged.`,
      };
    });
    return { agent: AGENTS[n % AGENTS.length] ?? "bough", title: `Work on the ${one(THINGS)} ${n}`, attempts };
  });
}
