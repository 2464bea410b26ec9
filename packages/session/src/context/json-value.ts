/** Reads values that came from a file and may be anything that JSON can express. */

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isFilledString(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Any value as text. Never throws: anything JSON cannot express becomes a fixed note. */
export function textOfValue(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // Nesting too deep for the stack, or a value that never came from a file.
    return "[content that cannot be shown as text]";
  }
}
