/** `bough login`: checks a key with its provider and saves it. */
import { authPath, ModelError, OFFLINE_INFO } from "../../../model/index.js";
import { closestNames, counted, shownPath } from "../../../text/index.js";
import { usageError } from "../../cli-error.js";
import type { SubcommandCall } from "../subcommand.js";
import { readSecret } from "./read-secret.js";
import { type ModelsHere, modelsHere } from "./registry-here.js";

export async function run(call: SubcommandCall): Promise<number> {
  const { args, flags, out, signal } = call;
  const here = modelsHere(call);
  const { home, registry } = here;
  const provider = providerNamed(args[0] ?? "", here);
  const reference = flags.text("model");
  const model = reference === undefined ? undefined : registry.resolve(`${provider}/${reference}`);
  const key = await readSecret(`Key for ${provider}:`, { signal });
  if (key === "") throw usageError("No key was given", `For example: bough login ${provider} < key.txt`);
  // Whatever cannot be a key is refused before anyone is asked about it.
  if (/\s/.test(key))
    throw new ModelError("bad-key", `The key for ${provider} has spaces in it`, { data: { provider } });
  const check = flags.isOn("no-check")
    ? ({ kind: "unchecked" } as const)
    : await registry.check(provider, { key, signal, ...(model && { model }) });
  if (check.kind === "fails") {
    const { message, hint, reason } = check.failure;
    if (out.json) out.value({ provider, saved: false, checked: true, failure: { reason, message, hint } });
    out.notice(`bough: ${message}`);
    if (hint !== undefined) out.notice(hint);
    out.notice("The key was not saved. To save it without checking, pass --no-check.");
    return 1;
  }
  registry.saveKey(provider, key);
  const checked = check.kind === "works";
  const models = check.kind === "works" ? check.models.length : 0;
  const path = authPath(home);
  if (out.json) {
    out.value({ provider, saved: true, checked, models, file: path });
    return 0;
  }
  const works = checked ? `The key works${models > 0 ? ` (${counted(models, "model")})` : ""} and was` : "The key was";
  out.line(`${works} saved in ${shownPath(path)}`);
  if (!checked && !flags.isOn("no-check")) {
    out.line(`It was not checked: ${provider} can only be asked with a model. To check it, pass --model <name>.`);
  }
  const source = registry.keySource(provider);
  if (source?.kind === "variable") out.line(`Note: ${source.name} is set and comes first.`);
  return 0;
}

/** The provider as it is known, of those that take a key. */
export function providerNamed(name: string, { registry }: Pick<ModelsHere, "registry">): string {
  const wanted = name.trim().toLowerCase();
  const all = registry.providers().filter((known) => known !== OFFLINE_INFO.provider);
  if (all.includes(wanted)) return wanted;
  const [meant] = closestNames(wanted, all);
  throw usageError(
    `Unknown provider ${name}`,
    `${meant === undefined ? "" : `Did you mean ${meant}? `}Providers: ${all.join(", ")}`,
  );
}
