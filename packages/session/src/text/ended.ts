/** The end of a sentence. */

/**
 * A sentence with its full stop. One that ends in an ID or a path gets none, so that a double click copies it clean,
 * unless another sentence follows (`always`).
 */
export function ended(message: string, stop: "always" | "unless-path" = "unless-path"): string {
  if (/[.!?]$/.test(message)) return message;
  return stop === "unless-path" && /: \S+$/.test(message) ? message : `${message}.`;
}
