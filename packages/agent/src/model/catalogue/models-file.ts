/** `$BOUGH_HOME/models.json`: models and prices newer than the built-in ones, imported from a file. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "@bough/session/log/index.js";
import { defined, isRecord, jsonObject, withoutControls } from "@bough/session/text/index.js";
import { record } from "../failure/failure-facts.js";
import type { ModelPrices } from "../language-model.js";
import { listOf, tokensOf } from "../local/local-server.js";
import { ModelError } from "../model-error.js";
import { KNOWN_PROVIDERS } from "./known-providers.js";

/** A model of the file. It has no base URL, because that would decide who gets the key. */
export interface ListedModel {
  readonly provider: string;
  readonly id: string;
  readonly name?: string;
  readonly contextWindow?: number;
  readonly maxOutput?: number;
  readonly reasoning?: boolean;
  readonly images?: boolean;
  readonly prices?: ModelPrices;
}

export interface ModelsFile {
  /** The day it was imported, such as 2026-11-16. */
  readonly date: string;
  readonly models: readonly ListedModel[];
}

const MOST_BYTES = 64 << 20;
export const MOST_MODELS = 20_000;

function modelsPath(home: string): string {
  return join(home, "models.json");
}

/** Undefined if there is no usable file; `bough models --refresh` replaces an unusable one. */
export function readModelsFile(home: string): ModelsFile | undefined {
  let text: string;
  try {
    text = readFileSync(modelsPath(home), "utf8");
  } catch {
    return undefined;
  }
  const file = jsonObject(text);
  if (typeof file?.date !== "string" || !/^\d{4}-\d\d-\d\d$/.test(file.date)) return undefined;
  return { date: file.date, models: ownModels(file) };
}

interface TakeOptions {
  readonly home: string;
  /** A local file, read completely; never fetched. */
  readonly file: string;
  readonly date: string;
}

/** Imports a catalogue in the format of models.dev's `api.json` or of `bough models --json`. */
export function takeModelsFile({ home, file, date }: TakeOptions): ModelsFile {
  const models = modelsIn(catalogueIn(file)).slice(0, MOST_MODELS);
  if (models.length === 0) {
    throw new ModelError("bad-models-file", `No models of a known provider in ${file}`, {
      data: { file },
      hint: "Pass the api.json of models.dev, or the output of `bough models --json`.",
    });
  }
  const taken: ModelsFile = { date, models };
  writeWhole(modelsPath(home), `${JSON.stringify(taken)}\n`, { existing: "replace", durable: true });
  return taken;
}

function catalogueIn(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown reason";
    throw new ModelError("bad-models-file", `Cannot read ${file} (${code})`, { data: { file }, cause: error });
  }
  const found = text.length > MOST_BYTES ? undefined : jsonObject(text);
  if (found !== undefined) return found;
  throw new ModelError("bad-models-file", `${file} is not a JSON object`, { data: { file } });
}

/** The models of a catalogue in one of the two formats. */
export function modelsIn(catalogue: Readonly<Record<string, unknown>>): ListedModel[] {
  if (Array.isArray(catalogue.models)) return ownModels(catalogue);
  return Object.keys(KNOWN_PROVIDERS).flatMap((provider) => {
    const names = [provider, ...(OTHER_NAMES[provider] ?? [])];
    const found = names.find((name) => Object.hasOwn(catalogue, name));
    const models = found === undefined ? {} : record(record(catalogue[found]).models);
    return Object.values(models).flatMap((model) => fromModelsDev(provider, record(model)));
  });
}

/** Names that models.dev uses for some providers. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  bedrock: ["amazon-bedrock"],
  vertex: ["google-vertex"],
  together: ["togetherai"],
  fireworks: ["fireworks-ai"],
  cloudflare: ["cloudflare-workers-ai"],
  qwen: ["alibaba"],
};

/** Converts a model in the format of models.dev. */
function fromModelsDev(provider: string, model: Record<string, unknown>): ListedModel[] {
  const { id, name, reasoning, cost, limit, modalities } = model;
  if (typeof id !== "string" || id === "") return [];
  const inputs: unknown = record(modalities).input;
  const { input, output, cache_read, cache_write } = record(cost);
  return validModel({
    ...{ provider, id, name, reasoning },
    ...{ contextWindow: record(limit).context, maxOutput: record(limit).output },
    images: Array.isArray(inputs) ? inputs.includes("image") : undefined,
    prices: { input, output, cacheRead: cache_read, cacheWrite: cache_write },
  });
}

function ownModels(file: Readonly<Record<string, unknown>>): ListedModel[] {
  return listOf(file, "models").slice(0, MOST_MODELS).flatMap(validModel);
}

/** More than any window, and less than any that could be worked with: numbers beyond are wrong. */
const MOST_TOKENS = 100_000_000;
const LEAST_WINDOW = 1_000;
const LEAST_OUTPUT = 256;

/** Keeps only known fields with plausible values. */
export function validModel(model: Readonly<Record<string, unknown>>): ListedModel[] {
  const { provider, id, name, reasoning, images } = model;
  if (typeof provider !== "string" || !Object.hasOwn(KNOWN_PROVIDERS, provider) || provider === "offline") return [];
  // An ID is shown, typed and sent.
  if (typeof id !== "string" || !/^[\x21-\x7e]{1,200}$/.test(id)) return [];
  const contextWindow = tokensOf(model.contextWindow);
  const maxOutput = tokensOf(model.maxOutput);
  const window = isBetween(contextWindow, LEAST_WINDOW, MOST_TOKENS) ? contextWindow : undefined;
  return [
    defined({
      provider,
      id,
      name: typeof name === "string" ? nameOf(name) : undefined,
      contextWindow: window,
      maxOutput: isBetween(maxOutput, LEAST_OUTPUT, window ?? MOST_TOKENS) ? maxOutput : undefined,
      reasoning: typeof reasoning === "boolean" ? reasoning : undefined,
      images: typeof images === "boolean" ? images : undefined,
      prices: validPrices(model.prices),
    }),
  ];
}

function isBetween(value: number | undefined, least: number, most: number): boolean {
  return value !== undefined && value >= least && value <= most;
}

function nameOf(text: string): string | undefined {
  const name = withoutControls(text).replace(/\s+/g, " ").trim().slice(0, 200);
  return name === "" ? undefined : name;
}

/** Dollars per million tokens. What costs less or more is an error, or a claim that should not be believed. */
const LEAST_PRICE = 0.001;
const MOST_PRICE = 10_000;

/** A price of zero counts as unknown: a plan or a trial pays, the price is missing, or the list is wrong. */
function validPrices(value: unknown): ModelPrices | undefined {
  if (!isRecord(value)) return undefined;
  const price = (name: string): number | undefined => {
    const found = value[name];
    return typeof found === "number" && found >= LEAST_PRICE && found <= MOST_PRICE ? found : undefined;
  };
  const input = price("input");
  const output = price("output");
  if (input === undefined || output === undefined) return undefined;
  return { input, output, cacheRead: price("cacheRead") ?? input, cacheWrite: price("cacheWrite") ?? input };
}
