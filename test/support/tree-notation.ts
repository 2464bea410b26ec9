/** Sessions for tests, written as they are drawn. */
import { POSITION_TYPE } from "@bough/session/entry/index.js";
import { SessionManager, type SessionOptions, type SessionTreeNode } from "@bough/session/session/index.js";
import { readDrawing } from "@bough/session/tree/tree-drawing.test-support.js";
import { user } from "./messages.js";

/** What an entry of the drawing is, where it is not a user message that says its name. */
export type Draw = (session: SessionManager) => unknown;

export interface TreeOptions {
  /** Folder of the session's file; without it the session is in memory. */
  readonly dir?: string;
  readonly entries?: Readonly<Record<string, Draw>>;
  readonly options?: SessionOptions;
}

/** Noon of a day far from any change of clocks; every entry is a second later than the one before. */
export const FIRST_SECOND = Date.UTC(2026, 0, 15, 12);

/**
 * A session from a drawing: `a-b-c-d; b-e-f*` is a chain, a second branch at `b`, and the leaf.
 *
 *     a ─ b ─ c ─ d
 *          └─ e ─ f  ← leaf
 *
 * Names are ids. A chain that starts with a new name is another root. Without `*` the leaf is the last entry. Entries
 * appended later are called `n1`, `n2`, …
 */
export function tree(drawing: string, { dir, entries = {}, options = {} }: TreeOptions = {}): SessionManager {
  const names = readableIds();
  const filled: SessionOptions = { now: seconds(), newId: names.next, newSessionId: () => "session-1", ...options };
  const session = dir === undefined ? SessionManager.inMemory("/w", filled) : SessionManager.create("/w", dir, filled);
  const { rows, leaf } = readDrawing(drawing);
  for (const { name, parent } of rows) {
    if (parent === null) session.resetLeaf();
    else session.branch(parent);
    names.choose(name);
    const draw = entries[name];
    if (draw === undefined) session.appendMessage(user(name));
    else draw(session);
  }
  if (leaf !== null) session.branch(leaf);
  return session;
}

/** A clock that ticks once per look. */
export function seconds(first: number = FIRST_SECOND): () => Date {
  let ticks = 0;
  return () => new Date(first + 1000 * ticks++);
}

/** Ids a person can read: the ones that were chosen, then `n1`, `n2`, … */
export function readableIds(prefix = "n") {
  const chosen: string[] = [];
  let count = 0;
  return {
    choose(id: string): void {
      chosen.push(id);
    },
    next(this: void, isTaken: (id: string) => boolean): string {
      const id = chosen.shift();
      if (id !== undefined) return id;
      do count++;
      while (isTaken(`${prefix}${count}`));
      return `${prefix}${count}`;
    },
  };
}

/** The drawing of a session: chains from a root or a fork point down, in the order of the file, positions left out. */
export function drawn(session: SessionManager): string {
  const chains: string[] = [];
  const roots = session.getTree().filter(({ entry }) => !isPosition(entry));
  const open = roots.map((node) => ({ from: "", node }));
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    let chain = next.from;
    let node: SessionTreeNode | undefined = next.node;
    while (node !== undefined) {
      chain += `${chain === "" ? "" : "-"}${node.id}${node.id === session.getLeafId() ? "*" : ""}`;
      const children: SessionTreeNode[] = node.children.filter((child) => !isPosition(child.entry));
      const from = node.id;
      node = children[0];
      for (const child of children.slice(1).reverse()) open.unshift({ from, node: child });
    }
    chains.push(chain);
  }
  return chains.join("; ");
}

function isPosition(entry: { readonly type: string; readonly customType?: unknown }): boolean {
  return entry.type === "custom" && entry.customType === POSITION_TYPE;
}
