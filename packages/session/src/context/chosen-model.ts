/** The model selected by a model change. */
import type { SessionEntry } from "../entry/index.js";
import { isFilledString } from "./json-value.js";
import type { ModelChoice } from "./session-context.js";

export interface ChosenModel {
  readonly model: ModelChoice;
  /**
   * Whether it holds until the next model change. It does in oh-my-pi, whose retries may answer with another model; in
   * pi, the model of the latest answer is the one in use.
   */
  readonly isLasting: boolean;
}

/** `null` for an entry that names no model, an incomplete one, or one for a role other than the default. */
export function chosenModel(entry: SessionEntry): ChosenModel | null {
  if (entry.type !== "model_change") return null;
  const role: unknown = entry.role ?? "default";
  if (role !== "default") return null;
  const named = modelChoice(entry.provider, entry.modelId);
  if (named !== null) return { model: named, isLasting: false };
  const model = splitModel(entry.model);
  return model === null ? null : { model, isLasting: true };
}

export function modelChoice(provider: unknown, modelId: unknown): ModelChoice | null {
  return isFilledString(provider) && isFilledString(modelId) ? { provider, modelId } : null;
}

/** The dialect `provider/id`. IDs may contain further slashes. */
function splitModel(model: unknown): ModelChoice | null {
  if (typeof model !== "string") return null;
  const slash = model.indexOf("/");
  return slash < 0 ? null : modelChoice(model.slice(0, slash), model.slice(slash + 1));
}
