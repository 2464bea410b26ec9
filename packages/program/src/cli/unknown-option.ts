import { closestNames } from "@bough/session/text/index.js";
import { type CliError, usageError } from "./cli-error.js";
import { FLAGS } from "./flags.js";

/** Why extensions that may define the option could not be loaded. */
export interface Unasked {
  readonly name: string;
  readonly reason: string;
}

/** An option that neither Bough nor an extension knows, and the one that was probably meant. */
export function unknownOption(
  name: string,
  ofExtensions: readonly string[] = [],
  unasked: readonly Unasked[] = [],
): CliError {
  const near = closestNames(name, [...Object.keys(FLAGS), ...ofExtensions]).map((one) => `--${one}`);
  const meant = near.length === 0 ? [] : [`Did you mean ${near.join(" or ")}?`];
  const missing = unasked.map((one) => `The extension ${one.name} was not loaded: ${one.reason}.`);
  return usageError(`Unknown option '--${name}'`, [...meant, ...missing, "For usage, run: bough --help"].join(" "));
}
