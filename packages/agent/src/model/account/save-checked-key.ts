/** Saving the key of an account, the same for every front end: the provider is asked first. */
import { counted } from "@bough/session/text/index.js";
import type { UserModelRegistry } from "../create-registry.js";
import type { ModelFailure, ModelInfo } from "../language-model.js";
import { ModelError } from "../model-error.js";
import type { ModelRegistry } from "../model-registry.js";

/** What came of it. Only `saved` changed anything. */
export type KeySaving =
  /** `models` is how many the provider listed; undefined if it was not asked. `variable` is set and comes first. */
  | { readonly kind: "saved"; readonly models: number | undefined; readonly variable: string | undefined }
  | { readonly kind: "refused"; readonly failure: ModelFailure }
  /** The provider needs a model to check a key. */
  | { readonly kind: "needs-model" };

export interface SaveKeyRequest {
  readonly provider: string;
  readonly key: string;
  /** Asked about if the provider lists no models, or with `alsoModel` in any case. */
  readonly model?: ModelInfo | undefined;
  readonly alsoModel?: boolean;
  /** Saves it without asking anyone. */
  readonly unchecked?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Throws `bad-key` for what cannot be a key, before anyone is asked about it. */
export async function saveCheckedKey(registry: UserModelRegistry, request: SaveKeyRequest): Promise<KeySaving> {
  const { provider, model, alsoModel = false, unchecked = false, signal } = request;
  const key = request.key.trim();
  if (key === "" || /\s/.test(key)) {
    throw new ModelError("bad-key", `The key for ${provider} is empty or has spaces in it`, { data: { provider } });
  }
  const ask = (asked: ModelInfo | undefined) =>
    registry.check(provider, { key, ...(asked && { model: asked }), ...(signal && { signal }) });
  let models: number | undefined;
  if (!unchecked) {
    let check = await ask(alsoModel ? model : undefined);
    if (check.kind === "unchecked" && model !== undefined) check = await ask(model);
    signal?.throwIfAborted();
    if (check.kind === "fails") return { kind: "refused", failure: check.failure };
    if (check.kind === "unchecked") return { kind: "needs-model" };
    models = check.models.length;
  }
  registry.saveKey(provider, key);
  const source = registry.keySource(provider);
  return { kind: "saved", models, variable: source?.kind === "variable" ? source.name : undefined };
}

/** "The key works (3 models) and was saved in ~/.bough/auth.json". */
export function keySavedText({ models }: Extract<KeySaving, { kind: "saved" }>, file: string): string {
  const works =
    models === undefined ? "The key was" : `The key works${models > 0 ? ` (${counted(models, "model")})` : ""} and was`;
  return `${works} saved in ${file}`;
}

/** Whether a registry keeps keys of a user; one of a program may not. */
export function keepsKeys(registry: ModelRegistry): registry is UserModelRegistry {
  return "saveKey" in registry && "check" in registry;
}
