import type { ModelInfo, ModelRegistry } from "@bough/agent/model/index.js";
import type { Settings } from "@bough/agent/project/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { attempt } from "@bough/session/text/index.js";

interface ModelChoiceOptions {
  readonly registry: ModelRegistry;
  readonly session: SessionManager;
  readonly settings: Settings;
  /** As typed by the user. */
  readonly reference?: string | undefined;
}

/**
 * The named model; undefined leaves the choice to the agent. Probes local servers only if the answer could depend on
 * them, because that takes time. Throws a ModelError that lists the alternatives.
 */
export async function chooseModel(options: ModelChoiceOptions): Promise<ModelInfo | undefined> {
  const { registry, reference } = options;
  if (reference !== undefined) return resolveModel(registry, reference);
  if (needsDiscovery(options)) await registry.discover();
  return undefined;
}

/** Finds a model by name, including those of local servers. */
export async function resolveModel(registry: ModelRegistry, reference: string): Promise<ModelInfo> {
  try {
    return registry.resolve(reference);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === "ambiguous-model") throw error;
  }
  await registry.discover();
  return registry.resolve(reference);
}

/** Whether the offline model was requested, here or in the settings. Otherwise it is only a fallback. */
export function isOfflineChosen({ registry, settings, reference }: Omit<ModelChoiceOptions, "session">): boolean {
  const named = reference ?? settings.model ?? settings.models?.default;
  if (named === undefined) return false;
  return attempt(() => registry.resolve(named))?.api === "offline";
}

function needsDiscovery({ registry, session, settings }: ModelChoiceOptions): boolean {
  const onPath = session.getState().model;
  if (onPath !== null) {
    return !registry.all().some((info) => info.provider === onPath.provider && info.id === onPath.modelId);
  }
  if (settings.model !== undefined) return false;
  try {
    return registry.preferred().api === "offline";
  } catch {
    // The preferred model is not known yet and may be on a local server. If it is not, the agent reports it.
    return true;
  }
}
