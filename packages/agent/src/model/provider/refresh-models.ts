/** Refreshes the model lists of providers registered by extensions. */
import { join } from "node:path";
import { changeFile, readTextFile } from "@bough/session/log/index.js";
import { isRecord, jsonObject } from "@bough/session/text/index.js";
import type { ProviderConfig, ProviderModelConfig, RefreshModelsContext, StoredModels } from "../provider-config.js";

export interface RefreshModelsOptions {
  /** Default true. If false, use only stored lists. */
  readonly allowNetwork?: boolean;
  /** Default: all registered providers. */
  readonly providers?: readonly string[];
  readonly force?: boolean;
  readonly signal?: AbortSignal;
}

export interface RefreshModelsResult {
  readonly aborted: boolean;
  /** Keyed by provider. These keep their previous models. */
  readonly errors: ReadonlyMap<string, Error>;
}

interface RefreshParts {
  readonly home: string;
  readonly configs: readonly (readonly [provider: string, config: ProviderConfig])[];
  readonly credentialOf: (provider: string) => Promise<RefreshModelsContext["credential"]>;
  readonly onModels: (provider: string, models: readonly ProviderModelConfig[]) => void;
}

/** More than a working service needs to list its models. */
const PATIENCE_MS = 5_000;

/** Asks all providers in parallel. Never throws. */
export async function refreshModels(
  { home, configs, credentialOf, onModels }: RefreshParts,
  { allowNetwork = true, providers, force, signal }: RefreshModelsOptions,
): Promise<RefreshModelsResult> {
  const errors = new Map<string, Error>();
  const refresh = async (provider: string, config: ProviderConfig): Promise<void> => {
    const limit = AbortSignal.timeout(PATIENCE_MS);
    const ending = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    try {
      const context: RefreshModelsContext = {
        allowNetwork,
        signal: ending,
        force,
        credential: allowNetwork ? await credentialOf(provider) : undefined,
        stored: storedModels(home, provider),
        publish: async ({ persist, update }) => {
          if (ending.aborted) return false;
          if (persist !== undefined) storeModels({ home, provider, entry: persist });
          update?.();
          return true;
        },
      };
      const models: unknown = await Promise.race([config.refreshModels?.(context), rejected(ending)]);
      if (Array.isArray(models)) onModels(provider, models.filter(isModel));
    } catch (error) {
      if (signal?.aborted !== true) errors.set(provider, error instanceof Error ? error : new Error(String(error)));
    }
  };
  const wanted = configs.filter(
    ([name, { refreshModels: asks }]) => asks !== undefined && (providers?.includes(name) ?? true),
  );
  await Promise.all(wanted.map(([provider, config]) => refresh(provider, config)));
  return { aborted: signal?.aborted === true, errors };
}

function isModel(value: unknown): value is ProviderModelConfig {
  return isRecord(value) && typeof value.id === "string" && value.id !== "";
}

function rejected(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = () => reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

const fileIn = (home: string): string => join(home, "provider-models.json");

function storedModels(home: string, provider: string): StoredModels | undefined {
  const read = readTextFile(fileIn(home));
  const all = read.kind === "text" ? jsonObject(read.text) : undefined;
  const entry = all !== undefined && Object.hasOwn(all, provider) ? all[provider] : undefined;
  return isRecord(entry) && Array.isArray(entry.models) ? (entry as unknown as StoredModels) : undefined;
}

interface StoreOptions {
  readonly home: string;
  readonly provider: string;
  readonly entry: StoredModels | null;
}

function storeModels({ home, provider, entry }: StoreOptions): void {
  changeFile(fileIn(home), (before) => {
    // A damaged file can be replaced: it is only a cache.
    const { [provider]: _, ...others } = jsonObject(before ?? "{}") ?? {};
    return `${JSON.stringify(entry === null ? others : { ...others, [provider]: entry })}\n`;
  });
}
