/** Notifies front ends and extensions about the files of a record. */

import type { FileState } from "@bough/session/entry/index.js";
import type { RecordedFiles } from "@bough/workbench/checkpoint/index.js";
import type { ExtensionHooks } from "../../extension/run.js";
import type { AgentEvent } from "../agent-events.js";

interface Listeners {
  readonly hooks: ExtensionHooks;
  emit(event: AgentEvent): void;
}

/** Events name at most this many files. */
const MOST_NAMED = 100;

export function tellFiles({ emit, hooks }: Listeners, { entryId, by, changes }: RecordedFiles): void {
  emit({ type: "entries", ids: [entryId] });
  if (changes.length === 0) return;
  const files = changes
    .slice(0, MOST_NAMED)
    .map(({ path, before, after }) => ({ path, change: kindOf(before, after) }));
  const event = { type: "files_changed", entryId, by, count: changes.length, files } as const;
  emit(event);
  // Never rejects: what goes wrong in an extension is reported by the runner.
  if (hooks.has("files_changed")) void hooks.emit<"files_changed">(event);
}

function kindOf(before: FileState, after: FileState): "added" | "changed" | "deleted" {
  return before === null ? "added" : after === null ? "deleted" : "changed";
}
