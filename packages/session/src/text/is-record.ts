/** True for an object with fields, in the JSON sense: not `null`, not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}

/** True for an object or an array. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
