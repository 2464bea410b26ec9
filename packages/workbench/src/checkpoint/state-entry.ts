/** Which entry has the file state of another one. */
import { FILES_TYPE, Kind, Role } from "@bough/session/entry/index.js";
import { type FilesRecord, filesRecord } from "@bough/session/entry/internal.js";
import { childrenOf, isConversation, type TreeSource } from "@bough/session/tree/index.js";

type Source = Pick<TreeSource, "tree" | "entryAt">;

/** Labels and other notes may come between a step and its checkpoint, but only a few. */
const DEEPEST = 20;

/**
 * The checkpoint of a step is written below it, and going to a tool result should give the files as they were after it.
 * So the state of a message is that of the checkpoint below it that names a tool, if there is one before the
 * conversation continues. Parallel calls share one checkpoint, below the last of their results. A person's later
 * changes name no tool, and are not part of the step. -1 is before the first entry.
 */
export function stateNumber(source: Source, n: number): number {
  const { tree } = source;
  if (n < 0 || tree.kindOf(n) !== Kind.message) return n;
  const callId = isResult(source, n) ? callOf(source, n) : undefined;
  let at = n;
  let isPast = false;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const children = childrenOf(tree, at);
    const notes = children.filter((child) => !isConversation(tree.kindOf(child)));
    const checkpoint = notes.findLast((child) => {
      const record = recordOf(source, child);
      if (record?.tool === undefined) return false;
      // Below the result of another call, the checkpoint must name this call.
      return !isPast || (callId !== undefined && record.callIds?.includes(callId) === true);
    });
    if (checkpoint !== undefined) return checkpoint;
    const next = notes.at(-1) ?? (callId === undefined ? undefined : children.findLast((one) => isResult(source, one)));
    if (next === undefined) return n;
    if (isResult(source, next)) {
      isPast = true;
      depth = 0;
    }
    at = next;
  }
  return n;
}

function isResult({ tree }: Source, n: number): boolean {
  return tree.kindOf(n) === Kind.message && tree.roleOf(n) === Role.toolResult;
}

function callOf({ entryAt }: Source, n: number): string | undefined {
  const entry = entryAt(n);
  return entry.type === "message" && entry.message.role === "toolResult" ? entry.message.toolCallId : undefined;
}

function recordOf({ tree, entryAt }: Source, n: number): FilesRecord | undefined {
  if (tree.kindOf(n) !== Kind.custom) return undefined;
  const entry = entryAt(n);
  return entry.type === "custom" && entry.customType === FILES_TYPE ? filesRecord(entry.data) : undefined;
}
