/** Settings, keys and models. Whether a key is there is reported, never the key; no network is used. */

import { createModelRegistry } from "../../../model/index.js";
import { readSettings } from "../../../project/index.js";
import { boughHome } from "../../../session/index.js";
import { counted } from "../../../text/index.js";
import { createTrust } from "../../../tool/index.js";
import type { SubcommandCall } from "../subcommand.js";
import type { Check } from "./check-environment.js";

export function checkModels({ places: { cwd } }: Pick<SubcommandCall, "places">): Check[] {
  const home = boughHome();
  const trust = createTrust(home);
  const projectTrusted = trust.isTrusted(cwd);
  const { settings, problems } = readSettings({ cwd, home, projectTrusted });
  const checks: Check[] = problems.map(({ file, field, message, level }) => ({
    area: "Settings",
    level,
    message: `${file}${field === undefined ? "" : ` (${field})`}: ${message}`,
  }));
  if (checks.length === 0) checks.push({ area: "Settings", level: "ok", message: "Settings are valid" });
  const trustProblem = trust.problem();
  if (trustProblem !== undefined) checks.push({ area: "Settings", level: "warning", message: trustProblem });
  const registry = createModelRegistry({
    home,
    env: process.env,
    ...(settings.models === undefined ? {} : { overrides: settings.models }),
  });
  for (const message of registry.problems()) checks.push({ area: "Models", level: "error", message });
  const providers = [...new Set(registry.all().map(({ provider }) => provider))].sort();
  const withKey = providers.filter((provider) => registry.apiKey(provider) !== undefined);
  const without = providers.filter((provider) => !withKey.includes(provider) && provider !== "offline");
  checks.push(
    withKey.length === 0
      ? {
          area: "Models",
          level: "note",
          message: "No API key is set; the offline model and local servers need none",
          hint: "Set one with /model, or in the environment.",
        }
      : { area: "Models", level: "ok", message: `Keys set for ${withKey.join(", ")}` },
  );
  if (without.length > 0) checks.push({ area: "Models", level: "note", message: `No key for ${without.join(", ")}` });
  checks.push({ area: "Models", level: "ok", message: `${counted(registry.available().length, "model")} can be used` });
  return [...checks, preferredCheck(settings.model, registry)];
}

function preferredCheck(wanted: string | undefined, registry: ReturnType<typeof createModelRegistry>): Check {
  if (wanted === undefined) {
    const { provider, id } = registry.preferred();
    return { area: "Models", level: "ok", message: `Sessions start with ${provider}/${id}` };
  }
  try {
    const { provider, id } = registry.resolve(wanted);
    return { area: "Models", level: "ok", message: `Sessions start with ${provider}/${id}, from settings` };
  } catch (error) {
    return { area: "Models", level: "error", message: (error as Error).message, hint: "Change the model setting." };
  }
}
