import type { ModelInfo } from "../language-model.js";
import { ModelError } from "../model-error.js";
import { type Catalogue, namedModel } from "./catalogue.js";
import { KNOWN_MODELS } from "./known-models.js";

const NEAR = 5;

/**
 * Finds a model by reference: `provider/model`, a model's ID, or a part of a name that is unique to one model.
 *
 * Ignores case. If several providers have it, those with a key win, then the vendor itself. Providers without a fixed list accept any name.
 */
export function resolveModel(
  reference: string,
  { models, providers, isUsable = () => false }: Catalogue & { readonly isUsable?: (info: ModelInfo) => boolean },
): ModelInfo {
  const wanted = reference.trim().toLowerCase();
  const exact = models.find((info) => fullName(info) === wanted);
  if (exact !== undefined) return exact;

  const slash = reference.trim().indexOf("/");
  const providerName = slash < 0 ? undefined : wanted.slice(0, slash);
  const provider = providerName === undefined ? undefined : providers.get(providerName);
  if (providerName !== undefined && provider?.anyModel === true && wanted.length > slash + 1) {
    return namedModel({ provider: providerName, id: reference.trim().slice(slash + 1) }, provider);
  }

  const sameId = likeliest(
    models.filter((info) => info.id.toLowerCase() === wanted),
    isUsable,
  );
  if (sameId.length === 1) return sameId[0] as ModelInfo;
  const named = models.filter((info) => `${fullName(info)} ${info.name.toLowerCase()}`.includes(wanted));
  const matches = wanted === "" ? [] : likeliest(named, isUsable);
  if (matches.length === 1) return matches[0] as ModelInfo;
  if (matches.length > 1) {
    throw new ModelError("ambiguous-model", `Several models match ${reference}`, {
      data: { reference, matches: matches.map(fullName) },
      hint: `Choose one: ${list(matches)}`,
    });
  }
  if (providerName !== undefined && provider === undefined) {
    throw unknownProvider(providerName, [...providers.keys()]);
  }
  const near = nearest(wanted, models);
  throw new ModelError("unknown-model", `Unknown model ${reference}`, {
    data: { reference, near: near.map(fullName) },
    hint: `Closest: ${list(near)}. Add new models to the settings under models.providers.`,
  });
}

/**
 * Several providers offer the same models: those that can be used now go first, then those of the vendors that have a list
 * of their own.
 */
function likeliest(matches: readonly ModelInfo[], isUsable: (info: ModelInfo) => boolean): readonly ModelInfo[] {
  const usable = matches.filter(isUsable);
  if (usable.length > 0) return usable;
  const known = new Set(KNOWN_MODELS.map(({ provider }) => provider));
  const own = matches.filter(({ provider }) => known.has(provider));
  return own.length > 0 ? own : matches;
}

export function unknownProvider(name: string, providers: readonly string[]): ModelError {
  return new ModelError("unknown-provider", `Unknown provider ${name}`, {
    data: { reference: name, providers },
    hint: `Known providers: ${providers.join(", ")}. Add others to the settings under models.providers.`,
  });
}

function fullName(info: ModelInfo): string {
  return `${info.provider}/${info.id}`.toLowerCase();
}

function list(models: readonly ModelInfo[]): string {
  const shown = models.slice(0, NEAR).map(fullName);
  return models.length > NEAR ? `${shown.join(", ")} and ${models.length - NEAR} more` : shown.join(", ");
}

/** The models that share the most letter pairs with the reference. */
function nearest(wanted: string, models: readonly ModelInfo[]): ModelInfo[] {
  const pairs = pairsOf(wanted);
  const scored = models.map((info) => {
    const own = pairsOf(wanted.includes("/") ? fullName(info) : info.id.toLowerCase());
    const shared = [...pairs].filter((pair) => own.has(pair)).length;
    return { info, score: (2 * shared) / (pairs.size + own.size || 1) };
  });
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, NEAR)
    .map(({ info }) => info);
}

function pairsOf(text: string): Set<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at++) pairs.add(text.slice(at, at + 2));
  return pairs;
}
