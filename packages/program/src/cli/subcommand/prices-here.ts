/** What calls cost according to known prices, lists and the user's settings. Projects cannot set prices. */
import { catalogue, priceBook, readFetchedLists, readModelsFile } from "@bough/agent/model/index.js";
import { readSettings } from "@bough/agent/project/index.js";
import { boughHome } from "@bough/session/session/index.js";
import type { PriceOf } from "@bough/workbench/usage/index.js";

export function pricesHere(cwd: string): PriceOf {
  const home = boughHome();
  const settings = readSettings({ cwd, home, projectTrusted: false }).settings.models ?? {};
  const lists = { listed: () => readModelsFile(home)?.models ?? [], fetched: () => readFetchedLists(home) };
  return priceBook({ models: catalogue(settings, process.env, lists).models, settings });
}
