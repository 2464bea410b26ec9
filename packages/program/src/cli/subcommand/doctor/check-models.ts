/** Settings, keys and models. Reports whether a key is set, never the key; uses the network only on request. */
import { type ModelInfo, smallWindow, type UserModelRegistry } from "@bough/agent/model/index.js";
import { readSettings } from "@bough/agent/project/index.js";
import { createTrust } from "@bough/agent/tool/index.js";
import { counted, defined } from "@bough/session/text/index.js";
import { usageError } from "../../cli-error.js";
import { modelsHere } from "../account/registry-here.js";
import type { SubcommandCall } from "../subcommand.js";
import type { Check } from "./check-environment.js";

const area = "Models";
const PROBE_MS = 2000;

export async function checkModels(call: Pick<SubcommandCall, "places" | "flags" | "signal">): Promise<Check[]> {
  const { flags } = call;
  const { home, registry, settings } = modelsHere(call);
  const checks = settingsChecks(call, home);
  for (const message of registry.problems()) checks.push({ area, level: "error", message });
  for (const message of registry.warnings()) checks.push({ area, level: "warning", message });
  checks.push(...keyChecks(registry));
  if (!flags.isOn("online") && flags.isOn("model")) throw usageError("--model needs --online");
  if (!flags.isOn("online")) {
    const start = startCheck(settings.model, registry);
    return [...checks, start.check, ...keyMissing(registry, start.info)];
  }
  await registry.discover({ signal: call.signal, timeoutMs: PROBE_MS });
  const { check, info } = startCheck(flags.text("model") ?? settings.model, registry);
  checks.push(check);
  return [...checks, ...(await accountChecks(registry, info, call))];
}

function settingsChecks({ places: { cwd } }: Pick<SubcommandCall, "places">, home: string): Check[] {
  const trust = createTrust(home);
  const { problems } = readSettings({ cwd, home, projectTrusted: trust.isTrusted(cwd) });
  const checks: Check[] = problems.map(({ file, field, message, level }) => ({
    area: "Settings",
    level,
    message: `${file}${field === undefined ? "" : ` (${field})`}: ${message}`,
  }));
  if (checks.length === 0) checks.push({ area: "Settings", level: "ok", message: "Settings are valid" });
  const trustProblem = trust.problem();
  if (trustProblem !== undefined) checks.push({ area: "Settings", level: "warning", message: trustProblem });
  return checks;
}

function keyChecks(registry: UserModelRegistry): Check[] {
  const checks: Check[] = [];
  const providers = [...new Set(registry.all().map(({ provider }) => provider))].sort();
  const withKey = registry.providers().filter((provider) => registry.keySource(provider) !== undefined);
  const without = providers.filter((provider) => !withKey.includes(provider) && provider !== "offline");
  checks.push(
    withKey.length === 0
      ? {
          area,
          level: "note",
          message: "No API key is set; the offline model and local servers need none",
          hint: "Save one with `bough login <provider>`, or set it in the environment.",
        }
      : { area, level: "ok", message: `Keys set for ${withKey.sort().join(", ")}` },
  );
  if (without.length > 0) checks.push({ area, level: "note", message: `No key for ${without.join(", ")}` });
  checks.push({ area, level: "ok", message: `${counted(registry.available().length, "model")} can be used` });
  return checks;
}

/** The default model of new sessions. */
function startCheck(
  wanted: string | undefined,
  registry: UserModelRegistry,
): { readonly check: Check; readonly info?: ModelInfo } {
  try {
    const info = wanted === undefined ? registry.preferred() : registry.resolve(wanted);
    const from = wanted === undefined ? "" : ", as you chose";
    return { info, check: { area, level: "ok", message: `Sessions start with ${info.provider}/${info.id}${from}` } };
  } catch (error) {
    return { check: { area, level: "error", message: (error as Error).message, hint: "Change the model setting." } };
  }
}

/** What a session would report at its first prompt. With --online, the account check reports it better. */
function keyMissing(registry: UserModelRegistry, info: ModelInfo | undefined): readonly Check[] {
  const isSame = ({ provider, id }: ModelInfo) => provider === info?.provider && id === info.id;
  if (info === undefined || !registry.all().some(isSame) || registry.available().some(isSame)) return [];
  const { provider } = info;
  const hint = `Save one with \`bough login ${provider}\`, or set it in the environment.`;
  return [{ area, level: "error", message: `No key for ${provider}`, hint }];
}

/** Asks every provider with a key, and the default model's, whether it works. */
async function accountChecks(
  registry: UserModelRegistry,
  start: ModelInfo | undefined,
  { signal }: Pick<SubcommandCall, "signal">,
): Promise<Check[]> {
  const model = start?.api === "offline" ? undefined : start;
  const keyed = registry.providers().filter((provider) => registry.keySource(provider) !== undefined);
  const asked = new Set([...(model === undefined ? [] : [model.provider]), ...keyed]);
  const checks = await Promise.all([...asked].map((provider) => accountCheck(registry, provider, { model, signal })));
  const told = model === undefined ? undefined : await windowCheck(registry, model, { signal });
  return told === undefined ? checks : [...checks, told];
}

async function accountCheck(
  registry: UserModelRegistry,
  provider: string,
  { model, signal }: { readonly model: ModelInfo | undefined; readonly signal: AbortSignal },
): Promise<Check> {
  const own = model?.provider === provider ? model : undefined;
  const name = own === undefined ? provider : `${provider}/${own.id}`;
  const checked = await registry.check(provider, { signal, model: own });
  if (checked.kind === "works") return { area, level: "ok", message: `${name} works` };
  if (checked.kind === "unchecked") {
    const hint = `Check one of its models: bough doctor --online --model ${provider}/<name>`;
    return { area, level: "note", message: `${name} can only be checked with a model`, hint };
  }
  const { message, hint } = checked.failure;
  return { area, level: "error", message, ...defined({ hint }) };
}

/** Local servers default to a context window that is too small. */
async function windowCheck(
  registry: UserModelRegistry,
  info: ModelInfo,
  { signal }: { readonly signal: AbortSignal },
): Promise<Check | undefined> {
  const model = registry.open(info);
  await model.prepare?.({ signal });
  const small = smallWindow(model.info);
  return small === undefined ? undefined : { area, level: "warning", ...small };
}
