/** `bough login`: checks a key with its provider and saves it. */
import { authPath, type KeySaving, keySavedText, OFFLINE_INFO, saveCheckedKey } from "@bough/agent/model/index.js";
import { closestNames, shownPath } from "@bough/session/text/index.js";
import { usageError } from "../../cli-error.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { keyFromBrowser } from "./key-from-browser.js";
import { PROVIDERS } from "./providers.js";
import { readSecret } from "./read-secret.js";
import { type ModelsHere, modelsHere } from "./registry-here.js";

export const row: SubcommandRow = {
  name: "login",
  usage: "<provider>",
  summary: "Check an API key with its provider and save it",
  details:
    "Asks for the key without showing it, or reads it from standard input. The key is checked with a request, a free one if the provider has one, and saved in auth.json in Bough's folder, readable only by you. A key in the environment takes precedence. See docs/models.md for every provider.",
  flags: {
    browser: { help: "sign in with a browser instead of entering a key (openrouter)" },
    model: { value: "name", help: "also check that this model can be used" },
    "no-check": { help: "save the key without asking the provider" },
  },
  examples: [
    ["login anthropic", "type or paste the key"],
    ["login openai < key.txt", "read it from a file"],
    ["login openrouter --browser", "sign in with a browser"],
    ["login openai --model gpt-5.2", "check the model too"],
  ],
  json: '{ "provider", "saved": boolean, "checked": boolean, "models"?: number, "file"?: path, "failure"?: { reason, message, hint } }',
  args: { least: 1, most: 1 },
  completes: PROVIDERS,
};

export async function run(call: SubcommandCall): Promise<number> {
  const { args, flags, out, signal } = call;
  const here = modelsHere(call);
  const { home, registry } = here;
  const provider = providerNamed(args[0] ?? "", here);
  const reference = flags.text("model");
  const model = reference === undefined ? undefined : registry.resolve(`${provider}/${reference}`);
  const key = flags.isOn("browser")
    ? await keyFromBrowser({ registry, provider, out, signal })
    : await readSecret(`Key for ${provider}:`, { signal });
  if (key === "") throw usageError("No key was given", `For example: bough login ${provider} < key.txt`);
  const saving = await saveCheckedKey(registry, {
    ...{ provider, key, model, signal },
    alsoModel: model !== undefined,
    unchecked: flags.isOn("no-check"),
  });
  if (saving.kind !== "saved") return notSaved(saving, { provider, out });
  const path = authPath(home);
  const { models, variable } = saving;
  if (out.json) {
    out.value({ provider, saved: true, checked: models !== undefined, models: models ?? 0, file: path });
    return 0;
  }
  out.line(keySavedText(saving, shownPath(path)));
  if (variable !== undefined) out.line(`Note: ${variable} is set and takes precedence.`);
  return 0;
}

/** Reports the reason on standard error. */
function notSaved(
  saving: Exclude<KeySaving, { kind: "saved" }>,
  { provider, out }: { readonly provider: string; readonly out: SubcommandCall["out"] },
): number {
  const { reason, message, hint } =
    saving.kind === "refused"
      ? saving.failure
      : {
          reason: "needs-model",
          message: `${provider} needs a model name to check the key`,
          hint: "To check the key with a model, pass --model <name>.",
        };
  if (out.json) {
    out.value({ provider, saved: false, checked: saving.kind === "refused", failure: { reason, message, hint } });
  }
  out.notice(`bough: ${message}`);
  if (hint !== undefined) out.notice(hint);
  out.notice("The key was not saved. To save it without checking, pass --no-check.");
  return 1;
}

/** A known provider that takes a key. */
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
