/** The conversation in a window: it stays at the end until the user scrolls, and reads only what the window shows. */

import { fitted } from "@bough/agent/terminal/index.js";
import { type EntryId, Role } from "@bough/session/entry/index.js";
import type { TreeSource } from "@bough/session/tree/index.js";
import type { Line } from "@bough/session/view/index.js";
import { cutLine, cutToWidth } from "@bough/session/view/internal.js";
import type { Frame, Size } from "../../host/panel.js";
import type { Theme } from "../../theme/theme.js";
import { drawLive } from "../live/draw-live.js";
import type { LiveTail } from "../live/live-tail.js";
import type { BlockContext } from "./block-context.js";
import { DrawnEntries } from "./drawn-entries.js";
import type { DrawnLine } from "./drawn-line.js";
import type { FoldKind, Folds } from "./folds.js";
import type { PassingNotes } from "./passing-notes.js";
import { PathWindow } from "./path-window.js";
import { type Anchor, anchorAbove, anchorBelow, linesFrom } from "./scroll.js";

interface TranscriptOptions {
  readonly source: TreeSource;
  readonly live: LiveTail;
  readonly folds: Folds;
  readonly notes: PassingNotes;
  /** The context for drawing blocks at a width. */
  readonly context: (width: number) => BlockContext;
  readonly branchName?: ((id: EntryId) => string | undefined) | undefined;
  /** Lines shown instead of the introduction. */
  readonly header?: ((width: number) => readonly string[] | undefined) | undefined;
}

export class Transcript {
  /** The session it was made for. */
  readonly tree: TreeSource["tree"];
  readonly #options: TranscriptOptions;
  readonly #path: PathWindow;
  readonly #entries: DrawnEntries;
  #size: Size = { width: 80, height: 24 };
  /** The first line shown; undefined while it stays at the end. */
  #anchor: Anchor | undefined;
  #intro: readonly Line[] = [];
  /** The entry the user jumped to. */
  #marked: number | undefined;
  /** What arrived since the window left the end. */
  #arrived = 0;
  #shown: readonly DrawnLine[] = [];
  #live: { readonly stamp: string; readonly lines: readonly DrawnLine[] } | undefined;

  constructor(options: TranscriptOptions) {
    this.#options = options;
    this.tree = options.source.tree;
    this.#path = new PathWindow(options.source);
    this.#entries = new DrawnEntries({ ...options, path: this.#path });
  }

  get following(): boolean {
    return this.#anchor === undefined;
  }

