import { Kind, Role, type SessionEntry } from "../entry/index.js";
import { isRecord } from "../text/index.js";
import { isFilledString } from "./json-value.js";
import type { PathSource } from "./path-source.js";
import type { ModelChoice } from "./session-context.js";

/** The model at an entry of the path, where it was found out before. */
interface KnownModel {
  readonly at: number;
  readonly model: ModelChoice | null;
}

/**
 * The model in use at the leaf: the nearest model change or answer on the path, also above a compaction; `null` where
 * there is neither.
 *
 * Answers carry no mark, so this walks entry by entry; it ends at the first of either, which is a few steps away in any
 * conversation that has answers.
 */
export function pathModel(source: PathSource, known?: KnownModel): ModelChoice | null {
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

/** The model an entry names, or `null`: it names none, half of one, or one for another role than the default. */
function namedModel(entry: SessionEntry): ModelChoice | null {
  if (entry.type === "message") {
    const message: unknown = entry.message;
    return isRecord(message) ? choice(message.provider, message.model) : null;
  }
  if (entry.type !== "model_change") return null;
  const role: unknown = entry.role ?? "default";
  if (role !== "default") return null;
  return choice(entry.provider, entry.modelId) ?? splitModel(entry.model);
}

/** The dialect `provider/id`. Ids may hold further slashes. */
function splitModel(model: unknown): ModelChoice | null {
  if (typeof model !== "string") return null;
  const slash = model.indexOf("/");
  return slash < 0 ? null : choice(model.slice(0, slash), model.slice(slash + 1));
}

function choice(provider: unknown, modelId: unknown): ModelChoice | null {
  return isFilledString(provider) && isFilledString(modelId) ? { provider, modelId } : null;
}
