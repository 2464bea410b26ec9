/** Sentences about a store that becomes unreachable and comes back, for the terminal and `bough sync --watch`. */
import { ended } from "@bough/session/text/index.js";

export function awaySentence(name: string, error: { readonly message: string } | undefined): string {
  return `${ended(error?.message ?? `Cannot reach ${name}`, "always")} Your work is saved here.`;
}

export function backSentence(name: string): string {
  return `${name} is back. Everything is synced.`;
}
