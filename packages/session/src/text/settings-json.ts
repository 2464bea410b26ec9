/** The JSON of a settings file, as long as it is one that code can walk through. */
import { errorText } from "./error-text.js";

/** Nothing people write is nested this deep, and everything that goes through a value copes with it. */
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

/** Level by level: going down by recursion is what a value from elsewhere must not be able to overdo. */
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
