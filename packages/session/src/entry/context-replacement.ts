/** What takes the place of an entry's content, in each of the forms that programs write. */
import { isRecord } from "../text/index.js";
import type { ContextEditEntry, ContextReplacement } from "./entry.js";

/**
 * The replacement of a `context_edit`, whoever wrote it: `null`, a text or a list as Bough writes it, or the same text or
 * list in an object `{ content }`, as pi does. Undefined where it is none of these: such an edit does nothing.
 */
export function replacementOf({ replacement }: { readonly replacement?: unknown }): ContextReplacement | undefined {
  if (replacement === null) return null;
  const content = isRecord(replacement) ? replacement.content : replacement;
  return typeof content === "string" || Array.isArray(content) ? content : undefined;
}

/** Whether an edit is written as pi writes it. */
export function isPiEdit({ replacement }: ContextEditEntry): boolean {
  return isRecord(replacement);
}
