import { closestNames } from "../text/index.js";
import { type CliError, usageError } from "./cli-error.js";
import { FLAGS } from "./flags.js";

/** An option that neither we nor an extension knows, and the one that was probably meant. */
export function unknownOption(name: string, ofExtensions: readonly string[] = []): CliError {
  const near = closestNames(name, [...Object.keys(FLAGS), ...ofExtensions]).map((one) => `--${one}`);
  const usage = "For usage, run: bough --help";
  const hint = near.length === 0 ? usage : `Did you mean ${near.join(" or ")}? ${usage}`;
  return usageError(`Unknown option '--${name}'`, hint);
}
