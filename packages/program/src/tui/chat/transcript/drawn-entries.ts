/** Draws entries of the path as painted lines, and caches those near the window. */

import type { PaintTone } from "@bough/agent/terminal/index.js";
import { Kind, Role, type SessionEntry } from "@bough/session/entry/index.js";
import { OWN_PREFIX } from "@bough/session/entry/internal.js";
import { withoutControls } from "@bough/session/text/index.js";
import type { TreeSource } from "@bough/session/tree/index.js";
import { entryBlocks, type TranscriptBlock } from "@bough/session/view/index.js";
import { copiesRun, finderAt } from "@bough/session/view/internal.js";
import type { LiveTail } from "../live/live-tail.js";
import { type BlockContext, HANG, hang } from "./block-context.js";
import { drawBlock, hasGap } from "./draw-block.js";
import type { DrawnLine } from "./drawn-line.js";
import { type FoldKind, foldKind } from "./folds.js";
import type { PassingNote, PassingNotes } from "./passing-notes.js";
import type { PathWindow } from "./path-window.js";
import { wrapped } from "./text-lines.js";

interface DrawnEntriesOptions {
  readonly source: TreeSource;
  readonly path: PathWindow;
  readonly live: LiveTail;
  readonly notes: PassingNotes;
  readonly branchName?: ((id: string) => string | undefined) | undefined;
}

interface Kept {
  readonly lines: readonly DrawnLine[];
  /** What it was drawn for; redrawn when that changes. */
  readonly stamp: string;
  /** A call in it has no result yet, or more copies may follow, so its drawing depends on what comes next. */
  readonly open: boolean;
}

/** Cached lines: many windows, and a few megabytes at most. */
const KEPT_LINES = 4000;
/** Never drawn, and so never read. */
const BOOKKEEPING: ReadonlySet<Kind> = new Set([Kind.label, Kind.sessionInfo, Kind.usage, Kind.position]);
/** How far below a call to search for its result. */
const NEAR = 100;

/** Whether an entry is bookkeeping, or a note for the model that is not drawn. */
function isNote({ tree, entryAt }: TreeSource, n: number): boolean {
  if (n < 0) return false;
  const kind = tree.kindOf(n);
  if (BOOKKEEPING.has(kind)) return true;
  if (kind !== Kind.custom && kind !== Kind.customMessage) return false;
  const entry = entryAt(n);
  return (entry.type === "custom" || entry.type === "custom_message") && entry.customType.startsWith(OWN_PREFIX);
}

export class DrawnEntries {
  readonly #options: DrawnEntriesOptions;
  readonly #kept = new Map<number, Kept>();
  readonly #foldable = new Map<string, FoldKind>();
  #keptLines = 0;
  #drawn = 0;

  constructor(options: DrawnEntriesOptions) {
    this.#options = options;
  }

  /** Number of entries drawn so far, for tests and the benchmark. */
  get drawnCount(): number {
    return this.#drawn;
  }

  get keptCount(): number {
    return this.#kept.size;
  }

  /** How a drawn block can be folded. */
  foldKindOf(blockId: string): FoldKind | undefined {
    return this.#foldable.get(blockId);
  }

  /** The lines of the entry at a position. `version` changes when folds change. */
  lines(place: number, context: BlockContext, version: number): readonly DrawnLine[] {
    const { path, live, notes } = this.#options;
    const entry = path.entryAt(place);
    const label = this.#options.source.labelOf(entry)?.label ?? "";
    const stamp = `${path.moves} ${context.width} ${context.look} ${version} ${notes.below(entry).length} ${label}`;
    const now = `${stamp} ${path.last} ${live.version} ${Math.floor(context.now / 1000)}`;
    const kept = this.#kept.get(entry);
    if (kept !== undefined && kept.stamp === (kept.open ? now : stamp)) {
      this.#kept.delete(entry);
      this.#kept.set(entry, kept);
      return kept.lines;
    }
    const { lines, open } = this.#draw(place, context);
    if (kept !== undefined) this.#forget(entry, kept);
    this.#kept.set(entry, { lines, open, stamp: open ? now : stamp });
    this.#keptLines += lines.length + 1;
    for (const [old, one] of this.#kept) {
      if (this.#keptLines <= KEPT_LINES || old === entry) break;
      this.#forget(old, one);
    }
    return lines;
  }

  /** The notices below an entry; -1 for those before the first one. */
  noteLines(entry: number, context: BlockContext): readonly DrawnLine[] {
    return this.#options.notes.below(entry).flatMap((note) => drawPassingNote(note, context));
  }

  #forget(entry: number, { lines }: Kept): void {
    this.#kept.delete(entry);
    this.#keptLines -= lines.length + 1;
    for (const { block } of lines) if (block !== undefined) this.#foldable.delete(block);
  }

