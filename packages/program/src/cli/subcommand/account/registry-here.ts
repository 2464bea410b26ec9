/** The models available to this user in this folder, as in a session started here. */
import { createModelRegistry, type UserModelRegistry } from "@bough/agent/model/index.js";
import { readSettings, type Settings } from "@bough/agent/project/index.js";
import { createTrust } from "@bough/agent/tool/index.js";
import { boughHome } from "@bough/session/session/index.js";
import type { SubcommandCall } from "../subcommand.js";

export interface ModelsHere {
  readonly home: string;
  readonly settings: Settings;
  readonly registry: UserModelRegistry;
}

export function modelsHere({ places: { cwd } }: Pick<SubcommandCall, "places">): ModelsHere {
  const home = boughHome();
  const { settings } = readSettings({ cwd, home, projectTrusted: createTrust(home).isTrusted(cwd) });
  const registry = createModelRegistry({ home, env: process.env, overrides: settings.models });
  return { home, settings, registry };
}
