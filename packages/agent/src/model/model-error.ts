/** Errors of the registry and its files: a stable code, data, and a hint. */
import { CodedError } from "@bough/session/entry/index.js";

/** Codes of `ModelError`, and what each means. */
export const MODEL_ERROR_CODES = {
  "unknown-model": "unknown model",
  "unknown-provider": "unknown provider",
  "ambiguous-model": "several models match",
  "bad-auth-file": "the key file cannot be used",
  "bad-key": "the key cannot be saved",
  "key-command-failed": "the command that prints a key failed",
  "missing-package": "a package for this provider is not installed",
  "no-login": "the provider has no login",
  "login-failed": "the login returned no usable token",
  "login-expired": "the login has expired",
  "bad-models-file": "the list of models cannot be read",
} as const;
export type ModelErrorCode = keyof typeof MODEL_ERROR_CODES;

/** A model, provider or key cannot be used. `code` is stable; the message is for users. */
export class ModelError extends CodedError<ModelErrorCode> {
  override readonly name = "ModelError";
}
