import { GrowingContext, stateOf } from "./growing-context.js";
import { readPathMarks } from "./path-marks.js";
import { pathModel } from "./path-model.js";
import type { PathSource } from "./path-source.js";
import type { SessionContext, SessionState } from "./session-context.js";

/**
 * What the model is shown at the leaf, and the state there.
 *
 * With a compaction on the path the latest one counts: its summary, the entries it keeps, what follows. The latest edit
 * of each entry applies. Tool calls and results are paired. The same path always gives the same bytes. The cost follows
 * what is shown and the number of marks, not the length of the path. Odd entries contribute what can be read of them;
 * nothing in an entry makes this throw.
 */
export function buildContext(source: PathSource): SessionContext {
  return new GrowingContext(source).context();
}

/** The state alone. Reads marks and no message but the last answer, however long the path is. */
export function buildState(source: PathSource): SessionState {
  const marks = readPathMarks(source);
  return stateOf(marks, pathModel(source, marks));
}
