/** Failures of the registry and its files: a stable code, data, and what to do next. */
import { CodedError } from "../entry/index.js";

export const MODEL_ERROR_CODES = {
  "unknown-model": "no model has this name",
  "unknown-provider": "no provider has this name",
  "ambiguous-model": "several models match",
  "bad-auth-file": "the file with the keys cannot be used",
  "bad-key": "the key cannot be saved",
} as const;
type ModelErrorCode = keyof typeof MODEL_ERROR_CODES;

export class ModelError extends CodedError<ModelErrorCode> {
  override readonly name = "ModelError";
}
