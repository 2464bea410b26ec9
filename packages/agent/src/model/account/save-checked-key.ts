/** Saves the key of an account after checking it with the provider, the same way for every front end. */
import { counted } from "@bough/session/text/index.js";
import type { UserModelRegistry } from "../create-registry.js";
import type { ModelFailure, ModelInfo } from "../language-model.js";
import { ModelError } from "../model-error.js";
import type { ModelRegistry } from "../model-registry.js";

/** The outcome. Only `saved` changed anything. */
export type KeySaving =
  /**
   * `models`: how many the provider listed, undefined if unchecked. `variable`: a variable that overrides the saved
   * key.
   */
  | { readonly kind: "saved"; readonly models: number | undefined; readonly variable: string | undefined }
  | { readonly kind: "refused"; readonly failure: ModelFailure }
  /** The provider needs a model to check a key. */
  | { readonly kind: "needs-model" };

export interface SaveKeyRequest {
  readonly provider: string;
  readonly key: string;
  /** Checked if the provider lists no models; with `alsoModel`, always. */
  readonly model?: ModelInfo | undefined;
  readonly alsoModel?: boolean;
  /** Save the key without checking it. */
  readonly unchecked?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Throws `bad-key` for text that cannot be a key, before any request. */
export async function saveCheckedKey(registry: UserModelRegistry, request: SaveKeyRequest): Promise<KeySaving> {
  const { provider, model, alsoModel = false, unchecked = false, signal } = request;
  const key = request.key.trim();
  if (key === "" || /\s/.test(key)) {
    throw new ModelError("bad-key", `The key for ${provider} is empty or has spaces in it`, { data: { provider } });
  }
  const ask = (asked: ModelInfo | undefined) => registry.check(provider, { key, model: asked, signal });
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
  return { kind: "saved", models, variable: source === undefined || source.kind === "file" ? undefined : source.name };
}

/** Such as "The key works (3 models) and was saved in ~/.bough/auth.json". */
export function keySavedText({ models }: Extract<KeySaving, { kind: "saved" }>, file: string): string {
  const works =
    models === undefined ? "The key was" : `The key works${models > 0 ? ` (${counted(models, "model")})` : ""} and was`;
  return `${works} saved in ${file}`;
}

/** Whether a registry can save keys; a program's own registry may not. */
export function keepsKeys(registry: ModelRegistry): registry is UserModelRegistry {
  return "saveKey" in registry && "check" in registry;
}
