/** Automatic compaction: before a step that would not fit, and after one that did not. */
import { errorText } from "@bough/session/text/index.js";
import type { OperationOptions } from "../agent-parts.js";
import type { RunParts } from "../run-parts.js";
import { compact, needsCompaction } from "./compact.js";

/** Compacts when the context has passed the window minus the reserve. Returns whether it did. */
export async function compactIfNeeded(parts: RunParts, options: OperationOptions): Promise<boolean> {
  return (await needsCompaction(parts)) && (await compactAutomatically(parts, { ...options, reason: "threshold" }));
}

/** Compacts now. If it cannot, reports why, and the run continues with the current context. */
export async function compactAutomatically(
  parts: RunParts,
  { signal, reason }: OperationOptions & { readonly reason: "threshold" | "overflow" },
): Promise<boolean> {
  if (!parts.compaction.enabled) return false;
  await parts.files?.settled();
  try {
    return (await compact(parts, { signal, reason })).kind === "done";
  } catch (error) {
    parts.emit({
      type: "notice",
      level: "warning",
      message: `Could not compact the conversation: ${errorText(error)}`,
      hint: "Use /compact with other instructions, go back in the tree, or choose a model with a larger window.",
    });
    return false;
  }
}
