/** The replacement for an entry's content, in each form that programs write. */
import { isRecord } from "../text/index.js";
import type { ContextEditEntry, ContextReplacement } from "./entry.js";

/**
 * The replacement of a `context_edit`, from any program: `null`, a string or a list as Bough writes it, or the same
 * string or list in an object `{ content }`, as pi does. Undefined if it is none of these: such an edit has no effect.
 */
export function replacementOf({ replacement }: { readonly replacement?: unknown }): ContextReplacement | undefined {
  if (replacement === null) return null;
  const content = isRecord(replacement) ? replacement.content : replacement;
  return typeof content === "string" || Array.isArray(content) ? content : undefined;
}

/** Whether an edit is written the way pi writes it. */
export function isPiEdit({ replacement }: ContextEditEntry): boolean {
  return isRecord(replacement);
}
