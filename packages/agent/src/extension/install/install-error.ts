/** Errors when installing, switching or removing extensions. */
import { CodedError } from "@bough/session/entry/index.js";

/** Codes of `InstallError`, and what each means. */
export const INSTALL_ERROR_CODES = {
  "bad-source": "neither a package, a git repository nor a path",
  "install-failed": "npm or git failed",
  "no-extension": "the package contains no extension",
  "unknown-extension": "no extension has this name",
  "bad-extensions-file": "the list of extensions is not valid",
} as const;
type InstallErrorCode = keyof typeof INSTALL_ERROR_CODES;

/** An extension could not be installed, switched or removed: a stable code, data, and a hint. */
export class InstallError extends CodedError<InstallErrorCode> {
  override readonly name = "InstallError";
}
