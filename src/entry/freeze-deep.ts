/**
 * Freezes a parsed value and everything in it, and returns it: what came from the log can be handed out and kept without
 * a copy. What is frozen already is not gone through again. Takes nesting of any depth.
 */
export function freezeDeep<Value>(value: Value): Value {
  if (!isUnfrozen(value)) return value;
  const pending: object[] = [value];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    Object.freeze(part);
    if (Array.isArray(part)) {
      for (const item of part) if (isUnfrozen(item)) pending.push(item);
    } else {
      for (const key in part) {
        const field = (part as Record<string, unknown>)[key];
        if (isUnfrozen(field)) pending.push(field);
      }
    }
  }
  return value;
}

function isUnfrozen(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Object.isFrozen(value);
}
