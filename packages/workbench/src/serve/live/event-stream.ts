/**
 * Sends a client what is written to a session, as it is written. The client's cursor is the only state: if it reads too
 * slowly, sending waits, and continues from the file; if it does not read at all, it is disconnected and can resume.
 */
import type { ServerResponse } from "node:http";
import { errorText } from "@bough/session/text/index.js";
import type { TreeIndex } from "@bough/session/tree/index.js";
import type { GrownEvent, NumberedEntry, TreeRowData } from "../../web/internal.js";
import { cursorIn, cursorText } from "./live-cursor.js";
import type { Lease } from "./session-pool.js";

/** Proxies and browsers close connections that say nothing. */
const BEAT_MS = 15_000;
/** A client that has read nothing for this long is gone, or holds memory of the system for nothing. */
const SLOW_MS = 20_000;
const MOST_ROWS = 500;
/** Longer entries are fetched when they are shown. */
const LONGEST_ENTRY = 64 << 10;
/** Characters of entries in one event. */
const MOST_CHARACTERS = 1 << 20;

export interface EventStreamOptions {
  /** What the client has. Without one, it gets a `reset` and asks for the tree. */
  readonly cursor: string;
  readonly slowMs?: number;
  readonly beatMs?: number;
}

/** Returns when the client is gone or was dropped. The lease is the caller's. */
export async function streamEvents(lease: Lease, response: ServerResponse, options: EventStreamOptions): Promise<void> {
  const { opened } = lease;
  const { slowMs = SLOW_MS, beatMs = BEAT_MS } = options;
  let cursor = cursorIn(options.cursor);
  let isBusy = false;
  let isDue = true;
  // It may have gone while the session was opened.
  const gone = new Promise<void>((resolve) => {
    if (response.destroyed) resolve();
    else response.once("close", resolve);
  });

  /** False if the client does not read. */
  async function send(text: string): Promise<boolean> {
    if (response.destroyed) return false;
    if (response.write(text)) return true;
    const timer = setTimeout(() => response.destroy(), slowMs);
    await Promise.race([new Promise<void>((resolve) => response.once("drain", resolve)), gone]);
    clearTimeout(timer);
    return !response.destroyed;
  }

  /** Sends everything after the cursor, a part at a time. */
  async function sendGrowth(): Promise<void> {
    await opened.refresh();
    for (;;) {
      const { count, mark } = opened.end();
      const from = cursor === undefined ? undefined : opened.after(cursor);
      if (from === undefined) {
        // The client asks for the tree again, and comes back with the cursor of that.
        await send("event: reset\ndata: {}\n\n");
        response.end();
        return;
      }
      if (from >= count) return;
      const next = Math.min(count, from + MOST_ROWS);
      // Before entries are read: damage that is found then makes the cursor unfit.
      cursor = next >= count ? mark : opened.markAfter(next);
      const event = grownEvent(opened.tree, from, next);
      if (cursor === undefined) continue;
      if (!(await send(`id: ${cursorText(cursor)}\nevent: entries\ndata: ${JSON.stringify(event)}\n\n`))) return;
    }
  }

  /** One run at a time; a change during one causes another. */
  async function run(): Promise<void> {
    isDue = true;
    if (isBusy) return;
    isBusy = true;
    try {
      while (isDue && !response.destroyed && !response.writableEnded) {
        isDue = false;
        await sendGrowth();
      }
    } catch (error) {
      await send(`event: problem\ndata: ${JSON.stringify({ message: errorText(error) })}\n\n`);
      response.end();
    } finally {
      isBusy = false;
    }
  }

  const beat = setInterval(() => void send(": still here\n\n"), beatMs);
  lease.onChange(() => void run());
  response.write(": open\n\n");
  await Promise.all([run(), gone]);
  clearInterval(beat);
}

export function rowOf(tree: TreeIndex, n: number): TreeRowData {
  const parent = tree.parentOf(n);
  const parentId = parent < 0 ? (tree.missingParentOf(n) ?? null) : tree.ids.textOf(parent);
  return [tree.ids.textOf(n), parentId, tree.kindOf(n), tree.roleOf(n), tree.lengthOf(n)];
}

function grownEvent(
  source: { readonly tree: TreeIndex; entryAt(n: number): unknown },
  from: number,
  to: number,
): GrownEvent {
  const { tree } = source;
  const rows: TreeRowData[] = [];
  const entries: NumberedEntry[] = [];
  let characters = 0;
  for (let n = from; n < to; n++) {
    rows.push(rowOf(tree, n));
    const length = tree.lengthOf(n);
    if (length > LONGEST_ENTRY || characters + length > MOST_CHARACTERS) continue;
    characters += length;
    entries.push([n, source.entryAt(n)]);
  }
  return { from, rows, leaf: Math.min(tree.loadedLeaf, to - 1), entries };
}
