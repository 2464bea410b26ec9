import { GrowingContext, stateOf } from "./growing-context.js";
import { readPathMarks } from "./path-marks.js";
import { pathModel } from "./path-model.js";
import type { PathSource } from "./path-source.js";
import type { SessionContext, SessionState } from "./session-context.js";

/**
 * What the model sees at the leaf, and the state there.
 *
 * If there are compactions on the path, the latest one applies: its summary, the entries it keeps, and everything after
 * it. The latest edit of each entry applies. Tool calls and results are paired. The same path always gives the same
 * bytes. The cost depends on what is shown and the number of marks, not on the length of the path. Malformed entries
 * contribute what can be read of them; no entry can make this throw.
 */
export function buildContext(source: PathSource): SessionContext {
  return new GrowingContext(source).context();
}

/** Only the state. Reads marks and, of the messages, only the last answer, however long the path is. */
export function buildState(source: PathSource): SessionState {
  const marks = readPathMarks(source);
  return stateOf(marks, pathModel(source, marks));
}