  /** How many entries were drawn so far, and how many are cached. */
  get cost(): { readonly drawn: number; readonly kept: number } {
    return { drawn: this.#entries.drawnCount, kept: this.#entries.keptCount };
  }

  get intro(): readonly Line[] {
    return this.#intro;
  }

  /** As last drawn: whether the conversation is too long for the introduction above it to be seen. */
  get hidesIntro(): boolean {
    return this.#size.height > 0 && this.#path.entryAt(this.#top().place) >= 0;
  }

  setIntro(lines: readonly Line[]): void {
    this.#intro = lines;
  }

  /** Updates to the leaf. After a move, shows the end. */
  refresh(): void {
    if (this.#path.refresh() === "moved") this.scrollToEnd();
  }

  /** A message arrived; counted while the window is elsewhere. */
  arrived(): void {
    if (!this.following) this.#arrived += 1;
  }

  draw(size: Size): Frame {
    this.#size = size;
    const { height } = size;
    const top = this.#top();
    let shown = linesFrom(top, height, this.#linesAt);
    if (this.#anchor !== undefined && shown.length < height) {
      // Content below was folded or removed, so the window may be at the end again.
      this.scrollToEnd();
      shown = linesFrom(this.#top(), height, this.#linesAt);
    }
    this.#shown = shown;
    const context = this.#context();
    const lines = windowLines(shown, height);
    if (!this.following && height > 1) lines[height - 1] = this.#belowLine(context);
    return { lines };
  }

  /** Negative: towards the start. */
  scrollLines(count: number): void {
    if (count === 0) return;
    const top = this.#top();
    if (count < 0) {
      const above = anchorAbove(top, -count, this.#linesAt);
      // A conversation that fits in the window cannot be scrolled.
      if (above.place !== top.place || above.line !== top.line) this.#anchor = above;
      return;
    }
    if (this.#anchor === undefined) return;
    const below = anchorBelow(top, count, this.#linesAt);
    this.#scrollTo(below);
  }

  scrollPages(pages: number): void {
    this.scrollLines(pages * Math.max(1, this.#size.height - 2));
  }

  scrollToEnd(): void {
    this.#anchor = undefined;
    this.#marked = undefined;
    this.#arrived = 0;
  }

  scrollToTop(): void {
    const first = this.#path.first();
    const isEmpty = this.#path.entryAt(first) < 0;
    this.#scrollTo({ place: isEmpty ? first : first - 1, line: 0 });
  }

  /** To the nearest prompt above or below the top of the window; below the last one, to the end. */
  scrollToPrompt(where: "previous" | "next"): void {
    const { tree } = this.#options.source;
    const step = where === "previous" ? -1 : 1;
    let place = this.#top().place + step;
    while (this.#path.entryAt(place) >= 0 && tree.roleOf(this.#path.entryAt(place)) !== Role.user) place += step;
    if (this.#path.entryAt(place) >= 0) this.#scrollTo({ place, line: 1 });
    else if (where === "next") this.scrollToEnd();
  }

  /** Shows an entry of the path near the top and marks it. False if it is not on the path. */
  showEntry(id: EntryId): boolean {
    const entry = this.#options.source.tree.ids.findText(id);
    let place = this.#path.placeOf(entry);
    if (place === undefined) return false;
    // Results are drawn with their call, and bookkeeping not at all: go to the nearest drawn entry above.
    while (this.#linesAt(place)?.length === 0 && this.#path.entryAt(place - 1) >= 0) place -= 1;
    this.#marked = this.#path.entryAt(place);
    this.#scrollTo(anchorAbove({ place, line: 0 }, 2, this.#linesAt));
    this.#marked = this.#path.entryAt(place);
    return true;
  }

  /** Opens or folds the block on a row of the last drawing. */
  toggleAt(row: number): boolean {
    const block = this.#shown[row]?.block;
    const kind = block === undefined ? undefined : this.#entries.foldKindOf(block);
    if (block === undefined || kind === undefined) return false;
    this.toggle(block, kind);
    return true;
  }

  /** The lowest block in the window that can be opened or folded. */
  toggleLowest(): boolean {
    for (let row = this.#shown.length - 1; row >= 0; row--) if (this.toggleAt(row)) return true;
    return false;
  }

  toggle(block: string, kind: FoldKind): void {
    this.#options.folds.toggle(block, kind);
  }

  /** The current anchor, or the one it would have if the window did not stay at the end. */
  #top(): Anchor {
    if (this.#anchor !== undefined) {
      // At another width, or folded, the entry may have fewer lines now.
      const { place, line } = this.#anchor;
      return { place, line: Math.min(line, Math.max(0, (this.#linesAt(place)?.length ?? 0) - 1)) };
    }
    const end = this.#path.last + 1;
    const last = this.#linesAt(end)?.length ?? 0;
    return anchorAbove({ place: end, line: last }, this.#size.height, this.#linesAt);
  }

  #scrollTo(anchor: Anchor): void {
    const { height } = this.#size;
    if (linesFrom(anchor, height + 1, this.#linesAt).length <= height) this.scrollToEnd();
    else this.#anchor = anchor;
  }

  #context(): BlockContext {
    return this.#options.context(this.#size.width);
  }

  /** Above the root is the introduction, below the leaf the live output. */
  readonly #linesAt = (place: number): readonly DrawnLine[] | undefined => {
    const path = this.#path;
    if (place === path.last + 1) return this.#liveLines();
    const entry = path.entryAt(place);
    if (entry >= 0) {
      const lines = this.#entries.lines(place, this.#context(), this.#options.folds.version);
      return entry === this.#marked ? this.#withMark(lines) : lines;
    }
    const aboveRoot = place <= 0 && (place === 0 || path.entryAt(place + 1) >= 0);
    return aboveRoot ? this.#introLines(place) : undefined;
  };

  #introLines(place: number): readonly DrawnLine[] {
    const { theme, width, glyphs } = this.#context();
    const own = this.#options.header?.(width)?.map((text) => ({ text }));
    const lines = own ?? this.#intro.map((line) => ({ text: theme.line(cutLine(line, width, glyphs.ellipsis)) }));
    const below = this.#linesAt(place + 1)?.[0]?.text ?? "";
    const gap = lines.length > 0 && below !== "" ? [{ text: "" }] : [];
    return [...lines, ...this.#entries.noteLines(-1, this.#context()), ...gap];
  }

  #liveLines(): readonly DrawnLine[] {
    const { live, folds, branchName, source } = this.#options;
    const context = this.#context();
    const second = live.hasClock ? Math.floor(context.now / 1000) : 0;
    const stamp = `${context.width} ${context.look} ${live.version} ${folds.version} ${second}`;
    if (this.#live?.stamp === stamp) return this.#live.lines;
    const leaf = source.leaf;
    const branch = leaf < 0 ? undefined : branchName?.(source.tree.ids.textOf(leaf));
    const lines = drawLive({ live, context, branch });
    this.#live = { stamp, lines };
    return lines;
  }

  #withMark(lines: readonly DrawnLine[]): readonly DrawnLine[] {
    const { theme, glyphs, width } = this.#context();
    const first = lines.findIndex(({ text }) => text !== "");
    return lines.map((line, index) =>
      index === first ? { ...line, text: fitted(markedText(theme, glyphs.selected, line.text), width) } : line,
    );
  }

  #belowLine({ theme, glyphs, hint, width }: BlockContext): string {
    const down = glyphs.rule === "-" ? "v" : "↓";
    const key = hint("chat.bottom");
    const words = this.#arrived > 0 ? `${down} ${this.#arrived} new` : `${down} more below`;
    const text = cutToWidth(` ${words}${key === "" ? "" : ` ${glyphs.dot} ${key}`}`, width, glyphs.ellipsis);
    return theme.paint(this.#arrived > 0 ? "accent" : "muted", text);
  }
}

function markedText(theme: Theme, sign: string, text: string): string {
  return `${theme.paint("accent", sign)} ${text}`;
}

/** Fits lines into a window: pads to its height, and keeps only pictures that fit completely. */
export function windowLines(shown: readonly DrawnLine[], height: number): string[] {
  const lines = shown.map(({ text }) => text);
  for (const [row, { image }] of shown.entries()) {
    if (image === undefined || row + image.rows > height || row + image.rows > shown.length) continue;
    const last = row + image.rows - 1;
    if (image.first !== "") lines[row] = image.first;
    if (image.last !== "") {
      lines[row] = "";
      lines[last] = image.last;
    }
  }
  while (lines.length < height) lines.push("");
  return lines;
}
