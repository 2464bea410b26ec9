/** Which model and thinking level an agent works with. */

import type { ModelChoice, SessionContext } from "@bough/session/context/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { errorText } from "@bough/session/text/index.js";
import {
  type LanguageModel,
  type ModelInfo,
  type ModelRegistry,
  THINKING_LEVELS,
  type ThinkingLevel,
} from "../../model/index.js";
import type { Settings } from "../../project/index.js";

interface SelectModelOptions {
  readonly registry: ModelRegistry;
  /** Named or passed directly; takes precedence. */
  readonly wanted: LanguageModel | ModelInfo | undefined;
  /** The model of the path, if any. */
  readonly onPath: ModelChoice | null;
  readonly settings: Settings;
}

interface ModelPick {
  /** Undefined if not even the offline model could be opened. */
  readonly model: LanguageModel | undefined;
  /** Why the first choice was not used, as sentences. */
  readonly notes: readonly string[];
}

/** The requested model, otherwise that of the path, the settings, or the registry. Never throws. */
export function pickModel({ registry, wanted, onPath, settings }: SelectModelOptions): ModelPick {
  const notes: string[] = [];
  const attempt = (what: string, open: () => LanguageModel): LanguageModel | undefined => {
    try {
      return open();
    } catch (error) {
      notes.push(`${what} cannot be used: ${errorText(error)}`);
      return undefined;
    }
  };
  if (wanted !== undefined) {
    if (isLanguageModel(wanted)) return { model: wanted, notes };
    const model = attempt(modelName(wanted), () => registry.open(wanted));
    if (model !== undefined) return { model, notes };
  }
  if (onPath !== null) {
    const name = `${onPath.provider}/${onPath.modelId}`;
    const model = attempt(`The session's model ${name}`, () => openChoice(registry, onPath));
    if (model !== undefined) return { model, notes };
  }
  const reference = settings.model;
  if (reference !== undefined) {
    const model = attempt(`The model ${reference} from settings`, () => registry.open(registry.resolve(reference)));
    if (model !== undefined) return { model, notes };
  }
  return { model: attempt("The preferred model", () => registry.open(registry.preferred())), notes };
}

/**
 * The model that a path selected last, if that model chooses others: its answers name the others, so they do not change
 * the selection. Undefined for any other path.
 */
export function routingChoice(session: SessionManager, registry: ModelRegistry): ModelChoice | undefined {
  const routing = (registry.registeredModels?.() ?? []).filter(({ routes }) => routes === true);
  if (routing.length === 0) return undefined;
  const change = session.getBranch().findLast(({ type }) => type === "model_change");
  if (change?.type !== "model_change") return undefined;
  const { provider, modelId } = change;
  if (provider === undefined || modelId === undefined) return undefined;
  const choice = { provider, modelId };
  return routing.some((info) => isChoice(info, choice)) ? choice : undefined;
}

/** Opens the model that a path names. Throws if it is unknown or has no key. */
export function openChoice(registry: ModelRegistry, choice: ModelChoice): LanguageModel {
  const same = (info: ModelInfo) => isChoice(info, choice);
  const available = registry.available().find(same);
  if (available !== undefined) return registry.open(available);
  if (registry.all().some(same)) throw new Error("it has no key");
  const named = namedChoice(registry, choice);
  if (named === undefined) throw new Error("it is not known here");
  return registry.open(named);
}

/** A model of a provider that takes any name, such as OpenRouter. */
function namedChoice(registry: ModelRegistry, choice: ModelChoice): ModelInfo | undefined {
  try {
    const info = registry.resolve(`${choice.provider}/${choice.modelId}`);
    return isChoice(info, choice) ? info : undefined;
  } catch {
    return undefined;
  }
}

export function isChoice(info: ModelInfo, choice: ModelChoice | null): boolean {
  return choice !== null && info.provider === choice.provider && info.id === choice.modelId;
}

export function isLanguageModel(model: LanguageModel | ModelInfo): model is LanguageModel {
  return "stream" in model;
}

export function modelName(info: ModelInfo): string {
  return `${info.provider}/${info.id}`;
}

/** The level a path names. Levels of other programs above ours count as our highest. */
export function pathThinkingLevel(context: Pick<SessionContext, "thinkingLevel">): ThinkingLevel {
  const level = THINKING_LEVELS.find((known) => known === context.thinkingLevel);
  if (level !== undefined) return level;
  return ["xhigh", "max"].includes(context.thinkingLevel) ? "high" : "off";
}
