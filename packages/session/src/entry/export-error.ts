/** Failures of an export: a stable code, data, and what to do next. */
import { CodedError } from "./coded-error.js";

/** Codes of `ExportError` and their meanings. */
export const EXPORT_ERROR_CODES = {
  "no-content": "there is nothing to export, or nothing in an entry to use",
  "export-failed": "the export could not be written",
  "unknown-finding": "no finding of the secret scan has this number",
} as const;
export type ExportErrorCode = keyof typeof EXPORT_ERROR_CODES;

/** A failed export: a stable code, data, and a hint about what to do. */
export class ExportError extends CodedError<ExportErrorCode> {
  override readonly name = "ExportError";
}
