/** The session of the sketches: a parser, three attempts, one label. */
import {
  type AnswerParts,
  answer,
  drawSession,
  type Grow,
  result,
  says,
  user,
} from "@bough/agent/agent/operation-parts.test-support.js";
import type { SessionManager } from "@bough/session/session/index.js";

/** Long enough that leaving it asks about a summary. */
const LONG = "What was tried, in what order, and why it did not work out in the end. ".repeat(40);

const edits = (id: string, path: string): AnswerParts => ({ calls: [{ id, name: "edit", path }] });

const CALLS = [
  { id: "c2", name: "edit", path: "src/lex.test.ts" },
  { id: "c4", name: "edit", path: "src/lex.ts" },
];

const SAID: Readonly<Record<string, Grow>> = {
  W: says(user("wire the tokenizer into the CLI")),
  w: says(answer("I start from the entry point.", edits("c1", "src/lex.ts"))),
  wr: says(result("c1")),
  we: says(answer("Wired. The first test passes.")),
  K: says(user("keep the generated one, add tests")),
  k: says(answer("", { calls: CALLS })),
  kr: says(result("c2")),
  ks: says(result("c4")),
  ke: says(answer("All 38 tests pass.")),
  F: says(user("fix the failing edge cases")),
  f: says(answer(`All green, grammar kept. ${LONG}`)),
  L: says(user("try a hand-written lexer")),
  l: says(answer("", edits("c3", "src/lex.ts"))),
  lr: says(result("c3")),
  le: says(answer("The table works, slowly.")),
  S: says(user("drop the table, use switch")),
  s: says(answer("Faster by 3x, two cases open.")),
  G: says(user("use an off-the-shelf grammar")),
  g: says(answer("It cannot do CRLF.", { stopReason: "error" })),
};

/**
 *     W w wr we ─ K k kr ks ke ─ F f        #1, where you are
 *             ├─ L l lr le ─ S s         #2
 *             └─ G g                     #3
 */
export function parserSession(place?: { readonly folder: string }): SessionManager {
  const session = drawSession("W-w-wr-we-K-k-kr-ks-ke-F-f*; we-L-l-lr-le-S-s; we-G-g", SAID, place);
  session.appendSessionInfo("parser session");
  session.appendLabelChange("F", "good");
  return session;
}
