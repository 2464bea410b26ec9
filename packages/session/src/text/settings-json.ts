/** Parses the JSON of a settings file, provided that code can safely walk it. */
import { errorText } from "./error-text.js";

/** Deeper than anything people write, but shallow enough for all code that walks a value. */
const DEEPEST = 200;

/** The value of a settings file, or why it has none: "not valid JSON: …", for a sentence that starts with "it is". */
export function settingsValue(
  text: string,
): { readonly kind: "value"; readonly value: unknown } | { readonly kind: "unusable"; readonly reason: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: "unusable", reason: `not valid JSON: ${errorText(error)}` };
  }
  if (!isFlatEnough(value)) return { kind: "unusable", reason: `nested more than ${DEEPEST} levels deep` };
  return { kind: "value", value };
}

/** Level by level, because an untrusted value could overflow the stack of a recursive check. */
function isFlatEnough(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) return false;
    const next: unknown[] = [];
    for (const one of level) {
      if (typeof one !== "object" || one === null) continue;
      for (const inner of Object.values(one)) next.push(inner);
    }
    level = next;
  }
  return true;
}
