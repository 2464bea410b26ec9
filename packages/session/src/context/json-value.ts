/** Reading values that came from a file: they may be anything JSON can say. */

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isFilledString(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** A text for any value. Never throws: what JSON cannot say becomes a fixed note. */
export function textOfValue(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // Nesting too deep for the stack, or a value that never came from a file.
    return "[content that cannot be shown as text]";
  }
}
