import { knownProgram } from "../program/covers.js";
import type { Rule } from "./rule.js";

/**
 * What `:*` in an allow rule covers: options that only read, options that do not choose another program, folder or
 * configuration, or every option. Undefined for rules without `:*`.
 */
export function ruleCoverage({ effect, target }: Rule): "reading" | "running" | "every" | undefined {
  if (effect !== "allow" || target.kind !== "command" || !target.more) return undefined;
  const known = knownProgram(target.words.map((text) => ({ text, literal: true })));
  if (target.every === true || known === undefined) return "every";
  return known.runner === undefined ? "reading" : "running";
}