  #draw(place: number, context: BlockContext): { readonly lines: readonly DrawnLine[]; readonly open: boolean } {
    this.#drawn += 1;
    const { path, source } = this.#options;
    const number = path.entryAt(place);
    const lines: DrawnLine[] = [];
    let open = false;
    const grows = (): void => {
      open = true;
    };
    const its = this.#options.notes.below(number).some(({ isAdvice }) => isAdvice)
      ? { ...context, isAdvised: true }
      : { ...context, isPast: this.#goesOn(place) };
    const blocks = BOOKKEEPING.has(source.tree.kindOf(number))
      ? []
      : this.#blocks(place, source.entryAt(number), grows);
    // All that is known about the entry above without reading it.
    let above: TranscriptBlock["kind"] | undefined = this.#followsPrompt(place) ? "prompt" : undefined;
    for (const block of blocks) {
      if (block.kind === "tool" && (block.state === "running" || block.state === "interrupted")) open = true;
      // Its advice goes away when the conversation goes on.
      if (block.kind === "failure" && its.isPast !== true) open = true;
      const kind = foldKind(block);
      if (kind !== undefined) this.#foldable.set(block.id, kind);
      if (hasGap(block, above)) lines.push({ text: "" });
      above = block.kind;
      for (const line of drawBlock(block, its)) lines.push(line);
    }
    for (const line of this.#ownLines(number, context)) lines.push(line);
    for (const line of this.noteLines(number, context)) lines.push(line);
    return { lines, open };
  }

  /** An entry only its extension uses, unless the extension draws it. */
  #ownLines(number: number, context: BlockContext): readonly DrawnLine[] {
    const { source } = this.#options;
    if (context.drawers === undefined || source.tree.kindOf(number) !== Kind.custom) return [];
    const entry = source.entryAt(number);
    if (entry.type !== "custom") return [];
    const expanded = context.isOpen(entry.id, "long");
    const drawn = context.drawers.entry(entry, { width: Math.max(1, context.width - HANG), expanded });
    if (drawn === undefined || drawn.length === 0) return [];
    this.#foldable.set(entry.id, "long");
    const hung = hang(drawn, { sign: context.glyphs.message, tone: "custom" }, context);
    return [{ text: "" }, ...hung.map((line) => ({ ...line, block: entry.id }))];
  }

  #followsPrompt(place: number): boolean {
    const { path, source } = this.#options;
    let at = place - 1;
    while (isNote(source, path.entryAt(at))) at -= 1;
    const above = path.entryAt(at);
    return above >= 0 && source.tree.roleOf(above) === Role.user;
  }

  /** Whether something is said below a position. */
  #goesOn(place: number): boolean {
    const { path, source } = this.#options;
    for (let at = place + 1; at <= path.last; at++) if (!isNote(source, path.entryAt(at))) return true;
    return false;
  }

  /** `grows` is called if the entry may still grow. */
  #blocks(place: number, entry: SessionEntry, grows: () => void): readonly TranscriptBlock[] {
    const { path, source, live, branchName } = this.#options;
    const numbers = (from: number, to: number): number[] => {
      const found: number[] = [];
      for (let at = from; at <= to; at++) if (path.entryAt(at) >= 0) found.push(path.entryAt(at));
      return found;
    };
    let after: ReturnType<typeof finderAt> | undefined;
    return entryBlocks(entry, {
      resultOf: (callId) => {
        after ??= finderAt(source, numbers(place, Math.min(path.last, place + NEAR)), 0);
        return after.resultOf(callId);
      },
      hasCall: (callId) => {
        const before = numbers(place - NEAR, place);
        return finderAt(source, before, before.length - 1).hasCall(callId);
      },
      copies: () => {
        const run = copiesRun(
          (offset) => {
            const at = path.entryAt(place + offset);
            return at < 0 ? undefined : source.entryAt(at);
          },
          (id) => branchName?.(id),
        );
        if (run.atEnd) grows();
        return run;
      },
      label: () => source.labelOf(path.entryAt(place))?.label,
      isChangedAgain: () => {
        const next = place < path.last ? path.entryAt(place + 1) : -1;
        if (next < 0) grows();
        return next >= 0 && source.tree.kindOf(next) === source.tree.kindOf(path.entryAt(place));
      },
      isRunning: (callId) => live.tool(callId) !== undefined || (live.running && this.#isLastAnswer(place)),
      branchName,
    });
  }

  /** Its calls may still be waiting for their turn or for permission. */
  #isLastAnswer(place: number): boolean {
    const { path, source, live } = this.#options;
    if (live.answer !== undefined) return false;
    for (let at = path.last; at > place; at--) {
      const role = source.tree.roleOf(path.entryAt(at));
      if (role === Role.assistant || role === Role.user) return false;
    }
    return true;
  }
}

/** A notice in the transcript that is not saved. */
const MOST = 50_000;

function drawPassingNote({ text, level }: PassingNote, context: BlockContext): DrawnLine[] {
  const { theme, glyphs, width } = context;
  const tone: PaintTone = level === "error" ? "bad" : level === "good" ? "good" : "muted";
  const sign = level === "error" ? glyphs.failed : level === "warning" ? glyphs.warning : glyphs.dot;
  const lines = wrapped(withoutControls(text).slice(0, MOST), Math.max(1, width - HANG));
  const painted = lines.map((line) => theme.paint(tone, line));
  return [{ text: "" }, ...hang(painted, { sign, tone }, context)];
}
