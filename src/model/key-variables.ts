import { catalogue } from "./catalogue.js";
import type { ModelsSettings } from "./models-settings.js";

/** Names of all variables that may hold a provider's key, with those the settings name. */
export function keyVariables(settings?: ModelsSettings): readonly string[] {
  return [...catalogue(settings).providers.values()].flatMap((provider) => provider.keyVariables);
}
