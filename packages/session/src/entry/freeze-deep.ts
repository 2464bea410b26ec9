import { isObject } from "../text/index.js";

/**
 * Freezes a parsed value deeply and returns it, so that values from the log can be handed out and cached without a
 * copy. A frozen value is assumed to be frozen deeply. Handles nesting of any depth.
 */
export function freezeDeep<Value>(value: Value): Value {
  if (!isObject(value) || Object.isFrozen(value)) return value;
  const pending: object[] = [value];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (Array.isArray(part)) {
      for (let i = 0; i < part.length; i++) if (isObject(part[i])) pending.push(part[i]);
    } else {
      for (const key in part) {
        const field = (part as Record<string, unknown>)[key];
        if (isObject(field)) pending.push(field);
      }
    }
    Object.freeze(part);
  }
  return value;
}
