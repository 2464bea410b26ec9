import { Kind, Role, type SessionEntry } from "../entry/index.js";
import { isRecord } from "../text/index.js";
import { chosenModel, modelChoice } from "./chosen-model.js";
import type { PathMarks } from "./path-marks.js";
import type { PathSource } from "./path-source.js";
import type { ModelChoice } from "./session-context.js";

/** The model at an entry of the path, if determined before. */
interface KnownModel {
  readonly at: number;
  readonly model: ModelChoice | null;
}

/**
 * The model in use at the leaf: the nearest model change or answer on the path, even above a compaction; `null` if
 * there is neither. Answers do not override a lasting choice.
 *
 * Answers are not marks, so this walks entry by entry; it ends at the first answer or model change, which is a few
 * steps away in any conversation with answers.
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

/** The model that an entry names, or `null`. */
function namedModel(entry: SessionEntry): ModelChoice | null {
  if (entry.type !== "message") return chosenModel(entry)?.model ?? null;
  const message: unknown = entry.message;
  return isRecord(message) ? modelChoice(message.provider, message.model) : null;
}
