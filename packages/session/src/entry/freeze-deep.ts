import { isObject } from "../text/index.js";

/**
 * Freezes a parsed value and everything in it, and returns it: what came from the log can be handed out and kept without
 * a copy. A value that is frozen already is taken to be frozen all the way down. Takes nesting of any depth.
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
