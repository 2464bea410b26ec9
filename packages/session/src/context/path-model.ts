import { Kind, Role, type SessionEntry } from "../entry/index.js";
import { isRecord } from "../text/index.js";
import { chosenModel, modelChoice } from "./chosen-model.js";
import type { PathMarks } from "./path-marks.js";
import type { PathSource } from "./path-source.js";
import type { ModelChoice } from "./session-context.js";

/** The model at an entry of the path, where it was found out before. */
interface KnownModel {
  readonly at: number;
  readonly model: ModelChoice | null;
}

/**
 * The model in use at the leaf: the nearest model change or answer on the path, also above a compaction; `null` where
 * there is neither. A choice that lasts is not changed by answers.
 *
 * Answers carry no mark, so this walks entry by entry; it ends at the first of either, which is a few steps away in any
 * conversation that has answers.
 */
export function pathModel(source: PathSource, marks: PathMarks, known?: KnownModel): ModelChoice | null {
  if (marks.chosenModel?.isLasting === true) return marks.chosenModel.model;
  for (let n = source.leaf; n >= 0; n = source.parentOf(n)) {
    if (n === known?.at) return known.model;
    const kind = source.kindOf(n);
    const names =
      kind === Kind.modelChange || (kind === Kind.message && source.roleOf(n) === Role.assistant)
        ? namedModel(source.entryAt(n))
        : null;
    if (names !== null) return names;
  }
  return null;
}

/** The model an entry names, or `null`. */
function namedModel(entry: SessionEntry): ModelChoice | null {
  if (entry.type !== "message") return chosenModel(entry)?.model ?? null;
  const message: unknown = entry.message;
  return isRecord(message) ? modelChoice(message.provider, message.model) : null;
}
