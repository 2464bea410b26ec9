/** How much context the model in use takes. */
import type { SessionManager } from "@bough/session/session/index.js";
import { upwards } from "@bough/session/session/internal.js";
import type { ModelInfo, ModelRegistry } from "../model/index.js";

interface WindowParts {
  readonly session: SessionManager;
  readonly registry: ModelRegistry;
}

/** For a model that chooses another one for each request: the window of the one that answered last, if it is known. */
export function contextWindowOf(info: ModelInfo | undefined, { session, registry }: WindowParts): number | undefined {
  if (info?.routes !== true) return info?.contextWindow;
  for (const entry of upwards(session, session.getLeafId())) {
    if (entry.type !== "message" || entry.message.role !== "assistant") continue;
    const { provider, model } = entry.message;
    const answered = registry.all().find((one) => one.provider === provider && one.id === model);
    return answered?.contextWindow ?? info.contextWindow;
  }
  return info.contextWindow;
}
