/** Reads the table of built-in models. */
import { KNOWN_MODELS } from "./known-models.js";
import { LISTED_TABLES } from "./listed-models.js";
import type { ListedModel } from "./models-file.js";

let read: readonly ListedModel[] | undefined;
let names: ReadonlySet<string> | undefined;

/** The models of `listed-models.ts`: `id|name|context|output|flags|prices`, where the flags are r(easoning) and i(mages). */
export function listedModels(): readonly ListedModel[] {
  read ??= Object.entries(LISTED_TABLES).flatMap(([provider, table]) =>
    table
      .trim()
      .split("\n")
      .map((row) => listedModel(provider, row)),
  );
  return read;
}

/** Whether a model is in the table, and of a provider of which we know no more than that. */
export function isListed({ provider, id }: { readonly provider: string; readonly id: string }): boolean {
  names ??= namesOf(listedModels());
  return names.has(`${provider}/${id}`);
}

function namesOf(models: readonly ListedModel[]): ReadonlySet<string> {
  const known = new Set(KNOWN_MODELS.map((info) => info.provider));
  return new Set(models.flatMap(({ provider, id }) => (known.has(provider) ? [] : [`${provider}/${id}`])));
}

function listedModel(provider: string, row: string): ListedModel {
  const [id = "", name = "", context, output, flags = "", prices = ""] = row.split("|");
  const [input, written, cacheRead, cacheWrite] = prices.split(" ");
  return {
    provider,
    id,
    name: name === "" ? id : name,
    contextWindow: Number(context),
    maxOutput: Number(output),
    reasoning: flags.includes("r"),
    images: flags.includes("i"),
    ...(input !== undefined &&
      written !== undefined && {
        prices: {
          input: Number(input),
          output: Number(written),
          // A cache without a price of its own costs as much as input.
          cacheRead: Number(cacheRead || input),
          cacheWrite: Number(cacheWrite || input),
        },
      }),
  };
}
