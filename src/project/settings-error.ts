/** A setting or a settings file that cannot be used: a stable code, data, and what to do next. */
import { CodedError } from "../entry/index.js";

export const SETTINGS_ERROR_CODES = { "bad-settings": "a settings file is not valid" } as const;
type SettingsErrorCode = keyof typeof SETTINGS_ERROR_CODES;

export class SettingsError extends CodedError<SettingsErrorCode> {
  override readonly name = "SettingsError";
}
