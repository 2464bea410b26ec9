/**
 * A sentence with its full stop. If it ends in an ID or a path, no full stop is added, so that a double click selects
 * just the ID or path, unless another sentence follows (`always`).
 */
export function ended(message: string, stop: "always" | "unless-path" = "unless-path"): string {
  if (/[.!?…]$/.test(message)) return message;
  return stop === "unless-path" && /: \S+$/.test(message) ? message : `${message}.`;
}
