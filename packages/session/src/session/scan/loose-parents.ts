/**
 * Parents as OpenClaw names them: by a tool call, which means the answer that made it, or by the session ID, which
 * means the start.
 *
 *     a  assistant with the call `tc-1`
 *     b  parentId "tc-1"               becomes a child of a
 *     c  parentId "<session id>"       is a root
 */
import { Role, type SessionHeader } from "../../entry/index.js";
import type { Log, ScannedLine } from "../../log/index.js";
import type { TreeIndex, Unconnected } from "../../tree/index.js";
import { recordIn, wholeLine } from "./line-text.js";

const CALL = '"toolCall"';

export class LooseParents {
  /** Entries by the calls they made, in file order. */
  readonly #callers = new Map<string, number[]>();
  #scannedUpTo = 0;

  /** Connects the entries that name a parent in this way. Returns the others, and those cut from a cycle. */
  connect(
    missing: readonly number[],
    { log, tree, header }: { readonly log: Log; readonly tree: TreeIndex; readonly header: SessionHeader | undefined },
  ): Unconnected {
    return connectLoose(missing, {
      tree,
      header,
      callersOf: (call) => {
        if (this.#scannedUpTo !== log.certain) this.#readCalls(log, tree);
        return this.#callers.get(call);
      },
    });
  }

  #readCalls(log: Log, tree: TreeIndex): void {
    const from = this.#scannedUpTo;
    this.#scannedUpTo = log.certain;
    log.scan(from, (line) => {
      if (line.last < 0) return;
      for (const [call, entryId] of callsIn(log, line)) {
        const n = tree.ids.findText(entryId);
        if (n < 0) continue;
        const callers = this.#callers.get(call);
        if (callers === undefined) this.#callers.set(call, [n]);
        else callers.push(n);
      }
    });
  }
}

interface LooseParts {
  readonly tree: TreeIndex;
  readonly header: SessionHeader | undefined;
  /** The entries that made a call, in file order. Called only if a result may name one. */
  readonly callersOf: (call: string) => readonly number[] | undefined;
}

/** The rule itself. If a call occurs twice, the latest answer before the entry counts. */
export function connectLoose(missing: readonly number[], { tree, header, callersOf }: LooseParts): Unconnected {
  const parents = new Map<number, number>();
  for (const n of missing) if (tree.missingParentOf(n) === header?.id) parents.set(n, -1);
  const others = missing.filter((n) => !parents.has(n));
  const mayNameCalls = parents.size > 0 || others.some((n) => tree.roleOf(n) === Role.toolResult);
  for (const n of mayNameCalls ? others : []) {
    const callers = callersOf(tree.missingParentOf(n) as string);
    const caller = callers?.findLast((candidate) => tree.offsetOf(candidate) < tree.offsetOf(n));
    if (caller !== undefined) parents.set(n, caller);
  }
  const cycles = tree.adopt(parents);
  return { missing: missing.filter((n) => !parents.has(n)), cycles };
}

/** The calls in a line, each with the ID of the entry that made it. */
function callsIn(log: Log, line: ScannedLine): [call: string, entryId: string][] {
  const bytes = wholeLine(log, line);
  if (!bytes.includes(CALL)) return [];
  const record = recordIn(bytes);
  if (record.kind !== "entry" || record.entry.type !== "message") return [];
  const { id, message } = record.entry;
  const content: unknown = message.role === "assistant" ? message.content : undefined;
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: { readonly type?: unknown; readonly id?: unknown } | null) => {
    return block?.type === "toolCall" && typeof block.id === "string" ? [[block.id, id] as [string, string]] : [];
  });
}
