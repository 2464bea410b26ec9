/** Errors of settings and settings files: a stable code, data, and a hint. */
import { CodedError } from "@bough/session/entry/index.js";

/** Codes of `SettingsError`, and what each means. */
export const SETTINGS_ERROR_CODES = { "bad-settings": "a settings file is not valid" } as const;
export type SettingsErrorCode = keyof typeof SETTINGS_ERROR_CODES;

/** A setting cannot be read or written: a stable code, data, and a hint. */
export class SettingsError extends CodedError<SettingsErrorCode> {
  override readonly name = "SettingsError";
}
