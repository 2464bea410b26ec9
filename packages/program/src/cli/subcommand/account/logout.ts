/** `bough logout`: removes a saved key. */
import { readAuthFile } from "@bough/agent/model/index.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { providerNamed } from "./login.js";
import { PROVIDERS } from "./providers.js";
import { modelsHere } from "./registry-here.js";

export const row: SubcommandRow = {
  name: "logout",
  usage: "<provider>",
  summary: "Remove a saved API key",
  details: "Removes the key from auth.json. A key in the environment is not removed, but is reported.",
  flags: {},
  examples: [["logout anthropic", "forget its key"]],
  json: '{ "provider", "removed": boolean, "remaining": variable or null }',
  args: { least: 1, most: 1 },
  completes: PROVIDERS,
};

export async function run(call: SubcommandCall): Promise<number> {
  const { args, out } = call;
  const here = modelsHere(call);
  const { home, registry } = here;
  const saved = readAuthFile(home).keys;
  const wanted = (args[0] ?? "").trim().toLowerCase();
  // A provider removed from the settings may still have a key.
  const provider = saved.has(wanted) ? wanted : providerNamed(args[0] ?? "", here);
  const removed = saved.has(provider);
  if (removed) registry.saveKey(provider, undefined);
  const source = registry.keySource(provider);
  if (out.json) out.value({ provider, removed, remaining: source?.name ?? null });
  else {
    out.line(removed ? `Removed the key for ${provider}.` : `No key is saved for ${provider}.`);
    if (source?.kind === "variable") out.line(`${source.name} is still set and is used.`);
  }
  return 0;
}
